"""
Error by round of boosting
==========================

The training error of AdaBoost.M1 stays below its bound, the product over the rounds of
2 sqrt(error (1 - error)). The error on other rows goes on falling after the training error is 0.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

import weaklearn as wl

table = wl.datasets.make_waveform(900, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(table.X, table.y, random_state=0)
model = wl.AdaBoostM1Classifier(n_rounds=60).fit(X_train, y_train)

rounds = np.arange(1, len(model) + 1)
figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
bound = wl.theory.training_bound(model.errors_).product
for name, X, y in [("training rows", X_train, y_train), ("other rows", X_test, y_test)]:
    errors = [np.mean(labels != y.to_numpy()) for labels in model.staged_predict(X)]
    axes.plot(rounds, errors, label=name)
axes.plot(rounds, bound, "--", color="gray", label="bound for training rows")
axes.set(xlabel="round", ylabel="error", ylim=(0, 0.4))
axes.legend(frameon=False)
plt.show()
