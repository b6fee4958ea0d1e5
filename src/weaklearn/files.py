"""Write a file completely or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

#: What the system says where there is no room for a file, without the name of the file.
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file in the same folder under another name, then rename it.

    A reader sees the old content or the new content, never a part of it.

    Parameters
    ----------
    path : Path
        The file to write; an existing file is replaced.
    content : bytes
        Its new content.
    """
    with open_atomically(path) as file:
        file.write(content)


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write in parts, as `write_atomically` writes it at once.

    Parameters
    ----------
    path : Path
        The file to write. It is there when the with statement ends without an exception.

    Yields
    ------
    binary file
        The file under another name.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"{path}: No such file or directory; create the folder {path.parent} first"
        )
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as error:
        with suppress(OSError):  # it may not exist, or its name may be too long
            draft.unlink()
        if isinstance(error, OSError) and (
            error.errno in _FULL_DISK or error.filename == os.fspath(draft)
        ):
            # The name of the file in place of none, or of that of the file under another name.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise
