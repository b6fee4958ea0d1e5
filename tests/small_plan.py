"""A small plan that runs in a second: every measure and figure, an absent table and learner."""

from __future__ import annotations

from weaklearn.experiments.plan import Plan, parse_plan

TEXT = """
title = "A small study"
source = "nobody, nowhere"
about = "Trees and committees."
notes = ["Nothing is published."]

[[experiments]]
name = "folds"
splits = { kind = "folds", n_folds = 4 }
measure = { kind = "errors" }
n_repeats = 2

[experiments.learners]
tree = { class = "C45Classifier" }
bag = { class = "BaggedClassifier", n_members = 3 }
oracle = { class = "OracleClassifier" }

[experiments.problems]
iris = { load = "iris" }
monks = { make = "monks", arguments = { problem = 1 } }
lost = { load = "no-such-table" }

[experiments.quick]
n_repeats = 1
problems = ["iris", "lost"]

[[experiments]]
name = "sets"
splits = { kind = "sets", n_sets = 3, test = 60 }
measure = { kind = "errors", keep_wrong_rows = true }
n_repeats = 2

[experiments.learners]
G = { class = "C45Classifier", criterion = "km" }
H = { class = "C45Classifier", criterion = "gain" }

[experiments.problems]
monks = { make = "monks", arguments = { problem = 1 } }

[[experiments]]
name = "rounds"
splits = { kind = "folds", n_folds = 3 }
measure = { kind = "rounds" }

[experiments.learners.both]
leader = "TopDown"
TopDown = { class = "TopDownClassifier", criterion = "entropy" }
AdaBoost = { class = "AdaBoostM1Classifier", estimator = { class = "StumpClassifier" } }

[experiments.problems]
xd6 = { make = "xd6", arguments = { n_samples = 60, random_state = 0 } }

[[experiments]]
name = "stages"
splits = { kind = "folds", n_folds = 3, n_used = 2 }
measure = { kind = "stages" }

[experiments.learners]
boosted = { class = "AdaBoostM1Classifier", n_rounds = 4 }

[experiments.problems]
titanic = { load = "titanic" }

[[experiments]]
name = "pruned"
splits = { kind = "folds", n_folds = 3, n_used = 2 }
measure = { kind = "pruning", rates = [0.8, 0.5], methods = ["kappa", "first_rounds"] }

[experiments.learners]
boosted = { class = "AdaBoostM1Classifier", n_rounds = 5 }

[experiments.problems]
titanic = { load = "titanic" }

[[experiments]]
name = "sizes"
splits = { kind = "folds", n_folds = 3, n_used = 1 }
measure = { kind = "sizes", methods = ["kappa", "margin_lp"] }

[experiments.learners]
boosted = { class = "AdaBoostM1Classifier", n_rounds = 5 }

[experiments.problems]
titanic = { load = "titanic" }

[[experiments]]
name = "drawn"
splits = { kind = "whole" }
measure = { kind = "graph" }

[experiments.learners]
tree = { class = "C45Classifier" }
program = { class = "BranchingProgramClassifier", max_levels = 3 }

[experiments.problems]
titanic = { load = "titanic" }

[[tables]]
title = "Errors"
experiment = "folds"
published = "errors"
means = true
columns = [
    { heading = "tree", learner = "tree", quantity = "error", published = "tree", digits = 1 },
    { heading = "bag", learner = "bag", quantity = "error", published = "bag", digits = 1 },
    { heading = "oracle", learner = "oracle", quantity = "error", published = "best", digits = 1 },
]

[[tables]]
title = "Rounds"
experiment = "rounds"
columns = [{ heading = "rounds", learner = "both", quantity = "TopDown, rounds" }]

[[tables]]
title = "Pruned"
experiment = "pruned"
columns = [{ heading = "kappa .5", learner = "boosted", quantity = "kappa 0.5" }]

[[comparisons]]
title = "Bag against tree"
experiment = "folds"
first = "bag"
second = "tree"
quantity = "error"
published = "errors"
paper = { ratio = "ratio" }
paper_says = "The paper: a bag is better."

[[comparisons]]
title = "G against H"
experiment = "sets"
first = "G"
second = "H"
quantity = "error"

[[figures]]
kind = "stages"
title = "Stages"
experiment = "stages"

[[figures]]
kind = "advantages"
title = "Advantages"
experiment = "rounds"

[[figures]]
kind = "split_advantages"
title = "Splits"
experiment = "rounds"
learner = "TopDown"

[[figures]]
kind = "sizes_and_errors"
title = "Sizes"
experiment = "sets"
first = "G"
second = "H"

[[figures]]
kind = "pruning"
title = "Kept"
experiment = "sizes"

[[figures]]
kind = "graph"
title = "Drawn"
experiment = "drawn"

[published.errors]
columns = ["tree", "bag", "best", "ratio"]

[published.errors.rows]
iris = [5.0, 80.0, 0.0, 0.9]
monks = [3.0, 2.0, 0.0, 0.7]
"""


def small_plan() -> Plan:
    return parse_plan("small", TEXT)
