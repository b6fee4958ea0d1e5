"""
Missing values
==============

Half of the blood pressures are erased: first by chance, then only where they are low, as if nobody
had measured them. With ``missing="fraction"``, C4.5's rule, rows go down every branch. With
``missing="branch"`` a split learns where they go, which helps if values are missing for a reason.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_score

import weaklearn as wl

rng = np.random.default_rng(0)
pressure = rng.normal(130, 15, 600)
age = rng.uniform(20, 80, 600)
ill = np.where(pressure + 0.3 * age + rng.normal(0, 8, 600) > 148, "ill", "well")

accuracies = {}
for reason, erased in {
    "by chance": rng.random(600) < 0.5,
    "for a reason": pressure < np.median(pressure),
}.items():
    X = np.column_stack([np.where(erased, np.nan, pressure), age])
    for missing in ("fraction", "branch"):
        tree = wl.C45Classifier(missing=missing)
        accuracies[f"{missing}\n{reason}"] = cross_val_score(tree, X, ill, cv=5).mean()

figure, axes = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
bars = axes.bar(accuracies.keys(), accuracies.values(), color=["#7a9", "#37a"] * 2)
axes.bar_label(bars, fmt="%.3f")
axes.set(ylabel="accuracy, five folds", ylim=(0.5, 1))
plt.show()
