"""The command line: ``weaklearn fit``, ``predict``, ``show``, ``evaluate`` and others."""


def main() -> None:
    """Run the command with the arguments of this process."""
    # Imported here, so that importing the package does not import typer.
    from weaklearn.cli.app import app

    app(prog_name="weaklearn")
