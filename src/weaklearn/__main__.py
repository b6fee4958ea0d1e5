"""``python -m weaklearn`` is the command ``weaklearn``."""

from weaklearn.cli import main

if __name__ == "__main__":
    main()
