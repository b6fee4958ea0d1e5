"""A graph drawn with matplotlib, with the root at the left, so that texts need few columns."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from weaklearn.show.first_levels import FirstLevels, readable_depth
from weaklearn.show.node_text import branch_texts, fill_colour, split_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from weaklearn.models.graph import Graph

#: A picture of more boxes than this cannot be read.
MAX_NODES = 2_000

# All lengths are in points, for text of this size.
_FONT = 10.0
_BRANCH_FONT = 8.5
_BOX_HEIGHT = 18.0
_ROW = 26.0
_PADDING = 7.0
_STUB = 12.0  # from a box to the point where its branches separate
_SLANT = 45.0  # extra space between the columns of a program, for branches that cross
_LANE = 0.4  # height of a branch that passes a column, relative to a box
_BRANCH_ROW = 13.0  # between the texts on the branches of one node of a program
_LONGEST_TEXT = 36
_LARGEST_FIGURE = 40.0  # inches; matplotlib makes 4,000 pixels of them
_MOST_ENDS = int(_LARGEST_FIGURE * 72 / _ROW) - 1  # leaves that fit below each other
_MOST_LEVELS = 20  # beside each other
_MARGIN = 10.0
_TEXT_STYLE: dict[str, Any] = {"parse_math": False, "color": "#222222", "zorder": 3}


@dataclass(repr=False)
class _Drawing:
    """The texts and their positions: every box has a column and a row, which may be fractional."""

    boxes: dict[int, str]
    branches: list[tuple[int, int, str]]  # parent, child, text of the branch
    column: dict[int, int] = field(default_factory=dict)
    row: dict[int, float] = field(default_factory=dict)
    n_rows: float = 1.0
    lanes: dict[tuple[int, int], float] = field(default_factory=dict)  # see _set_rows
    left: list[float] = field(default_factory=list)  # the left end of the boxes of each column
    right: list[float] = field(default_factory=list)  # and the right end

    def left_end(self, node: int) -> tuple[float, float]:
        return self.left[self.column[node]], self.row[node] * _ROW

    def right_end(self, node: int) -> tuple[float, float]:
        return self.right[self.column[node]], self.row[node] * _ROW


def plot(graph: Graph, ax: Axes | None = None, max_depth: int | None = None) -> Axes:
    """Draw a graph with the root at the left.

    A box shows the feature of the split or the class of the leaf. It has the colour of its majority
    class, stronger for a purer node. The condition of a branch is written on its line. Every leaf
    of a tree has a row of its own. The nodes of a program are in columns by level, which is the
    length of the longest path from the root.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.
    ax : matplotlib Axes, optional
        Where to draw; the text is scaled to fit. By default a new figure, as large as the text
        needs, but at most 40 inches wide and high.
    max_depth : int, optional
        The most levels of splits to draw; by default as many as can be read. A split below them is
        drawn like a leaf, with the number of leaves below it.

    Returns
    -------
    matplotlib Axes
        The axes drawn on. ``ax.figure.savefig("tree.png")`` saves them.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    ValueError
        If these levels have more than 2,000 nodes.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            'plot() needs matplotlib: type  pip install "weaklearn[plot]"  (to_text() does not)'
        ) from error
    if max_depth is None:
        max_depth = min(readable_depth(graph, _MOST_ENDS), _MOST_LEVELS)
    shown = FirstLevels(graph, max_depth)
    if len(shown.nodes) > MAX_NODES:
        raise ValueError(
            f"a plot of {max_depth} levels has {len(shown.nodes):,} nodes and can be read up to "
            f"{MAX_NODES:,}; use to_text() or to_dot()"
        )
    drawing = _Drawing(
        boxes={node: _box_text(graph, shown, node) for node in shown.nodes},
        branches=[
            (node, child, _shortened(text))
            for node in shown.nodes
            if not shown.ends_at(node)
            for child, text in zip(graph.children(node), branch_texts(graph, node), strict=True)
        ],
    )
    is_tree = len(drawing.branches) == len(shown.nodes) - 1
    if is_tree:
        _place_tree(drawing)
    else:
        drawing.branches = _merge_branches(drawing.branches)
        _place_program(drawing)

    width = _set_columns(drawing, 0.0 if is_tree else _SLANT)
    height = drawing.n_rows * _ROW
    if ax is None:
        inches = ((length + 2 * _MARGIN) / 72 for length in (width, height))
        figure = plt.figure(figsize=tuple(min(_LARGEST_FIGURE, size) for size in inches))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_xlim(-_MARGIN, width + _MARGIN)
    # Rows are counted downwards, and the middle of the first is at zero.
    ax.set_ylim(height - _ROW / 2 + _MARGIN, -_ROW / 2 - _MARGIN)
    ax.set_aspect("equal")
    ax.set_axis_off()
    # Points on paper per point of the drawing.
    space = ax.get_window_extent()
    per_point = ax.figure.dpi / 72
    scale = min(
        space.width / per_point / (width + 2 * _MARGIN),
        space.height / per_point / (height + 2 * _MARGIN),
    )
    draw_branches = _draw_tree_branches if is_tree else _draw_program_branches
    draw_branches(drawing, scale, ax)
    _draw_boxes(graph, shown, drawing, scale, ax)
    return ax


