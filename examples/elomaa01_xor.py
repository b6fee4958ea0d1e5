"""What growing and merging make of exclusive-or, the example of Elomaa and Kaariainen (ECML 2001).

A program of 2n - 1 tests answers the exclusive-or of n bits, where a tree takes 2^n - 1. Does
growing find it? ``python examples/elomaa01_xor.py`` prints what becomes of whole truth tables,
where no test gains anything before the last bit, and of samples, where chance lets tests gain.
"""

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
from elomaa01_settings import markdown, program

import weaklearn as wl
from weaklearn.models.graph import Graph

MERGES: dict[str, dict[str, Any]] = {
    "grid": {"merge": "grid"},
    "budget": {"merge": "budget"},
    "width 2": {"merge": "width", "max_width": 2},
}
N_BITS = 6  # of the samples


def exclusive_or(n_bits: int) -> Graph:
    """The program of the paper's Figure 1: two nodes per bit, for even and odd so far."""
    bits = [f"x{number}" for number in range(1, n_bits + 1)]
    builder = wl.GraphBuilder({bit: ["0", "1"] for bit in bits}, classes=["0", "1"])
    rows = 2.0 ** (n_bits - 1)
    even, odd = builder.leaf({"0": rows}), builder.leaf({"1": rows})
    for bit in bits[:0:-1]:
        even, odd = (
            builder.values(bit, {"0": even, "1": odd}),
            builder.values(bit, {"0": odd, "1": even}),
        )
    return builder.build(builder.values(bits[0], {"0": even, "1": odd}))


def n_tests(graph: Graph) -> int:
    return graph.size - graph.n_leaves


def truth_rows(sizes: range) -> Iterator[list[str]]:
    """Tests of the smallest program, and of what grows on the whole truth table."""
    for n_bits in sizes:
        table = wl.datasets.make_xor(n_bits, 0, None)
        smallest = exclusive_or(n_bits)
        assert (smallest.answer(table.X) == np.asarray(table.y)).all()
        cells = [f"{n_bits}", f"{n_tests(smallest)}"]
        cells.append(f"{n_tests(program().fit(table.X, table.y).program_)}")
        for merge in MERGES.values():
            grown = program(**merge, split_without_gain=True).fit(table.X, table.y)
            error = np.mean(grown.predict(table.X) != np.asarray(table.y))
            cells.append(f"{n_tests(grown.program_)}, {100 * (1 - error):.0f}")
        yield cells


def sample_rows(sizes: list[int], n_draws: int) -> Iterator[list[str]]:
    """Mean tests, advantage of a test and accuracy on the truth table, from random rows."""
    truth = wl.datasets.make_xor(N_BITS, 0, None)
    for n_rows in sizes:
        cells = [f"{n_rows}"]
        for merge in ({"merge": "none"}, *MERGES.values()):
            figures = []
            for draw in range(n_draws):
                table = wl.datasets.make_xor(N_BITS, 0, n_rows, random_state=draw)
                model = program(**merge).fit(table.X, table.y)
                right = np.mean(model.predict(truth.X) == np.asarray(truth.y))
                advantage = np.mean(np.concatenate(model.levels_.advantages))
                figures.append((n_tests(model.program_), advantage, 100 * right))
            means = np.mean(figures, axis=0)
            cells.append(f"{means[0]:.0f}, {means[1]:.2f}, {means[2]:.0f}")
        yield cells


def main() -> None:
    parser = argparse.ArgumentParser(description="Exclusive-or, and what growing makes of it.")
    parser.add_argument("--draws", type=int, default=20, metavar="N", help="samples of each size")
    options = parser.parse_args()
    title = "Whole truth tables: tests, and accuracy % where levels may be split without gain"
    headings = ("bits", "by hand", "no split without gain", *MERGES)
    print(markdown(title, headings, truth_rows(range(2, 10))))
    title = (
        f"Samples of {N_BITS} bits, means of {options.draws}: tests, advantage of a test, accuracy "
        "% on the truth table"
    )
    rows = sample_rows([32, 64, 128, 256], options.draws)
    print(markdown(title, ("rows", "tree", *MERGES), rows))


if __name__ == "__main__":
    main()
