"""The command ``weaklearn``: a door to each room, for the shell."""


def main() -> None:
    """Run the command with the arguments of this process."""
    # Only here, so that looking into the package does not bring typer along.
    from weaklearn.cli.app import app

    app(prog_name="weaklearn")
