"""
How many bins?
==============

``max_bins`` cuts numbers into bins once, which makes large tables fast. On this table the accuracy
with a few bins differs from that with all thresholds by chance only.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import cross_val_score

import weaklearn as wl

table = wl.datasets.make_waveform(1500, random_state=0)
bins = [2, 4, 8, 16, 32, 64, 255]
accuracies = [
    cross_val_score(wl.C45Classifier(max_bins=most), table.X, table.y, cv=5).mean() for most in bins
]
exact = cross_val_score(wl.C45Classifier(), table.X, table.y, cv=5).mean()

figure, axes = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
axes.semilogx(bins, accuracies, "o-", base=2, label="with bins")
axes.axhline(exact, color="gray", linestyle="--", label="all thresholds")
axes.set(xlabel="max_bins", ylabel="accuracy, five folds", ylim=(0.6, 0.9))
axes.legend(frameon=False)
plt.show()
