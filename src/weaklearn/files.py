"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the file's place and move it there: nobody ever sees half a file.

    Parameters
    ----------
    path : Path
        A file of that name is replaced.
    content : bytes
        What it will hold.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path}: No such file or directory; make the folder first")
    try:
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
