"""
Kappa-error diagram
===================

Each point is a pair of members of a boosted committee: how much they agree (kappa), and their mean
error. Members that agree little tend to make more errors.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.load("digits")
model = wl.AdaBoostM1Classifier(n_rounds=40).fit(table.X, table.y)

figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
wl.pruning.plot_kappa_error(model, table.X, table.y, ax=axes)
plt.show()
