"""The rules of a ruleset, its schema, and how to change them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.rule import Rule, core_rule, rule_of
from weaklearn.schema import Label, Schema
from weaklearn.tables.messages import quote, quote_list


class RulesetRules:
    """Rules in the order in which they are tried, and a default class.

    Parameters
    ----------
    core : _core.Ruleset
        The compiled ruleset, which never changes.
    schema : Schema
        The features of the conditions and the classes of the rules.
    """

    def __init__(self, core: _core.Ruleset, schema: Schema) -> None:
        self.core = core
        self.schema = schema

    @classmethod
    def from_rules(
        cls,
        schema: Schema,
        rules: Iterable[Rule],
        default_class: Label,
        class_weights: Iterable[float],
        default_weights: Iterable[float] | None = None,
    ) -> Self:
        """Make a ruleset from its rules; every part is checked.

        Parameters
        ----------
        schema : Schema
            The features and classes that the rules refer to.
        rules : iterable of Rule
            In the order in which they are tried.
        default_class : label
            The class of the rows for which no rule fires.
        class_weights : iterable of float
            Per class, the weight of all training rows.
        default_weights : iterable of float, optional
            Per class, the weight of the training rows for which no rule fires; by default none.

        Raises
        ------
        ValueError
            If a rule does not fit to the schema, with the reason.
        """
        if default_class not in schema.classes:
            raise ValueError(
                f"the default class is {quote(default_class)}; expected one of "
                f"{quote_list(schema.classes)}"
            )
        of_classes = [float(weight) for weight in class_weights]
        of_default = [0.0] * len(of_classes) if default_weights is None else default_weights
        core = _core.Ruleset(
            [(len(f.values), f.precision == "single") for f in schema.features],
            [core_rule(rule, schema) for rule in rules],
            schema.classes.index(default_class),
            of_classes,
            [float(weight) for weight in of_default],
        )
        return cls(core, schema)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in the order in which they are tried."""
        return tuple(rule_of(rule, self.schema) for rule in self.core.rules)

    @property
    def default_class(self) -> Label:
        """The class of the rows for which no rule fires."""
        return self.schema.classes[self.core.default_class]

    @property
    def n_conditions(self) -> int:
        """The number of conditions of all rules."""
        return sum(len(rule.conditions) for rule in self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, position: int) -> Rule:
        return self.rules[position]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RulesetRules):
            return NotImplemented
        return (
            self.schema == other.schema
            and self.rules == other.rules
            and self.default_class == other.default_class
            and self.core.class_weights == other.core.class_weights
            and self.core.default_weights == other.core.default_weights
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        from weaklearn.models.ruleset_content import ruleset_content, ruleset_from_content

        return ruleset_from_content, (ruleset_content(self),)

    def drop(self, *numbers: int) -> Self:
        """Return the ruleset without some rules.

        The figures of the other rules stay as they are; `recount` brings them up to date.

        Parameters
        ----------
        *numbers : int
            The numbers of the rules.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> [rule.number for rule in ruleset.drop(3)]
        [1, 2, 5]
        """
        known = [rule.number for rule in self.rules]
        for number in numbers:
            if number not in known:
                raise ValueError(
                    f"there is no rule {number}; the rules are {', '.join(map(str, known))}"
                )
        return self.with_rules(rule for rule in self.rules if rule.number not in numbers)

    def with_features(self, schema: Schema, columns: NDArray[np.intp]) -> Self:
        """Return the same rules for a table with more features.

        Parameters
        ----------
        schema : Schema
            The features of that table, and the same classes.
        columns : array of int
            The index in `schema` of each feature of this ruleset.
        """
        rules = [
            replace(
                rule,
                conditions=tuple(
                    replace(condition, feature=int(columns[condition.feature]))
                    for condition in rule.conditions
                ),
            )
            for rule in self.rules
        ]
        weights = self.core.class_weights, self.core.default_weights
        return self.from_rules(schema, rules, self.default_class, *weights)

    def with_rules(self, rules: Iterable[Rule], default_class: Label | None = None) -> Self:
        """Return a ruleset with other rules for the same features and classes.

        Parameters
        ----------
        rules : iterable of Rule
            In the order in which they are tried. `dataclasses.replace` changes a rule.
        default_class : label, optional
            Another default class.

        Examples
        --------
        >>> from dataclasses import replace
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> ruleset = wl.RulesClassifier().fit(table.X, table.y).ruleset_
        >>> shorter = replace(ruleset[1], conditions=ruleset[1].conditions[1:])
        >>> edited = ruleset.with_rules([ruleset[0], shorter], default_class="virginica")
        >>> round(edited.score(table.X, table.y), 3)
        0.96
        """
        return self.from_rules(
            self.schema,
            rules,
            self.default_class if default_class is None else default_class,
            self.core.class_weights,
            self.core.default_weights,
        )
