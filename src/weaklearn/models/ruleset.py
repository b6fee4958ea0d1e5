"""A fitted ruleset: rules in the order in which they are tried, and a default class."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import EncodedRows, check_sample_weight, encode_rows
from weaklearn.models.recount_rules import recount
from weaklearn.models.rule import shortest
from weaklearn.models.ruleset_rules import RulesetRules
from weaklearn.schema import encode_classes

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd

    from weaklearn.explain.contributions import Contributions
    from weaklearn.explain.explanations import Explanations
    from weaklearn.explain.fired_rules import FiredRules
    from weaklearn.models.votes import VoteForm

#: A rule that fires decides, so its class has at least this probability.
_LEAST_SHARE = 0.501

#: A rule with a higher error never fires; the compiled core has the same number.
HIGHEST_ERROR = 0.7


class Ruleset(RulesetRules):
    """Rules that are tried in order; the first that fires gives the class.

    A ruleset never changes. `drop`, `with_rules` and `recount` return new ones.

    Parameters
    ----------
    core : _core.Ruleset
        The compiled ruleset.
    schema : Schema
        The features of the conditions and the classes of the rules.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
    >>> ruleset
    Ruleset: 4 rules, 6 conditions, 3 classes
      Rule 1: if petal width (cm) <= 0.6 then setosa [97.3%]
      Rule 2: if petal length (cm) <= 4.9 and petal width (cm) > 0.6 and petal width (cm) <= ...
      Rule 5: if petal width (cm) > 1.7 then virginica [94.4%]
      Rule 3: if petal length (cm) > 4.9 then virginica [91.8%]
      otherwise setosa
    """

    # -- prediction ---------------------------------------------------------------------------
    @cached_property
    def _matcher(self) -> _core.RuleMatcher:
        return _core.RuleMatcher(self.core)

    @cached_property
    def rule_labels(self) -> NDArray[np.int32]:
        """The class index of each rule, and last the default class, which position -1 finds."""
        labels = [rule.label for rule in self.core.rules]
        return np.array([*labels, self.core.default_class], dtype=np.int32)

    @cached_property
    def rule_shares(self) -> NDArray[np.float64]:
        """The probability of each class for each rule, and last for the default class."""
        prior = np.array(self.core.class_weights)
        uncovered = np.array(self.core.default_weights)
        of_default = (uncovered[self.core.default_class] + 1) / (uncovered.sum() + 2)
        certainty = np.array([*(1 - rule.error for rule in self.core.rules), of_default])
        certainty = np.maximum(certainty, _LEAST_SHARE)
        rows = np.arange(len(certainty))
        others = np.tile(prior, (len(certainty), 1))
        others[rows, self.rule_labels] = 0.0
        totals = others.sum(axis=1)
        alone = totals == 0
        shares: NDArray[np.float64] = (
            others / np.where(alone, 1.0, totals)[:, None] * (1 - certainty)[:, None]
        )
        shares[rows, self.rule_labels] = np.where(alone, 1.0, certainty)
        return shares

    def encode(self, X: Any) -> EncodedRows:
        """Encode a frame for the methods that take encoded rows.

        Parameters
        ----------
        X : frame
            Columns are matched by name if they have names, by position otherwise. A nominal
            value that the schema does not declare counts as missing.
        """
        return encode_rows(X, self.schema, "the ruleset", None)

    def first_match(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the position of the first rule that fires for each row; -1 if none does."""
        return self._matcher.first_match(rows.arrays, rows.n_rows, n_threads)

    def all_matches(
        self, rows: EncodedRows, n_threads: int = 1
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the positions of all rules that fire for each row, and where each row starts."""
        return self._matcher.all_matches(rows.arrays, rows.n_rows, n_threads)

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the class index of each row."""
        return self.rule_labels[self.first_match(rows, n_threads)]

    def predict_class_shares(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the probability of each class for each row.

        The class of the rule that fires has its certainty, at least 0.501, so that the class that
        is predicted is always the most probable one. The others share the rest in proportion to
        their weight in the training table. The certainty of the default class is its Laplace
        ratio among the training rows for which no rule fired.
        """
        shares: NDArray[np.float64] = self.rule_shares[self.first_match(rows, n_threads)]
        return shares

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row of a frame.

        Parameters
        ----------
        X : frame
            As for `encode`.

        Returns
        -------
        array of labels
            One per row.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> ruleset.predict(table.X[:2])
        array(['setosa', 'setosa'], dtype='<U10')
        """
        classes = self.schema.classes
        one_type = len({type(label) for label in classes}) == 1
        labels = np.array(classes, dtype=None if one_type else object)
        predicted: NDArray[Any] = labels[self.predict_class_indices(self.encode(X))]
        return predicted

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted correctly.

        Parameters
        ----------
        X : frame
            As for `encode`.
        y : labels
            The class of each row.
        sample_weight : array, optional
            A weight per row.
        """
        rows, classes, weights = self._read(X, y, sample_weight)
        right = self.predict_class_indices(rows) == classes
        return float(weights[right].sum() / weights.sum())

    def _read(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[EncodedRows, NDArray[np.int32], NDArray[np.float64]]:
        rows = self.encode(X)
        classes = encode_classes(y, self.schema.classes, rows.n_rows)
        return rows, classes, check_sample_weight(sample_weight, rows.n_rows)

    def explain(self, X: Any) -> Explanations:
        """Explain the prediction for each row by the rules that fire.

        docs/guides/explanations.md shows what explanations contain.

        Parameters
        ----------
        X : frame
            As for `encode`.

        Returns
        -------
        Explanations
            One per row, with the rule that decides and the others that fire.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> ruleset.explain(table.X[:1])[0].text
        'setosa, because petal width (cm) <= 0.6 (rule 1, certainty 97.3%)'
        """
        from weaklearn.explain.explain_models import explain_source

        return explain_source(self, self.encode(X))

    def contributions(
        self, rows: EncodedRows, form: VoteForm = "shares", n_threads: int = 1
    ) -> Contributions:
        """Return what each feature contributes to what the classes get in each encoded row."""
        from weaklearn.explain.contributions import of_ruleset

        return of_ruleset(self, rows, form, n_threads)

    def reasons(self, rows: EncodedRows, n_threads: int = 1) -> list[FiredRules]:
        """Return the rules that fire for each encoded row."""
        from weaklearn.explain.fired_rules import fired_rules

        return fired_rules(self, rows, n_threads)

    def recount(self, X: Any, y: Any, sample_weight: Any = None, confidence: float = 0.25) -> Self:
        """Return the same rules with the figures that they have on some rows.

        This brings the weights and the error estimates of an edited ruleset up to date. The order
        of the rules and the default class stay.

        Parameters
        ----------
        X : frame
            As for `encode`.
        y : labels
            The class of each row.
        sample_weight : array, optional
            A weight per row.
        confidence : float
            The confidence of the pessimistic error rate, as for `RulesClassifier`. The error of a
            rule without rows stays as it is.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> ruleset.drop(5).recount(table.X, table.y)[2].used
        46.0
        """
        rows, classes, weights = self._read(X, y, sample_weight)
        return recount(self, rows, classes, weights, confidence)

    def importances(self) -> NDArray[np.float64]:
        """Return the share of each feature in the training rows that rules predict.

        The rows for which a rule is the first that fires count in equal parts for the features of
        its conditions. The shares sum to one, or are all 0 if no rule fires.
        """
        rows: NDArray[np.float64] = np.zeros(len(self.schema.features))
        for rule in self.core.rules:
            columns = sorted({condition.column for condition in rule.conditions})
            rows[columns] += rule.used / max(len(columns), 1)
        return rows / rows.sum() if rows.any() else rows

    # -- output -------------------------------------------------------------------------------
    def to_dict(self) -> dict[str, Any]:
        """Return the ruleset as plain data.

        Returns
        -------
        dict
            ``rules``, a list of dicts with ``class``, ``error`` and ``conditions`` (lists of
            feature index, operator, value), and ``default_class``.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier(arithmetic="release8").fit(table.X, table.y).ruleset_
        >>> ruleset.to_dict()["rules"][0]
        {'class': 'setosa', 'error': 0.027345052, 'conditions': [[3, '<=', 0.6]]}
        """
        return {
            "rules": [
                {
                    "class": rule.label,
                    "error": shortest(rule.error),
                    "conditions": [
                        [c.feature, c.operator, list(c.value) if c.operator == "in" else c.value]
                        for c in rule.conditions
                    ],
                }
                for rule in self.rules
            ],
            "default_class": self.default_class,
        }

    def to_text(self) -> str:
        r"""Return the ruleset as C4.5rules prints it.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> ruleset.to_text().splitlines()[:3]
        ['Rule 1:', '    \tpetal width (cm) <= 0.6', '\t->  class setosa  [97.3%]']
        """
        from weaklearn.show.ruleset_text import to_text

        return to_text(self)

    def to_sentences(self) -> list[str]:
        """Return the ruleset in plain sentences, one per rule and one for the default class.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> ruleset.to_sentences()[-1]
        'Otherwise the class is setosa.'
        """
        from weaklearn.show.ruleset_text import to_sentences

        return to_sentences(self)

    def to_frame(self) -> pd.DataFrame:
        """Return a table with a line per rule.

        Returns
        -------
        DataFrame
            ``number``, ``class``, ``conditions`` (text), ``coverage`` (the share of the training
            rows that satisfy the conditions), ``precision`` (the share of these that have the
            class), ``lift`` (precision divided by the share of the class in the whole table) and
            ``certainty`` (the pessimistic estimate of the precision).

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> ruleset.to_frame()["lift"].round(2).tolist()
        [3.0, 2.94, 2.93, 2.87]
        """
        from weaklearn.show.ruleset_text import to_frame

        return to_frame(self)

    def __repr__(self) -> str:
        from weaklearn.show.ruleset_text import to_short_text

        return to_short_text(self)

    def _repr_html_(self) -> str:
        from weaklearn.show.ruleset_text import to_html

        return to_html(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the ruleset with its schema in a file, for `weaklearn.load`.

        Parameters
        ----------
        path : path
            Its suffix chooses the form: ``.wl`` is small and loads quickly, ``.json`` and
            ``.json.gz`` can be read by other programs. The file is written completely or not at
            all.

        Examples
        --------
        >>> ruleset.save("rules.json")  # doctest: +SKIP
        """
        from weaklearn.models.ruleset_content import ruleset_content
        from weaklearn.models.saving import write

        write(path, "ruleset", ruleset_content(self))
