"""Grow and merge programs for exclusive-or, the example of Elomaa and Kaariainen (ECML 2001).

A program with 2n - 1 internal nodes computes the exclusive-or of n bits; a tree needs 2^n - 1. Does
growing find that program? ``python examples/elomaa01_xor.py`` prints the results for whole truth
tables, where no split has a gain before the last bit, and for random samples, where splits gain by
chance.
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
N_BITS = 6  # the number of bits of the samples


def exclusive_or(n_bits: int) -> Graph:
    """Build the program of the paper's Figure 1: for each bit a node for even and one for odd."""
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


def n_internal(graph: Graph) -> int:
    return graph.size - graph.n_leaves


def truth_rows(sizes: range) -> Iterator[list[str]]:
    """Make a row for each number of bits: internal nodes of the smallest and of grown programs."""
    for n_bits in sizes:
        table = wl.datasets.make_xor(n_bits, 0, None)
        smallest = exclusive_or(n_bits)
        assert (smallest.predict(table.X) == np.asarray(table.y)).all()
        cells = [f"{n_bits}", f"{n_internal(smallest)}"]
        cells.append(f"{n_internal(program().fit(table.X, table.y).program_)}")
        for merge in MERGES.values():
            grown = program(**merge, split_without_gain=True).fit(table.X, table.y)
            error = np.mean(grown.predict(table.X) != np.asarray(table.y))
            cells.append(f"{n_internal(grown.program_)}, {100 * (1 - error):.0f}")
        yield cells


def sample_rows(sizes: list[int], n_draws: int) -> Iterator[list[str]]:
    """Make a row for each sample size: mean size, advantage and accuracy on the truth table."""
    truth = wl.datasets.make_xor(N_BITS, 0, None)
    for n_rows in sizes:
        cells = [f"{n_rows}"]
        for merge in ({"merge": "none"}, *MERGES.values()):
            results = []
            for draw in range(n_draws):
                table = wl.datasets.make_xor(N_BITS, 0, n_rows, random_state=draw)
                model = program(**merge).fit(table.X, table.y)
                accuracy = np.mean(model.predict(truth.X) == np.asarray(truth.y))
                advantage = np.mean(np.concatenate(model.levels_.advantages))
                results.append((n_internal(model.program_), advantage, 100 * accuracy))
            means = np.mean(results, axis=0)
            cells.append(f"{means[0]:.0f}, {means[1]:.2f}, {means[2]:.0f}")
        yield cells


def main() -> None:
    parser = argparse.ArgumentParser(description="Grow branching programs for exclusive-or.")
    parser.add_argument(
        "--draws", type=int, default=20, metavar="N", help="number of samples of each size"
    )
    options = parser.parse_args()
    title = (
        "Whole truth tables: internal nodes, and accuracy % where levels may be split without gain"
    )
    headings = ("bits", "by hand", "no split without gain", *MERGES)
    print(markdown(title, headings, truth_rows(range(2, 10))))
    title = (
        f"Samples of {N_BITS} bits, means of {options.draws}: internal nodes, advantage of a "
        "split, accuracy % on the truth table"
    )
    rows = sample_rows([32, 64, 128, 256], options.draws)
    print(markdown(title, ("rows", "tree", *MERGES), rows))


if __name__ == "__main__":
    main()
