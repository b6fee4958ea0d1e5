"""Each parameter is declared once: the constructor, the declaration and the docstring agree."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.estimators.parameters import (
    Choice,
    Flag,
    Number,
    Parameter,
    ShareOrCount,
    check_parameters,
)

#: Parameters that are not declared, because classifiers share them, with their defaults.
SHARED: dict[str, Any] = {
    "estimator": None,
    "warm_start": False,
    "verbose": 0,
    "callback": None,
    "class_weight": None,
    "costs": None,
    "nominal": None,
    "continuous": None,
    "ignore": None,
    "missing_values": None,
    "n_jobs": None,
    "random_state": None,
}
#: G2 is composed of objects, and declares nothing.
CLASSIFIERS = [
    getattr(wl, name)
    for name in wl.__all__
    if name.endswith("Classifier") and name != "G2Classifier"
]
for_each = pytest.mark.parametrize("kind", CLASSIFIERS, ids=lambda kind: kind.__name__)


def constructor_defaults(kind: Any) -> dict[str, Any]:
    return {name: p.default for name, p in inspect.signature(kind).parameters.items()}


def test_all_classifiers_are_compared() -> None:
    assert len(CLASSIFIERS) >= 11


@for_each
def test_the_constructor_has_the_declared_parameters(kind: Any) -> None:
    """Names, order and defaults."""
    given = constructor_defaults(kind)
    declared = {name: parameter.default for name, parameter in kind._parameters.items()}
    own = {name: default for name, default in given.items() if name not in SHARED}
    assert list(own.items()) == list(declared.items())
    assert [type(default) for default in own.values()] == [type(d) for d in declared.values()]
    others = {name: default for name, default in given.items() if name in SHARED}
    assert others == {name: SHARED[name] for name in others}


@for_each
def test_the_docstring_lists_the_parameters_in_order(kind: Any) -> None:
    text = inspect.getdoc(kind).split("Parameters\n----------\n")[1].split("\n\n")[0]
    entries = re.findall(r"^(\w[\w, ]*) : ", text, flags=re.MULTILINE)
    documented = [name for entry in entries for name in entry.split(", ")]
    assert documented == list(constructor_defaults(kind))


@for_each
def test_defaults_are_allowed_and_helps_are_one_line(kind: Any) -> None:
    for name, parameter in kind._parameters.items():
        assert parameter.domain.allows(parameter.default), name
        assert "\n" not in parameter.help
        assert len(parameter.help) <= 100
    kind().check_parameters()


DOMAINS: dict[str, tuple[Any, str]] = {
    "any number": (Number(), "a number"),
    "whole": (Number(low=1, whole=True), "a whole number >= 1"),
    "range": (Number(low=0, high=0.9, above_low=True), "a number > 0 and <= 0.9"),
    "limit in full": (
        Number(low=0, high=2**32 - 1, whole=True),
        "a whole number >= 0 and <= 4,294,967,295",
    ),
    "huge limit": (Number(low=0, high=1e100), "a number >= 0 and <= 1e+100"),
    "no lower limit": (Number(high=5), "a number <= 5"),
    "None": (Number(low=0, optional=True), "a number >= 0 or None"),
    "word": (Number(low=1, whole=True, words=("auto",)), "a whole number >= 1 or 'auto'"),
    "share or count": (ShareOrCount(), "a share > 0 and <= 1.0 or a whole number >= 1"),
    "share, count or word": (
        ShareOrCount(optional=True, words=("sqrt",)),
        "a share > 0 and <= 1.0 or a whole number >= 1 or 'sqrt' or None",
    ),
    "names": (Choice(("a", "b")), "one of 'a', 'b'"),
    "function": (Choice(("a",), or_callable=True), "one of 'a', or a function"),
    "flag": (Flag(), "True or False"),
}


@pytest.mark.parametrize(("domain", "text"), DOMAINS.values(), ids=DOMAINS.keys())
def test_domains_as_users_read_them(domain: Any, text: str) -> None:
    assert str(domain) == text
    with pytest.raises(ValueError, match=re.escape(f"Learner(p=[]): p must be {text}; the")):
        check_parameters({"p": Parameter(1, domain, "help")}, {"p": []}, "Learner")


def test_a_float_is_a_share_and_an_integer_a_count() -> None:
    allowed = [0.5, 1.0, 1, 7, np.float64(0.1), np.int32(3)]
    assert all(ShareOrCount().allows(value) for value in allowed)
    refused = [0, 0.0, 1.5, -1, True, "0.5", None, float("nan"), np.inf]
    assert not any(ShareOrCount().allows(value) for value in refused)
