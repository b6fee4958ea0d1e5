"""C4.5rules: rules from the unpruned tree of C4.5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.estimators.c45 import ARITHMETIC, SUBSET, THRESHOLD_PENALTY
from weaklearn.estimators.c45_checks import (
    check_release8_classes,
    check_release8_subset,
    check_single_weights,
)
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.parameters import (
    MAX_UINT32,
    Choice,
    Flag,
    Number,
    Parameter,
    core_limit,
)
from weaklearn.estimators.saving import (
    common_content,
    estimator_content,
    estimator_from_content,
    restore_common,
    unfitted_from_content,
)
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.estimators.winnowing import WINNOW
from weaklearn.models.file_content import take
from weaklearn.models.ruleset import Ruleset
from weaklearn.models.ruleset_content import ruleset_content, ruleset_from_content
from weaklearn.models.saving import register_kind
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.export.description import DescribedRules


class RulesClassifier(TableClassifier):
    """C4.5rules: an ordered list of if-then rules, made from the unpruned tree of C4.5.

    Each leaf of the tree makes a rule. Conditions that do not lower its pessimistic error are
    dropped. For each class the rules of least description length are selected. The classes are
    ordered so that rules with few false positives come first. Rules that do more harm than good are
    removed. The first rule that fires gives the class. A missing value fails every condition.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}
        The criterion of the tree, as in `C45Classifier`.
    min_objects : float
        At least two branches of a split of the tree must have this weight (``-m``).
    confidence : float
        Confidence of the pessimistic error rates, a share (``-c 25`` is 0.25). The smaller, the
        shorter the rules.
    fisher : float or None
        Conditions also go if Fisher's exact test gives a level above this share (``-F 5`` is 0.05).
        None for no test.
    redundancy : float
        Divides the bits that name the feature of a condition (``-r``). A larger value allows more
        rules, for tables whose features repeat each other.
    annealing : bool
        Whether the selection among more than ten rules of a class may also raise the description
        length for a while (``-a``): simulated annealing in "release8", tabu search in "double".
    subset : bool
        Whether splits of the tree on nominal features group values (``-s``), as in
        `C45Classifier`.
    threshold_penalty : bool
        Whether a threshold of the tree pays for the number of cuts tried, as in Release 8.
    arithmetic : {"double", "release8"}
        "release8" reproduces the rulesets of the original program bit for bit, including its
        random numbers and its defects. "double" depends neither on chance nor on the order of rows,
        and values that are equal in real arithmetic count as equal.
    max_depth : int or None
        The most splits on a path of the tree; None for no limit, as in C4.5.
    estimator : classifier, optional
        Another classifier of this package whose trees or programs make the rules, for example
        ``TopDownClassifier()`` or a committee. By default rules start from the unpruned tree of
        C4.5, and the parameters of that tree are those above: `criterion`, `min_objects`, `subset`,
        `threshold_penalty` and `max_depth`, which have no effect on another estimator.
    winnow : bool
        Whether to remove the features first that do not help to predict rows held back, as C5.0
        does; see docs/guides/winnowing.md.
    class_weight : None, "balanced" or dict
        Weights of classes; see docs/guides/weights_and_costs.md.
    costs : None, matrix or dict
        Costs of errors, such as ``{(true, predicted): cost}``; see there too.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    ignore : list of names or positions, optional
        Columns to leave out.
    missing_values : list of texts and numbers, optional
        Cells that are missing: texts in place of ``wl.MISSING_TEXTS``, numbers in addition.
    n_jobs : int or None
        Threads to fit and predict with; the result does not depend on it.
    random_state : int, RandomState or None
        Seed of the rows held back by `winnow`; None is 0. The rest has no chance: the random
        numbers of "release8" have a fixed start.

    Attributes
    ----------
    ruleset_ : Ruleset
        The rules. Assign an edited ruleset to predict with it.
    features_kept_, winnowed_ : arrays of str
        With `winnow`, the names of the features that were kept and of those that were removed.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    References
    ----------
    J. R. Quinlan, Generating production rules from decision trees, IJCAI 1987.
    J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, chapter 5.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.RulesClassifier().fit(table.X, table.y)
    >>> model.ruleset_
    Ruleset: 7 rules, 14 conditions, 2 classes
      Rule 7: if class = 1st and sex = female then yes [95.7%]
      Rule 3: if class = 2nd and age = child then yes [94.4%]
      Rule 8: if class = 2nd and sex = female then yes [84.9%]
      Rule 1: if class = 1st and age = child then yes [79.4%]
      Rule 10: if class = crew and sex = female then yes [78.9%]
      Rule 5: if class = 3rd and sex = male then no [81.5%]
      Rule 2: if sex = male and age = adult then no [79.0%]
      otherwise no
    """

    ruleset_: Ruleset

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "criterion": Parameter(
            "gain_ratio",
            Choice(("gain_ratio", "gain")),
            "the criterion of the tree: gain_ratio (C4.5) or gain (its option -g)",
        ),
        "min_objects": Parameter(
            2, Number(low=0, above_low=True), "least weight of two branches of a split (-m)"
        ),
        "confidence": Parameter(
            0.25,
            Number(low=0, above_low=True, high=1),
            "confidence of the error rates (-c as a share): the smaller, the shorter the rules",
        ),
        "fisher": Parameter(
            None,
            Number(low=0, above_low=True, high=1, optional=True),
            "level of Fisher's test for conditions (-F as a share); None: no test",
        ),
        "redundancy": Parameter(
            1.0,
            Number(low=0, above_low=True),
            "divides the bits of a condition's feature (-r): the larger, the more rules",
        ),
        "annealing": Parameter(
            False, Flag(), "whether the selection of rules can leave a local optimum (-a)"
        ),
        "subset": SUBSET,
        "threshold_penalty": THRESHOLD_PENALTY,
        "arithmetic": ARITHMETIC,
        "max_depth": Parameter(
            None,
            Number(low=0, whole=True, optional=True),
            "most splits on a path of the tree; None: no limit",
        ),
        "winnow": WINNOW,
    }

    def __init__(
        self,
        criterion: str = "gain_ratio",
        min_objects: float = 2,
        confidence: float = 0.25,
        fisher: float | None = None,
        redundancy: float = 1.0,
        annealing: bool = False,
        subset: bool = False,
        threshold_penalty: bool = True,
        arithmetic: str = "double",
        max_depth: int | None = None,
        *,
        estimator: Any = None,
        winnow: bool = False,
        class_weight: Any = None,
        costs: Any = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        ignore: Iterable[str | int] | None = None,
        missing_values: Iterable[str | float] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.min_objects = min_objects
        self.confidence = confidence
        self.fisher = fisher
        self.redundancy = redundancy
        self.annealing = annealing
        self.subset = subset
        self.threshold_penalty = threshold_penalty
        self.arithmetic = arithmetic
        self.max_depth = max_depth
        self.estimator = estimator
        self.winnow = winnow
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _schema(self) -> Schema:
        return self.ruleset_.schema

    def _has_learned(self) -> bool:
        return len(self.ruleset_) > 0

    def _needs_single_precision(self) -> bool:
        return self.arithmetic == "release8"

    def _separates_close_values(self) -> bool:
        return False

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        if self.arithmetic == "release8":
            check_release8_classes(self.class_weight, self.costs)
            check_single_weights(weights.rows)
            if self.subset:
                check_release8_subset(dataset)
        # Rules predict the class that weighs most. Costs choose among the classes of a rule later.
        weights = replace(weights, relative_costs=None)
        if self.fisher is not None and weights.factors is not None:
            raise ValueError(
                f"fisher={self.fisher}: Fisher's test counts rows, and class weights or costs make "
                "rows weigh more or less than they count. Set fisher=None, or leave them out."
            )
        if self.fisher is not None and (weights.rows != np.floor(weights.rows)).any():
            raise ValueError(
                f"fisher={self.fisher}: Fisher's test counts rows, and the weights are not whole "
                "numbers. Set fisher=None, or pass whole weights."
            )
        options: dict[str, Any] = {
            "confidence": float(self.confidence),
            "fisher": None if self.fisher is None else float(self.fisher),
            "redundancy": float(self.redundancy),
            "annealing": bool(self.annealing),
        }
        if self.estimator is not None:
            self.ruleset_ = self._simplify(dataset, weights, options, n_threads)
            return
        core = _core.fit_rules(
            dataset.core,
            weights.rows,
            use_gain_ratio=self.criterion == "gain_ratio",
            min_objects=float(self.min_objects),
            subset=bool(self.subset),
            threshold_penalty=bool(self.threshold_penalty),
            max_depth=core_limit(self.max_depth, MAX_UINT32),
            **options,
            release8=self.arithmetic == "release8",
            classes=weights.for_core(),
            n_threads=n_threads,
        )
        self.ruleset_ = Ruleset(core, dataset.schema)

    def _simplify(
        self, dataset: Dataset, weights: RowWeights, options: dict[str, Any], n_threads: int
    ) -> Ruleset:
        from weaklearn.estimators.simplify_rules import graphs_of, simplify_graphs

        fitted = clone(self.estimator)
        fitted.fit_weighted(dataset, weights, n_threads)
        return simplify_graphs(graphs_of(fitted), dataset, weights, options, n_threads)

    def check_parameters(self) -> None:
        """Raise a ValueError for the first parameter outside its domain."""
        super().check_parameters()
        if self.estimator is None:
            return
        if not isinstance(self.estimator, TableClassifier):
            raise TypeError(
                f"RulesClassifier(estimator={self.estimator!r}): expected a classifier of this "
                "package that has trees, such as TopDownClassifier()."
            )
        if self.arithmetic == "release8":
            raise ValueError(
                "arithmetic='release8' follows the original program, which starts from the tree of "
                "C4.5: leave out estimator, or use arithmetic='double'."
            )
        if self.estimator._missing_is_value():
            raise ValueError(
                "RulesClassifier(estimator=...): missing values meet no condition of a rule, so "
                "its trees must have missing='fraction'."
            )
        self.estimator.check_parameters()

    @property
    def _model(self) -> Ruleset:
        return self.ruleset_

    def _describe(self, columns: Sequence[int] | None = None) -> DescribedRules:
        from weaklearn.export.describe_models import describe_rules

        return describe_rules(self.ruleset_, columns)

    @property
    def _reason_source(self) -> Ruleset:
        return self.ruleset_

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in the training rows that rules predict.

        The rows for which a rule is the first that fires count in equal parts for the columns of
        its conditions.
        """
        check_is_fitted(self)
        return self.ruleset_.importances()

    def _used_columns(self) -> list[int]:
        conditions = [condition for rule in self.ruleset_.rules for condition in rule.conditions]
        return sorted({condition.feature for condition in conditions})

    def _widen(self, schema: Schema, columns: NDArray[np.intp]) -> None:
        self.ruleset_ = self.ruleset_.with_features(schema, columns)

    def _content(self) -> dict[str, Any]:
        part = {} if self.estimator is None else {"estimator": self._estimator_content()}
        return {**common_content(self), **part, **ruleset_content(self.ruleset_)}

    def _estimator_content(self) -> dict[str, Any]:
        try:
            return estimator_content(self.estimator)
        except TypeError as error:
            raise TypeError(
                "a parameter of estimator is a function, which a file cannot hold: save the rules "
                "alone, model.ruleset_.save(path), or use a function known by name."
            ) from error

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = unfitted_from_content(cls, content)
        if "estimator" in content:
            model.estimator = estimator_from_content(take(content, "estimator", dict))
            model.check_parameters()
        model.ruleset_ = ruleset_from_content(content)
        restore_common(model, content)
        return model


register_kind("RulesClassifier", RulesClassifier._from_content)
