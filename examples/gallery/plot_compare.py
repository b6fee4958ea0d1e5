"""
Compare learners on a table
===========================

``wl.experiments.compare`` runs several learners on the same folds, with tests. The command
``weaklearn compare`` also writes a page and knows LightGBM, XGBoost and CatBoost.
"""

import matplotlib.pyplot as plt

import weaklearn as wl

models = {
    "one tree": wl.C45Classifier(),
    "rules": wl.RulesClassifier(),
    "ten boosted trees": wl.AdaBoostM1Classifier(n_rounds=10),
    "boosted forest": wl.BoostedForestClassifier(n_members=30, random_state=0),
}
comparison = wl.experiments.compare("wine", models, n_folds=5)
frame = comparison.to_frame()
print(frame[["model", "error", "log_loss", "leaves"]].round(3).to_string(index=False))

figure, axes = plt.subplots(figsize=(6.5, 2.8), layout="constrained")
axes.barh(frame["model"], frame["error"], xerr=frame["standard_error"], color="#37a")
axes.invert_yaxis()
axes.set(xlabel="error in five folds, with the standard error")
plt.show()
