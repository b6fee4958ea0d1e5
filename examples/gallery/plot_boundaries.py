"""
Boundaries of classes
=====================

Two features, five learners. C4.5 cuts parallel to the axes, OC1 and BoostODT cut obliquely, and
committees smooth the steps.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

import weaklearn as wl

X, y = make_moons(300, noise=0.25, random_state=0)
models = [
    wl.C45Classifier(),
    wl.OC1Classifier(random_state=0),
    wl.BoostODTClassifier(n_stumps=20),
    wl.AdaBoostM1Classifier(n_rounds=30),
    wl.BoostedForestClassifier(n_members=50, random_state=0),
]
x0, x1 = np.meshgrid(np.linspace(-1.8, 2.8, 90), np.linspace(-1.3, 1.8, 90))
grid = np.column_stack([x0.ravel(), x1.ravel()])

figure, all_axes = plt.subplots(1, 5, figsize=(11, 2.6), layout="constrained", sharey=True)
for axes, model in zip(all_axes, models, strict=True):
    shares = model.fit(X, y).predict_proba(grid)[:, 1].reshape(x0.shape)
    axes.contourf(x0, x1, shares, levels=np.linspace(0, 1, 11), cmap="RdBu", alpha=0.8)
    axes.scatter(*X.T, c=y, cmap="RdBu", s=6, edgecolors="k", linewidths=0.3)
    axes.set_title(type(model).__name__.removesuffix("Classifier"), fontsize=10)
    axes.set(xticks=[], yticks=[])
plt.show()
