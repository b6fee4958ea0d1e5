"""``weaklearn show``: print or draw a saved model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.describe_model import is_committee, member_headings
from weaklearn.cli.output import counted, print_note
from weaklearn.cli.shared_options import AsJson
from weaklearn.files import write_atomically
from weaklearn.models.ruleset import Ruleset
from weaklearn.show.first_levels import readable_depth
from weaklearn.show.node_text import printable
from weaklearn.show.registry import FORMATS, Format

if TYPE_CHECKING:
    from weaklearn.models import Graph

#: A longer text does not fit on a screen or two.
_MOST_LINES = 60


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
    depth: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Show this many levels of splits (text and plot)."),
    ] = None,
    show_all: Annotated[
        bool, typer.Option("--all", help="Print all of a large model, not only its beginning.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the tree or the rules of a model, or those of each member of a committee.

    Of a large model the beginning is printed. A file (-o) has all of it, except for a picture,
    which has as many levels as can be read.

    Example:  weaklearn show credit.json --format plot -o tree.png
    """
    from weaklearn.estimators import load

    loaded: Any = load(model)
    chosen = FORMATS["json" if as_json else form]
    if depth is not None and not chosen.takes_depth:
        names = " and ".join(name for name, one in FORMATS.items() if one.takes_depth)
        raise ValueError(f"--depth: {chosen.name} shows all levels; expected --format {names}")
    parts = _parts(loaded)
    note = ""
    if len(parts) > 1 and member is None:
        if output is None and not show_all and chosen.for_reading:
            text, note = _beginning(parts, chosen, depth)
        else:
            text = _write_all(parts, chosen, depth)
        content = f"{text}\n".encode()
    else:
        graph = _select(loaded, parts, member, model)
        if chosen.write is None and not isinstance(graph, Ruleset):
            content = _draw(graph, chosen, output, depth)
        else:
            cut = output is None and not show_all and chosen.for_reading
            text, note = (_cut if cut else _whole)(graph, chosen, depth)
            content = f"{text}\n".encode()
    if output is None:
        print(content.decode(), end="")
    else:
        write_atomically(output, content)
        print(f"saved in {output}")
    if note:
        print_note(f"\n{note}")


def _parts(loaded: Any) -> list[tuple[str, Graph | Ruleset]]:
    """Return the members of a committee or the separators of classes, each with a heading."""
    if is_committee(loaded):
        shown = [_shown(member) for member in loaded.members_]
        return list(zip(member_headings(loaded), shown, strict=True))
    separators = loaded.separators_.each if hasattr(loaded, "separators_") else ()
    return [
        (f"{printable(s.graph.schema.classes[s.positive])} from the other classes", s.graph)
        for s in separators
    ]


def _shown(model: Any) -> Graph | Ruleset:
    """Return what is shown of a classifier; a saved graph or ruleset is shown itself."""
    shown: Graph | Ruleset = getattr(model, "ruleset_", None) or getattr(model, "graph_", model)
    return shown


def _select(
    loaded: Any, parts: list[tuple[str, Graph | Ruleset]], member: int | None, path: Path
) -> Graph | Ruleset:
    """Return the graph or ruleset of a model, or of one member of a committee."""
    if member is None:
        return parts[0][1] if parts else _shown(loaded)
    if not parts:
        raise ValueError(f"{path} is a single model, not a committee: leave out --member")
    if not 1 <= member <= len(parts):
        raise ValueError(f"--member {member}: the committee has members 1 to {len(parts)}")
    return parts[member - 1][1]


def _write(graph: Graph | Ruleset, form: Format, depth: int | None) -> str:
    if isinstance(graph, Ruleset):
        return _write_ruleset(graph, form, depth)
    assert form.write is not None, "a format for reading is a text"
    return form.write(graph) if depth is None else form.write(graph, max_depth=depth)


def _write_ruleset(ruleset: Ruleset, form: Format, depth: int | None) -> str:
    if depth is not None:
        raise ValueError("--depth: a ruleset has no levels; leave it out")
    if form.write_ruleset is None:
        names = ", ".join(name for name, one in FORMATS.items() if one.write_ruleset)
        raise ValueError(
            f"--format {form.name} shows trees, and this is a ruleset; expected one of {names}"
        )
    return form.write_ruleset(ruleset)


def _whole(graph: Graph | Ruleset, form: Format, depth: int | None) -> tuple[str, str]:
    return _write(graph, form, depth), ""


def _cut(graph: Graph | Ruleset, form: Format, depth: int | None) -> tuple[str, str]:
    """Return a text of a length that can be read, and a note on what it leaves out."""
    if form.takes_depth and not isinstance(graph, Ruleset):
        if depth is None and graph.n_leaves > _MOST_LINES:
            depth = readable_depth(graph, _MOST_LINES)
        if depth is None or depth >= graph.depth:
            return _write(graph, form, None), ""
        levels = f"{depth} of {graph.depth} levels; {counted(graph.n_leaves, 'leaf')} in all"
        return _write(graph, form, depth), f"{levels}. More levels: --depth N. All: --all"
    lines = _write(graph, form, depth).splitlines()
    if len(lines) <= _MOST_LINES:
        return "\n".join(lines), ""
    shown = f"{_MOST_LINES} of {len(lines):,} lines. All: --all"
    return "\n".join(lines[:_MOST_LINES]), shown


def _length(graph: Graph | Ruleset) -> int:
    """Return about how many lines a graph or a ruleset needs."""
    if isinstance(graph, Ruleset):
        return graph.n_conditions + 3 * len(graph) + 1
    return graph.n_leaves


def _beginning(
    parts: list[tuple[str, Graph | Ruleset]], form: Format, depth: int | None
) -> tuple[str, str]:
    """Return all members if they are short together, else the first one, and a note."""
    if sum(_length(graph) for _, graph in parts) <= _MOST_LINES:
        return _write_all(parts, form, depth), ""
    heading, graph = parts[0]
    text, note = _cut(graph, form, depth)
    member = f"member 1 of {len(parts)}. Another member: --member N. All members: --all"
    return f"{heading}\n\n{text}", f"{note.removesuffix(' All: --all')}\n{member}".strip()


def _write_all(parts: list[tuple[str, Graph | Ruleset]], form: Format, depth: int | None) -> str:
    """Return the text of every member below a heading."""
    if not form.for_reading:
        raise ValueError(
            f"{form.name} shows one tree, and this is a committee of {len(parts)}: add --member N"
            f" (1 to {len(parts)})"
        )
    return "\n\n".join(f"{heading}\n\n{_write(graph, form, depth)}" for heading, graph in parts)


def _draw(graph: Graph, form: Format, output: Path | None, depth: int | None) -> bytes:
    if output is None:
        raise ValueError(f"a {form.name} is saved in a file: add -o tree.png (or .svg, .pdf)")
    assert form.draw is not None, "a format is text or a picture"
    return form.draw(graph, output.suffix.removeprefix(".") or None, depth)
