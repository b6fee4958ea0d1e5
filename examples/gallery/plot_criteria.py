"""
Impurities
==========

The impurity of a node as a function of the share of one of two classes. The criterion of Kearns and
Mansour, km, is the most concave: near pure nodes it is steeper than the entropy, which gives it
the best bound in the theory of boosting.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
wl.theory.plot_criteria(["km", "entropy", "gini", "error"], ax=axes[0])
wl.theory.plot_criteria(["km", "entropy", "gini", "error"], largest_q=0.05, ax=axes[1])
plt.show()
