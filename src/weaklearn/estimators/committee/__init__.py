"""Committees: members that vote.

A committee has a learner, which learns a member from weighted rows (`member_learners`), and voters,
which vote on rows once they are fitted (`voters` and `ensemble_voters`).

`base` is what every committee can do, `learned` the base of AdaBoost.M1 and bagging. Fitted
ensembles of scikit-learn and G2 become committees in `wrapped_ensembles`. `saving` is what the file
of a committee holds.
"""
