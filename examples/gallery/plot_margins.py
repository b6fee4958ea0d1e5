"""
Margins
=======

The margin of a row is the share of the votes for its class, minus the largest share for another
class. Boosting goes on raising small margins after all training rows are right.
"""

import matplotlib.pyplot as plt
import numpy as np

import weaklearn as wl

table = wl.datasets.load("digits")
model = wl.AdaBoostM1Classifier(n_rounds=50).fit(table.X, table.y)

figure, axes = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
for rounds in (5, 10, 50):
    margins = np.sort(model[:rounds].margins(table.X, table.y))
    axes.plot(margins, np.linspace(0, 1, len(margins)), label=f"{rounds} rounds")
axes.set(xlabel="margin", ylabel="share of rows with at most this margin")
axes.legend(frameon=False)
plt.show()
