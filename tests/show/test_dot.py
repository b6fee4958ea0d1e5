import re

from hypothesis import given

from random_graphs import graphs

QUOTED = r'"((?:[^"\\]|\\.)*)"'


def unquoted(text):
    return re.sub(r"\\(.)", r"\1", text).replace("&amp;", "&")


@given(graphs())
def test_every_node_and_branch_is_written_once(graph):
    lines = graph.to_dot().splitlines()
    assert lines[0] == "digraph weaklearn {"
    assert lines[-1] == "}"
    nodes = [line for line in lines if re.match(r"  n\d+ \[", line)]
    edges = [line for line in lines if " -> " in line and re.match(r"  n\d+ -> n\d+ \[", line)]
    assert len(nodes) == graph.n_nodes
    assert len(edges) == sum(len(graph.children(node)) for node, _ in graph.walk())
    assert len(lines) == len(nodes) + len(edges) + 4


@given(graphs())
def test_quoted_names_can_be_read_back(graph):
    for line in graph.to_dot().splitlines()[3:-1]:
        features = rf"(?:\w+=(?:{QUOTED}|\w+)(?:, )?)+"
        assert re.fullmatch(rf"  n\d+(?: -> n\d+)? \[{features}\];", line), line
    for node, _ in graph.walk():
        if graph.split_kind(node) not in ("leaf", "oblique"):
            line = next(x for x in graph.to_dot().splitlines() if x.startswith(f"  n{node} ["))
            name = unquoted(re.search(f"label={QUOTED}", line)[1])
            assert name == graph.feature_of(node).name.replace("\t", "\\t")
