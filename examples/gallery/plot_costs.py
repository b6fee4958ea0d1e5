"""
Costs of errors
===============

If missing a survivor costs more than a false alarm, the tree predicts survival more often. The mean
cost of a tree that knows the costs grows more slowly.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.load("titanic")
ratios = [1, 2, 3, 4, 6, 8]
plain = wl.C45Classifier().fit(table.X, table.y).predict(table.X)
means = {"without costs": [], "with costs": []}
for ratio in ratios:
    costs = {("yes", "no"): ratio}
    careful = wl.C45Classifier(costs=costs).fit(table.X, table.y).predict(table.X)
    means["without costs"].append(wl.costs.mean_cost(table.y, plain, costs))
    means["with costs"].append(wl.costs.mean_cost(table.y, careful, costs))

figure, axes = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
for name, amounts in means.items():
    axes.plot(ratios, amounts, "o-", label=f"C4.5 {name}")
axes.set(xlabel="cost of predicting no for a survivor", ylabel="mean cost per row", ylim=(0, None))
axes.legend(frameon=False)
plt.show()
