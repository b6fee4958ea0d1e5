"""Why a ruleset predicts what it predicts: the rules that fire for a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weaklearn.show.node_text import printable
from weaklearn.show.ruleset_text import certainty_text, condition_text, conditions_text

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.rule import Rule
    from weaklearn.models.ruleset import Ruleset
    from weaklearn.schema import Label, Schema


@dataclass(frozen=True, slots=True, repr=False)
class FiredRules:
    """The rules that fired for one row.

    Parameters
    ----------
    label : label
        The class that the ruleset predicts.
    rule : Rule or None
        The rule that decides: the first that fires. None if the default class decides.
    others : tuple of Rule
        The other rules that fire, in the order of the ruleset.
    schema : Schema
        The features of their conditions.
    """

    label: Label
    rule: Rule | None
    others: tuple[Rule, ...]
    schema: Schema

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules that fire; the first decides."""
        return () if self.rule is None else (self.rule, *self.others)

    @property
    def text(self) -> str:
        """The reason in words."""
        if self.rule is None:
            return f"{printable(self.label)}, because no rule fires"
        because = conditions_text(self.rule, self.schema)
        certainty = f"(rule {self.rule.number}, certainty {certainty_text(self.rule)})"
        return f"{printable(self.label)}, because {because} {certainty}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.text}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as plain data, ready for JSON."""
        rules = [
            {
                "rule": rule.number,
                "class": rule.label,
                "conditions": [condition_text(c, self.schema) for c in rule.conditions],
                "certainty": rule.certainty,
            }
            for rule in self.rules
        ]
        return {"default": self.rule is None, "rules": rules}


def fired_rules(ruleset: Ruleset, rows: EncodedRows, n_threads: int = 1) -> list[FiredRules]:
    """Return the rules that fire for each encoded row.

    Parameters
    ----------
    ruleset : Ruleset
        A fitted ruleset.
    rows : EncodedRows
        The rows.
    n_threads : int
        Threads to match rules with.
    """
    positions, starts = ruleset.all_matches(rows, n_threads)
    fired = []
    for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        matching = tuple(ruleset.rules[position] for position in positions[start:end].tolist())
        rule = matching[0] if matching else None
        label = rule.label if rule else ruleset.default_class
        fired.append(FiredRules(label, rule, matching[1:], ruleset.schema))
    return fired
