"""
Importances of features
=======================

By the gain of the splits, by shuffling, and by SHAP values. The three scales differ, so each is
divided by its sum.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.load("wine")
model = wl.BoostedForestClassifier(n_members=30, random_state=0).fit(table.X, table.y)
frames = {
    "gain": wl.explain.importances(model),
    "permutation": wl.explain.importances(model, table.X, table.y, "permutation", random_state=0),
    "shap": wl.explain.importances(model, table.X, kind="shap"),
}

order = frames["gain"]["feature"].tolist()[:8]
figure, all_axes = plt.subplots(1, 3, figsize=(9.5, 3), layout="constrained", sharey=True)
for axes, (kind, frame) in zip(all_axes, frames.items(), strict=True):
    amounts = frame.set_index("feature")["importance"]
    axes.barh(order, (amounts / amounts.sum())[order], color="#37a")
    axes.set_title(kind, fontsize=10)
all_axes[0].invert_yaxis()
plt.show()