def to_picture(graph: Graph, file_type: str | None, max_depth: int | None = None) -> bytes:
    """Return the plot as the bytes of a file of a type such as "png" or "svg"."""
    figure: Any = plot(graph, max_depth=max_depth).figure
    picture = io.BytesIO()
    figure.savefig(picture, format=file_type)
    return picture.getvalue()


def _box_text(graph: Graph, shown: FirstLevels, node: int) -> str:
    return _shortened(shown.end_text(node) if shown.ends_at(node) else split_text(graph, node))


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST_TEXT:
        return text
    half = _LONGEST_TEXT // 2
    return f"{text[:half]}…{text[-half + 1 :]}"


def _place_tree(drawing: _Drawing) -> None:
    """Assign every leaf a row of its own, and a parent the middle of its children."""
    children: dict[int, list[int]] = {node: [] for node in drawing.boxes}
    for node, child, _ in drawing.branches:
        children[node].append(child)
    order = []
    stack = [(0, 0)]
    n_leaves = 0
    while stack:
        node, depth = stack.pop()
        order.append(node)
        drawing.column[node] = depth
        if not children[node]:
            drawing.row[node] = float(n_leaves)
            n_leaves += 1
        stack.extend((child, depth + 1) for child in reversed(children[node]))
    drawing.n_rows = float(n_leaves)
    for node in reversed(order):
        if children[node]:
            first, last = children[node][0], children[node][-1]
            drawing.row[node] = (drawing.row[first] + drawing.row[last]) / 2


