"""
A tree, drawn
=============

C4.5 learns from nominal columns as they are. A leaf shows the class, the weight of its training
rows and the errors to expect among them.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.load("titanic")
model = wl.C45Classifier(subset=True).fit(table.X, table.y)
print(model.tree_.to_text())

# %%
# The same tree as a picture:

figure, axes = plt.subplots(figsize=(9, 2.9), layout="constrained")
model.tree_.plot(ax=axes)
plt.show()
