"""
Are probabilities right?
========================

Of the rows that get a probability of 80 percent, 80 percent should be of this class. A fully grown
tree is far from that. Shrinkage of the class shares helps, and the boosted forest calibrates its
probabilities on out-of-bag rows.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.model_selection import cross_val_predict

import weaklearn as wl

table = wl.datasets.make_xd6(1500, class_noise=0.15, random_state=0)
truth = table.y.to_numpy() == table.schema.classes[1]
models = {
    "tree": wl.C45Classifier(prune=False),
    "tree, shrinkage=10": wl.C45Classifier(prune=False, shrinkage=10),
    "boosted forest": wl.BoostedForestClassifier(n_members=50, random_state=0),
}

figure, axes = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
axes.plot([0, 1], [0, 1], "--", color="gray")
for name, model in models.items():
    predicted = cross_val_predict(model, table.X, table.y, cv=5, method="predict_proba")[:, 1]
    share, mean = calibration_curve(truth, np.clip(predicted, 0, 1), n_bins=8)
    axes.plot(mean, share, "o-", label=name)
axes.set(xlabel="predicted probability", ylabel="share of rows of the class")
axes.legend(frameon=False)
plt.show()