def _merge_branches(branches: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Merge the branches that lead from a node to the same child."""
    merged: dict[tuple[int, int], list[str]] = {}
    for node, child, text in branches:
        merged.setdefault((node, child), []).append(text)
    return [(*ends, _shortened(" or ".join(texts))) for ends, texts in merged.items()]


def _place_program(drawing: _Drawing) -> None:
    """Assign every node the column of its longest path, and a row near those of its parents."""
    children: dict[int, list[int]] = {node: [] for node in drawing.boxes}
    n_parents_to_visit = dict.fromkeys(drawing.boxes, 0)
    for node, child, _ in drawing.branches:
        children[node].append(child)
        n_parents_to_visit[child] += 1
    ready = [0]
    drawing.column = dict.fromkeys(drawing.boxes, 0)
    for node in ready:  # the list grows: a node is ready when all its parents were visited
        for child in children[node]:
            drawing.column[child] = max(drawing.column[child], drawing.column[node] + 1)
            n_parents_to_visit[child] -= 1
            if n_parents_to_visit[child] == 0:
                ready.append(child)
    _set_rows(drawing)


def _set_rows(drawing: _Drawing) -> None:
    """Assign the nodes of a program their rows, column by column.

    A branch that passes a column has a lane there, so that its line runs between the boxes. The key
    of a lane is (node at the end of the branch, column); branches to the same node share it. A stop
    is a node in its column, or a lane.
    """
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for node, child, _ in drawing.branches:
        stop = (node, drawing.column[node])
        while stop != (child, drawing.column[child]):
            following = (child, stop[1] + 1)
            if following not in after.setdefault(stop, []):
                after[stop].append(following)
            stop = following
    # The texts on the branches of a node are written below each other, next to its box.
    most_branches = max(Counter(node for node, _, _ in drawing.branches).values())
    step = max(1.5, (most_branches + 1) * _BRANCH_ROW / _ROW)

    def height(stop: tuple[int, int]) -> float:
        return step if drawing.column[stop[0]] == stop[1] else _LANE * step

    level = [(0, 0)]
    levels = []
    row: dict[tuple[int, int], float] = {}
    while level:
        top = -sum(map(height, level)) / 2
        arriving: dict[tuple[int, int], list[float]] = {}
        for stop in level:
            row[stop] = top + height(stop) / 2
            top += height(stop)
            for following in after.get(stop, []):
                arriving.setdefault(following, []).append(row[stop])
        levels.append(level)
        # Ties keep the order of arrival: parents from the top, and their branches in order.
        level = sorted(arriving, key=lambda stop: sum(arriving[stop]) / len(arriving[stop]))
    drawing.n_rows = max(sum(map(height, level)) for level in levels)
    for (node, column), middle in row.items():
        shifted = middle + (drawing.n_rows - 1) / 2
        if drawing.column[node] == column:
            drawing.row[node] = shifted
        else:
            drawing.lanes[node, column] = shifted


def _set_columns(drawing: _Drawing, slant: float) -> float:
    """Make columns and the gaps between them as wide as their texts; return the total width."""
    n_columns = max(drawing.column.values()) + 1
    box_width = [0.0] * n_columns
    gap_before = [0.0] * n_columns
    for node, text in drawing.boxes.items():
        column = drawing.column[node]
        box_width[column] = max(box_width[column], _text_width(text, _FONT) + 2 * _PADDING)
    for node, _, text in drawing.branches:
        column = drawing.column[node] + 1
        gap = _text_width(text, _BRANCH_FONT) + 2 * _PADDING + _STUB + slant
        gap_before[column] = max(gap_before[column], gap)
    x = 0.0
    for gap, width in zip(gap_before, box_width, strict=True):
        drawing.left.append(x + gap)
        x = drawing.left[-1] + width
        drawing.right.append(x)
    return x


def _text_width(text: str, size: float) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, FontProperties(size=size), False)
    return float(width)


def _draw_tree_branches(drawing: _Drawing, scale: float, ax: Axes) -> None:
    """Draw branches with two corners, with the text above their last segment."""
    lines = []
    for node, child, text in drawing.branches:
        start, y_from = drawing.right_end(node)
        end, y_to = drawing.left_end(child)
        corner = start + _STUB
        lines.append([(start, y_from), (corner, y_from), (corner, y_to), (end, y_to)])
        size = _BRANCH_FONT * scale
        ax.text(
            end - _PADDING, y_to - 1.5, text, fontsize=size, ha="right", va="bottom", **_TEXT_STYLE
        )
    _add_lines(lines, scale, ax)


def _draw_program_branches(drawing: _Drawing, scale: float, ax: Axes) -> None:
    """Draw branches that leave a node below each other with their texts, then run diagonally."""
    branches_of: dict[int, list[tuple[int, str]]] = {}
    for node, child, text in drawing.branches:
        branches_of.setdefault(node, []).append((child, text))

    def diagonal(child: int, column: int, y: float) -> list[tuple[float, float]]:
        """Return the last segment of a line, to the box or lane in the next column."""
        end = drawing.left[column + 1]
        lane = drawing.lanes.get((child, column + 1), drawing.row[child])
        return [(end - _SLANT, y), (end, lane * _ROW)]

    lines = []
    for node, branches in branches_of.items():
        column = drawing.column[node]
        # Branches leave in the order of their ends, from the top.
        branches.sort(key=lambda branch: diagonal(branch[0], column, 0.0)[-1][1])
        start, y_from = drawing.right_end(node)
        for position, (child, text) in enumerate(branches):
            x, y = start + _STUB, y_from + (position - (len(branches) - 1) / 2) * _BRANCH_ROW
            after_text = x + _text_width(text, _BRANCH_FONT) + 2.0
            lines.append([(start, y_from), (x - 2.0, y)])
            lines.append([(after_text, y), *diagonal(child, column, y)])
            size = _BRANCH_FONT * scale
            white = {"facecolor": "white", "edgecolor": "none", "pad": 0.5 * scale}
            ax.text(x, y, text, fontsize=size, ha="left", va="center", bbox=white, **_TEXT_STYLE)
    for (child, column), row in drawing.lanes.items():
        y = row * _ROW
        lines.append([(drawing.left[column], y), *diagonal(child, column, y)])
    _add_lines(lines, scale, ax)


def _add_lines(lines: list[list[tuple[float, float]]], scale: float, ax: Axes) -> None:
    from matplotlib.collections import LineCollection

    collection = LineCollection(lines, colors="#888888", linewidths=0.9 * scale, zorder=1)
    ax.add_collection(collection, autolim=False)


def _draw_boxes(
    graph: Graph, shown: FirstLevels, drawing: _Drawing, scale: float, ax: Axes
) -> None:
    from matplotlib.patches import FancyBboxPatch

    for node, text in drawing.boxes.items():
        x, y = drawing.left_end(node)
        width = drawing.right_end(node)[0] - x
        rounding = _BOX_HEIGHT / 2 if shown.ends_at(node) else 2.0
        ax.add_patch(
            FancyBboxPatch(
                (x, y - _BOX_HEIGHT / 2),
                width,
                _BOX_HEIGHT,
                boxstyle=f"round,pad=0,rounding_size={rounding}",
                facecolor=fill_colour(graph, node),
                edgecolor="#666666",
                linewidth=0.8 * scale,
                zorder=2,
            )
        )
        ax.text(
            x + width / 2, y, text, fontsize=_FONT * scale, ha="center", va="center", **_TEXT_STYLE
        )
