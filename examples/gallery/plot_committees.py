"""
Three committees by size
========================

Bagging, AdaBoost.M1 and the boosted forest on the same rows. Boosting and the boosted forest are
better than bagging here. :doc:`/choosing` compares them on many tables.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

import weaklearn as wl

table = wl.datasets.load("digits")
X_train, X_test, y_train, y_test = train_test_split(table.X, table.y, test_size=0.5, random_state=0)
models = {
    "bagging": wl.BaggedClassifier(n_members=60, random_state=0),
    "AdaBoost.M1": wl.AdaBoostM1Classifier(n_rounds=60),
    "boosted forest": wl.BoostedForestClassifier(n_members=60, random_state=0),
}

figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
for name, model in models.items():
    model.fit(X_train, y_train)
    errors = [np.mean(labels != y_test.to_numpy()) for labels in model.staged_predict(X_test)]
    axes.plot(np.arange(1, len(errors) + 1), errors, label=name)
axes.set(xlabel="members", ylabel="error on other rows", ylim=(0, 0.25))
axes.legend(frameon=False)
plt.show()
