"""
A branching program
===================

Is 1 more frequent than 0 among five bits? A tree learns the same subtrees in many places. A program
merges nodes, so it counts.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.make_majority(5)
tree = wl.BranchingProgramClassifier(merge="none").fit(table.X, table.y).program_
program = wl.BranchingProgramClassifier(merge="width", max_width=3).fit(table.X, table.y).program_
print(tree.n_nodes - tree.n_leaves, "splits of the tree")
print(program.n_nodes - program.n_leaves, "splits of the program")

figure, axes = plt.subplots(figsize=(11, 3.2), layout="constrained")
program.plot(ax=axes)
plt.show()
