"""``weaklearn show``: print or draw a saved model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.describe_model import is_committee, member_headings
from weaklearn.cli.shared_options import AsJson
from weaklearn.files import write_atomically
from weaklearn.show.node_text import printable
from weaklearn.show.registry import FORMATS, Format

if TYPE_CHECKING:
    from weaklearn.models import Graph


def _parse_format(text: str) -> str:
    if text not in FORMATS:
        raise typer.BadParameter(f"got {text!r}, expected one of {', '.join(FORMATS)}")
    return text


def show(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model saved by 'weaklearn fit'.")
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            parser=_parse_format,
            metavar="NAME",
            help=", ".join(f"{form.name} ({form.summary})" for form in FORMATS.values()) + ".",
        ),
    ] = "text",
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save in this file. A plot is saved as .png, .svg or .pdf.",
        ),
    ] = None,
    member: Annotated[
        int | None,
        typer.Option(metavar="N", help="Show one member of a committee: 1 is the first."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the tree of a model, or the trees of a committee.

    Example:  weaklearn show credit.json --format plot -o tree.png
    """
    from weaklearn.estimators import load

    loaded: Any = load(model)
    chosen = FORMATS["json" if as_json else form]
    parts = _parts(loaded)
    if len(parts) > 1 and member is None:
        content = _write_all(parts, chosen)
    else:
        content = _write_one(_select_graph(loaded, parts, member, model), chosen, output)
    if output is None:
        print(content.decode(), end="")
    else:
        write_atomically(output, content)
        print(f"saved in {output}")


def _parts(loaded: Any) -> list[tuple[str, Graph]]:
    """Return the members of a committee or the separators of classes, each with a heading."""
    if is_committee(loaded):
        graphs = [member.graph_ for member in loaded.members_]
        return list(zip(member_headings(loaded), graphs, strict=True))
    separators = loaded.separators_.each if hasattr(loaded, "separators_") else ()
    return [
        (f"{printable(s.graph.schema.classes[s.positive])} from the other classes", s.graph)
        for s in separators
    ]


def _select_graph(
    loaded: Any, parts: list[tuple[str, Graph]], member: int | None, path: Path
) -> Graph:
    """Return the graph of a model, or of one member of a committee."""
    if member is None:
        return parts[0][1] if parts else getattr(loaded, "graph_", loaded)
    if not parts:
        raise ValueError(f"{path} is a single tree, not a committee: leave out --member")
    if not 1 <= member <= len(parts):
        raise ValueError(f"--member {member}: the committee has members 1 to {len(parts)}")
    return parts[member - 1][1]


def _write_all(parts: list[tuple[str, Graph]], form: Format) -> bytes:
    """Return the text of every member below a heading."""
    if form.write is None or not form.for_committees:
        raise ValueError(
            f"{form.name} shows one tree, and this is a committee of {len(parts)}: add --member N"
            f" (1 to {len(parts)})"
        )
    texts = [f"{heading}\n\n{form.write(graph)}" for heading, graph in parts]
    return ("\n\n".join(texts) + "\n").encode()


def _write_one(graph: Graph, form: Format, output: Path | None) -> bytes:
    if form.write is not None:
        return f"{form.write(graph)}\n".encode()
    if output is None:
        raise ValueError(f"a {form.name} is saved in a file: add -o tree.png (or .svg, .pdf)")
    assert form.draw is not None, "a format is text or a picture"
    return form.draw(graph, output.suffix.removeprefix(".") or None)
