"""Compile an exported C file and run it on rows."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O0", "-fPIC", "-shared")
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]


class CModel:
    """A compiled model with the functions of its header."""

    def __init__(self, source: Path, compiler: str | None = None, flags: tuple[str, ...] = FLAGS):
        if compiler is None:
            if not COMPILERS:
                pytest.skip("no C compiler: install gcc or clang to run exported C")
            compiler = COMPILERS[0]
        library = source.with_suffix(f".{compiler}.so")
        command = [compiler, *flags, str(source), "-lm", "-o", str(library)]
        compiled = subprocess.run(command, capture_output=True, text=True, check=False)
        assert compiled.returncode == 0, compiled.stderr
        self.name = source.stem
        self._library = ctypes.CDLL(str(library))
        self._function("encode").restype = ctypes.c_double

    def _function(self, name: str) -> Any:
        return getattr(self._library, f"{self.name}_{name}")

    def texts(self, name: str, n_texts: int) -> list[str]:
        """Return an array of strings of the header."""
        array = (ctypes.c_char_p * n_texts).in_dll(self._library, f"{self.name}_{name}")
        return [text.decode() for text in array]

    def encode(self, index: int, text: str | None) -> float:
        """Return the number of a nominal value."""
        given = None if text is None else ctypes.c_char_p(text.encode())
        return float(self._function("encode")(index, given))

    def predict(self, row: list[float]) -> int:
        """Return the index of the label."""
        return int(self._function("predict")((ctypes.c_double * len(row))(*row)))

    def numbers(self, function: str, row: list[float], n_labels: int) -> list[float]:
        """Return what ``predict_proba`` or ``scores`` write."""
        result = (ctypes.c_double * n_labels)(*[math.nan] * n_labels)
        self._function(function)((ctypes.c_double * len(row))(*row), result)
        return list(result)
