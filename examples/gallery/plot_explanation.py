"""
Why this prediction?
====================

What each feature contributes to the votes of a boosted forest for one row, and the same in words.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

table = wl.datasets.load("titanic")
model = wl.BoostedForestClassifier(n_members=20, random_state=0).fit(table.X, table.y)
explanation = model.explain(table.X[250:251])
print(explanation.to_text(members=1))

# %%
# Base and contributions add up to the share of the votes for the predicted class.

row = explanation[0]
names = [f"{name} = {table.X.iloc[250][name]}" for name in row.contributions]
amounts = list(row.contributions.values())
figure, axes = plt.subplots(figsize=(6.5, 2.4), layout="constrained")
axes.barh(names, amounts, color=["#37a" if amount > 0 else "#c53" for amount in amounts])
axes.axvline(0, color="k", linewidth=0.8)
axes.invert_yaxis()
axes.set(xlabel=f"contribution to the votes for {row.label}")
plt.show()
