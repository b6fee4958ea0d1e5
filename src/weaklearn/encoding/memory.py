"""Check before long work that there is enough memory for it."""

from __future__ import annotations

from pathlib import Path

from weaklearn.tables.messages import describe_bytes


def available_memory() -> int | None:
    """Return how many bytes can be used without swapping; None if the system does not say."""
    free: list[int] = []
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                free.append(int(line.split()[1]) * 1024)
        # A container may have less than the machine.
        group = Path("/sys/fs/cgroup")
        most = (group / "memory.max").read_text().strip()
        if most != "max":
            free.append(max(0, int(most) - int((group / "memory.current").read_text())))
    except (OSError, ValueError, IndexError):
        pass
    return min(free, default=None)


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
