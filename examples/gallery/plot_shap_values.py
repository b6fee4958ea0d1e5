"""
SHAP values of all rows
=======================

Exact Shapley values of a boosted forest: each point is a row, its place what the feature adds to
the score of the class, its colour the value of the feature.
"""

import matplotlib.pyplot as plt
import numpy as np

import weaklearn as wl

table = wl.datasets.load("iris")
model = wl.BoostedForestClassifier(n_members=20, random_state=0).fit(table.X, table.y)
values = wl.explain.shap_values(model, table.X).values[:, :, 2]  # of the class virginica

rng = np.random.default_rng(0)
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for place, name in enumerate(table.X.columns):
    heights = place + rng.uniform(-0.25, 0.25, len(values))
    colours = table.X[name].rank(pct=True)
    points = axes.scatter(values[:, place], heights, c=colours, cmap="coolwarm", s=9)
axes.set(yticks=range(4), yticklabels=table.X.columns, xlabel="SHAP value for virginica")
figure.colorbar(points, ax=axes, label="rank of the value", ticks=[])
plt.show()
