"""Check before long work that there is enough memory for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from weaklearn.tables.messages import describe_bytes


def available_memory() -> int | None:
    """Return how many bytes can be used without swapping; None if the system does not say."""
    free: list[int] = []
    try:
        free.append(_from_meminfo("MemAvailable:"))
        # A container may have less than the machine.
        free.extend(_free_in_groups(Path("/sys/fs/cgroup"), Path("/proc/self/cgroup").read_text()))
    except (OSError, ValueError, IndexError):
        pass
    return min(free, default=None)


def _from_meminfo(name: str) -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) * 1024
    raise ValueError(name)


def _free_in_groups(root: Path, groups: str) -> Iterator[int]:
    """Yield what is free in the control groups of this process that have a limit.

    Pages of files count as used there, but the system takes them back when memory is needed.
    """
    for line in groups.splitlines():
        _, controllers, own = line.split(":", 2)
        if controllers not in ("", "memory"):
            continue
        first = controllers == "memory"  # version 1 of control groups
        base = root / "memory" if first else root
        limit, usage = (
            ("memory.limit_in_bytes", "memory.usage_in_bytes")
            if first
            else ("memory.max", "memory.current")
        )
        folder = base / own.lstrip("/")
        for group in (folder, *folder.parents):
            if not group.is_relative_to(base):
                break
            # In a container the group may have another name than outside.
            if not (group / limit).exists():
                continue
            most = (group / limit).read_text().strip()
            if most == "max":
                continue
            used = int((group / usage).read_text())
            stat = dict(map(str.split, (group / "memory.stat").read_text().splitlines()))
            files = sum(int(stat.get(f"{kind}_file", 0)) for kind in ("active", "inactive"))
            yield max(0, int(most) - used + files)


def require_memory(needed: int, purpose: str, remedy: str) -> None:
    """Raise a MemoryError if there is less memory than work needs.

    Parameters
    ----------
    needed : int
        An estimate, in bytes.
    purpose : str
        What the memory is for, as the subject of a sentence.
    remedy : str
        What to lower.
    """
    available = available_memory()
    if available is not None and needed > available:
        raise MemoryError(
            f"{purpose} needs about {describe_bytes(needed)} of memory, and "
            f"{describe_bytes(available)} are available. {remedy}"
        )


def require_at_least(needed: int, purpose: str, remedy: str) -> None:
    """Raise a MemoryError if there is less memory than work certainly needs, swap included.

    Parameters
    ----------
    needed : int
        A lower bound, in bytes: work that would succeed is never refused.
    purpose, remedy : str
        As for `require_memory`.
    """
    available = available_memory()
    if available is None:
        return
    with contextlib.suppress(OSError, ValueError, IndexError):
        available += _from_meminfo("SwapFree:")
    if needed > available:
        raise MemoryError(
            f"{purpose} needs at least {describe_bytes(needed)} of memory, and "
            f"{describe_bytes(available)} are available. {remedy}"
        )
