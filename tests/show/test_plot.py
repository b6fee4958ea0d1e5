import re
import sys

import pytest
from hypothesis import given, settings

from random_graphs import chain, doubling_program, full_tree, graphs
from reference_nodes import graph_of, leaf, reference_trees
from weaklearn.schema import Feature, Schema

matplotlib = pytest.importorskip("matplotlib")
plt = pytest.importorskip("matplotlib.pyplot")
FancyBboxPatch = pytest.importorskip("matplotlib.patches").FancyBboxPatch
Path = pytest.importorskip("matplotlib.path").Path
matplotlib.use("agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def boxes_of(ax):
    return [patch.get_window_extent() for patch in ax.patches if isinstance(patch, FancyBboxPatch)]


def overlap(a, b):
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0.5 and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5


def check_readable(ax):
    """Check that boxes and texts lie inside the figure and that no boxes overlap."""
    figure = ax.figure
    figure.draw_without_rendering()
    boxes = boxes_of(ax)
    assert not any(overlap(a, b) for k, a in enumerate(boxes) for b in boxes[:k])
    for extent in [*boxes, *(text.get_window_extent() for text in ax.texts)]:
        assert extent.x0 >= -1
        assert extent.y0 >= -1
        assert extent.x1 <= figure.bbox.width + 1
        assert extent.y1 <= figure.bbox.height + 1


@given(graphs())
@settings(max_examples=25, deadline=None)
def test_every_node_has_a_box(graph):
    ax = graph.plot()
    assert len(boxes_of(ax)) == graph.n_nodes
    check_readable(ax)
    plt.close(ax.figure)


@given(graphs())
@settings(max_examples=25, deadline=None)
def test_no_line_runs_through_a_box(graph):
    ax = graph.plot()
    ax.figure.draw_without_rendering()
    boxes = [box.padded(-1.0) for box in boxes_of(ax)]
    for collection in ax.collections:
        for segment in collection.get_segments():
            line = Path(ax.transData.transform(segment))
            assert not any(line.intersects_bbox(box, filled=False) for box in boxes)
    plt.close(ax.figure)


@pytest.mark.parametrize(("name", "runs"), reference_trees())
def test_trees_up_to_60_nodes_are_readable(name, runs):
    for graph, _ in runs():
        if 30 <= graph.n_nodes <= 65:
            ax = graph.plot()
            check_readable(ax)
            # The text on a branch overlaps no box, because boxes are opaque.
            branch_texts = [text for text in ax.texts if text.get_horizontalalignment() == "right"]
            assert len(branch_texts) == graph.n_nodes - 1
            boxes = boxes_of(ax)
            for text in branch_texts:
                assert not any(overlap(text.get_window_extent(), box) for box in boxes)
            plt.close(ax.figure)
            break


def test_text_is_scaled_to_the_given_axes():
    graph = chain(12)
    large = graph.plot()
    _, small = plt.subplots(figsize=(4, 3))
    assert graph.plot(small) is small
    assert small.texts[0].get_fontsize() < large.texts[0].get_fontsize()
    check_readable(small)


def test_a_single_leaf():
    schema = Schema((Feature("x", "continuous"),), ("good",))
    check_readable(graph_of(leaf("good", 3), schema).plot())


def test_branches_to_the_same_node_are_drawn_as_one():
    ax = doubling_program(5).plot()
    check_readable(ax)
    assert len(boxes_of(ax)) == doubling_program(5).n_nodes


def test_a_large_graph_is_cut_to_a_size_that_can_be_read():
    for graph in (chain(10_000), full_tree(9)):
        ax = graph.plot()
        check_readable(ax)
        assert max(ax.figure.get_size_inches()) <= 40
        assert any(re.search(r"\.\.\. \d+ leaves", text.get_text()) for text in ax.texts)


def test_as_many_levels_as_asked_for():
    plots = [full_tree(3).plot(max_depth=depth) for depth in (0, 1, 2, 3, 4)]
    assert [len(boxes_of(ax)) for ax in plots] == [1, 3, 7, 15, 15]


def test_too_many_nodes_are_an_error():
    with pytest.raises(ValueError, match=r"4,095 nodes.*up to 2,000; use to_text"):
        full_tree(11).plot(max_depth=11)


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'pip install "weaklearn\[plot\]"'):
        chain(1).plot()
