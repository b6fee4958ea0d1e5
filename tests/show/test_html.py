from html.parser import HTMLParser

from hypothesis import given

from random_graphs import chain, doubling_program, graphs
from reference_nodes import graph_of, leaf
from weaklearn.schema import Feature, Schema
from weaklearn.show.html import MAX_NODES, to_page


class Checker(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.tags = set()
        self.text = []
        self.deepest = 0

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(tag)
        self.deepest = max(self.deepest, len(self.open))
        assert all(name in ("class", "style", "open") for name, _ in attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def checked(graph):
    checker = Checker()
    checker.feed(graph._repr_html_())
    checker.close()
    assert checker.open == []
    assert checker.tags <= {"style", "div", "details", "summary", "i", "b", "small"}
    return checker


@given(graphs())
def test_html_is_well_formed_and_has_only_expected_tags(graph):
    text = "".join(checked(graph).text)
    for node, _ in graph.walk():
        if graph.split_kind(node) == "oblique":
            best = max(graph.terms(node), key=lambda term: term.influence)
            name = graph.schema.features[best.feature].name
        elif not graph.is_leaf(node):
            name = graph.feature_of(node).name
        else:
            continue
        assert name.replace("\t", "\\t") in text


def test_names_are_escaped():
    name = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    schema = Schema((Feature("x", "continuous"),), (name,))
    assert name in "".join(checked(graph_of(leaf(name, 1), schema)).text)


def test_a_large_graph_is_cut_with_a_note():
    wide = Schema((Feature("v", "nominal", tuple(range(5_000))),), ("no",))
    root = {"attr": "v", "index": 0, "test": "value", **leaf("no", 5_000)}
    graph = graph_of({**root, "children": [leaf("no", 1) for _ in range(5_000)]}, wide)
    html = graph._repr_html_()
    assert "The rest of 5,001 nodes is left out" in "".join(checked(graph).text)
    assert html.count('class="leaf"') == MAX_NODES - 1


def test_a_deep_graph_is_cut_with_a_note():
    checker = checked(chain(10_000))
    assert "is left out" in "".join(checker.text)
    assert checker.deepest < 300


def test_a_program_with_many_paths_stays_small():
    assert len(doubling_program(60)._repr_html_()) < 60_000


def test_a_page_holds_the_graph_and_its_encoding():
    page = to_page(chain(3))
    assert page.startswith('<!DOCTYPE html>\n<html><head><meta charset="utf-8">')
    assert chain(3)._repr_html_() in page
