"""Write a file completely or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


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
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"{path}: No such file or directory; create the folder {path.parent} first"
        )
    try:
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
