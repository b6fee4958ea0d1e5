"""
A ruleset
=========

C4.5rules makes a short list of if-then rules. Each bar is a rule: how many rows it covers, and how
many of them are of its class.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.load("titanic")
ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
print(ruleset)

frame = ruleset.to_frame()
names = [f"{row['conditions']} → {row['class']}" for _, row in frame.iterrows()]
covered = frame["coverage"] * len(table.X)
figure, axes = plt.subplots(figsize=(8, 3.4), layout="constrained")
axes.barh(names, covered, color="#ccc", label="other classes")
axes.barh(names, covered * frame["precision"], color="#37a", label="the class of the rule")
axes.invert_yaxis()
axes.set(xlabel="rows that satisfy the conditions")
axes.legend(frameon=False)
plt.show()
