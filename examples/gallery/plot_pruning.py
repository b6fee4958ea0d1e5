"""
How many members are needed?
============================

A committee of 40 boosted trees is pruned to several sizes by four methods. Keeping the first rounds
is hard to beat; choosing by kappa loses most.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import train_test_split

import weaklearn as wl

table = wl.datasets.make_waveform(900, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(table.X, table.y, random_state=0)
model = wl.AdaBoostM1Classifier(n_rounds=40).fit(X_train, y_train)
curve = wl.pruning.curve(
    model,
    X_train,
    y_train,
    sizes=[3, 5, 10, 20, 40],
    methods=["kappa", "kappa_shift", "margin_lp", "first_rounds"],
    X_test=X_test,
    y_test=y_test,
)

figure, axes = plt.subplots(figsize=(6.5, 3.8), layout="constrained")
wl.pruning.plot_pruning(curve, ax=axes)
plt.show()
