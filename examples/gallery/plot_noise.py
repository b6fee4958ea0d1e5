"""
Wrong labels
============

A share of the training labels is changed. Boosting gives weight to rows with wrong labels, so it
suffers more than bagging. The boosted forest notices the noise by itself, then learns pruned trees
and stays near bagging.
"""

import matplotlib.pyplot as plt
import numpy as np

import weaklearn as wl

test = wl.datasets.make_xd6(1000, random_state=99)
noises = [0.0, 0.05, 0.1, 0.2, 0.3]
models = {
    "one tree": wl.C45Classifier(),
    "bagging": wl.BaggedClassifier(n_members=30, random_state=0),
    "AdaBoost.M1": wl.AdaBoostM1Classifier(n_rounds=30),
    "boosted forest": wl.BoostedForestClassifier(n_members=30, random_state=0),
}

figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
for name, model in models.items():
    errors = []
    for noise in noises:
        train = wl.datasets.make_xd6(500, class_noise=noise, random_state=1)
        labels = model.fit(train.X, train.y).predict(test.X)
        errors.append(np.mean(labels != test.y.to_numpy()))
    axes.plot(noises, errors, "o-", label=name)
axes.set(xlabel="share of changed labels", ylabel="error against the true labels")
axes.legend(frameon=False)
plt.show()
