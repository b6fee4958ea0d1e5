"""
Advantages of a tree and of boosting
====================================

By how much does each round beat guessing? Boosting makes its own task harder from round to round.
The later splits of a tree are made at small nodes, which are easy (Dietterich, Kearns and Mansour
1996).
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.load("breast-cancer-wisconsin-diagnostic")
tree = wl.TopDownClassifier("entropy").fit(table.X, table.y)
boosted = wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=20).fit(table.X, table.y)

figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
wl.theory.plot_advantages(
    {"TopDown": tree.advantages_, "AdaBoost over stumps": wl.theory.advantages(boosted)}, ax=axes
)
plt.show()
