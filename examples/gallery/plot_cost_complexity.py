"""
Cost-complexity pruning
=======================

Every value of ``ccp_alpha`` at which the tree changes, with the number of leaves and the accuracy
in five folds.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

import weaklearn as wl

table = wl.datasets.load("breast-cancer-wisconsin-diagnostic")
tree = wl.C45Classifier("gini", prune=False)
alphas = np.unique(np.round(tree.cost_complexity_pruning_path(table.X, table.y).ccp_alphas, 5))
alphas = alphas[alphas < 0.05]
leaves, accuracies = [], []
for alpha in alphas:
    tree.set_params(ccp_alpha=alpha)
    leaves.append(tree.fit(table.X, table.y).get_n_leaves())
    accuracies.append(cross_val_score(tree, table.X, table.y, cv=5).mean())

figure, (left, right) = plt.subplots(1, 2, figsize=(8.5, 3.2), layout="constrained")
left.step(alphas, leaves, where="post")
left.set(xlabel="ccp_alpha", ylabel="leaves")
right.plot(alphas, accuracies, "o-")
right.set(xlabel="ccp_alpha", ylabel="accuracy, five folds")
for axes in (left, right):
    axes.locator_params(axis="x", nbins=4)
plt.show()
