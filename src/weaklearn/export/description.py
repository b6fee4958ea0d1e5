"""A fitted model as plain tables: everything that an exported model needs, and nothing else.

A `Description` has the inputs, the classes and one of four models:

* `DescribedGraph`: a tree or a branching program.
* `DescribedRules`: a ruleset.
* `DescribedSeparators`: the sums of RealAdaBoostClassifier.
* `DescribedCommittee`: graphs, rulesets or separators that vote.

Each predicts a class index and a share per class for a row. Comments and docstrings here state the
arithmetic with the order of all operations, so that a target that follows them computes the same
bits as ``predict`` and ``predict_proba``. ``tests/oracles/exported.py`` does it in plain Python.
Sums start at 0 and add their terms from left to right. A product is rounded before it is added.
Numbers are float64 and are compared as they are: the thresholds of features that the model compares
in float32 are moved such that the outcome is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.votes import VoteForm
from weaklearn.tables.column import Label

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int32]

#: What a node does with a row.
LEAF, THRESHOLD, VALUES, OBLIQUE = range(4)

#: What a term of a sum adds; see `Terms`.
LINEAR, SINGLE, STEPS, SCORES = range(4)

#: What a condition of a rule compares; see `DescribedRules`.
AT_MOST, ABOVE, ONE_OF = range(3)

#: The class with the largest share in a graph: start at class 0, and go on to class k where
#: share[k] > share[best] and share[k] > share[best] + TIE * max(1, share[best]).
#: The class with most votes: start at the first class in the order of priority, and go on to the
#: next class k in that order where votes[k] > votes[best] * (1 + TIE).
#: The class of least expected cost: the lowest class whose cost is <= least * (1 + TIE).
TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Input:
    """One feature of a row.

    Parameters
    ----------
    name : str
        The name of the column.
    kind : {"number", "date", "nominal", "ignored"}
        A number, where NaN is missing; a date, as the number of seconds since 1970-01-01 UTC; one
        of `values`, by its index, where any other value is missing; or a column that the model
        does not read.
    values : tuple of labels
        The values of a nominal feature.
    """

    name: str
    kind: Literal["number", "date", "nominal", "ignored"]
    values: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Terms:
    """Terms of sums over features; each array has one entry per term.

    Parameters
    ----------
    feature : array of int32
        The index of the input.
    form : array of int32
        `LINEAR`: ``numbers[first] * value``. `SINGLE`: the same, with the value rounded to float32.
        `STEPS`: the score of the interval of the value, which is ``numbers[first + n_cuts + i]``
        where i is the number of cuts ``numbers[first + j] < value``, for j below `n_cuts`; cuts
        ascend. `SCORES`: ``numbers[first + code]``.
    missing : array of float64
        What is added where the value is missing, whatever the form.
    first, n_cuts : arrays of int32
        Where the numbers of the term are.
    numbers : array of float64
        Coefficients, cuts and scores of all terms.
    """

    feature: Ints
    form: Ints
    missing: Floats
    first: Ints
    n_cuts: Ints
    numbers: Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DescribedGraph:
    """A tree, or a branching program if several branches lead to the same node.

    Node 0 is the root, and branches lead to nodes of higher index. A row starts with the share 1 at
    the root. At a split it takes one branch with its whole share: the first if the value is at most
    the threshold, else the second (`THRESHOLD`); branch ``branch_of_value[first_value + code]``
    (`VALUES`); the first if the sum of the terms is at most the threshold or NaN, else the second
    (`OBLIQUE`). Where a value is missing, or its branch is -1, it takes `missing_branch`. If that
    is -1 too, it is mixed: it takes each branch with ``share * branch_share``, unless that share is
    0. Nodes are visited in ascending order, and a node that a row reaches on several ways has
    the sum of the shares, added in the order of the nodes, then of the branches, that they come
    from.

    A row that is not mixed predicts the `label` of its leaf, with its `confidence` and its class
    shares. A mixed row adds ``share * class_share`` to each class of each leaf that it reaches, in
    the order of the leaves. The class shares are these sums divided by their total, which is added
    in the order of the classes; if the total is 0, the shares are 1 for the label of the root, and
    0 for the others. The label is the class of the largest share (see `TIE`). The confidence is
    ``(w + 1) / (W + 2)``: W is the sum of ``share * leaf_weight`` and w that of ``share *
    class_weight`` of this class over the leaves.

    Parameters
    ----------
    kind : array of int32
        Per node `LEAF`, `THRESHOLD`, `VALUES` or `OBLIQUE`.
    feature : array of int32
        Per node the index of the input; -1 at a leaf or an oblique split.
    threshold : array of float64
        Per node; a number may be infinite, and no value is above infinity.
    missing_branch : array of int32
        Per node; -1 if a missing value is mixed, and at leaves and oblique splits.
    first_branch, n_branches : arrays of int32
        Per node the range of its branches.
    child : array of int32
        Per branch the node that it leads to.
    branch_share : array of float64
        Per branch the share of a mixed row; 0 if it does not take the branch.
    first_value : array of int32
        Per node; see `branch_of_value`.
    branch_of_value : array of int32
        Per value of the splits by value; -1 if the value has no branch.
    first_term, n_terms : arrays of int32
        Per node the range of its terms; a sum adds them in this order.
    terms : Terms
        The terms of all oblique splits.
    label : array of int32
        Per node: the class index that a leaf predicts; at the root also the class of a mixed row
        that reaches no leaf.
    confidence : array of float64
        Per node: the confidence of a leaf in its prediction.
    leaf_weight : array of float64
        Per node; 0 at splits.
    first_class, n_classes : arrays of int32
        Per node the range of the classes of a leaf; other classes have the share 0.
    class_index : array of int32
        Per class of a leaf its index.
    class_share, class_weight : arrays of float64
        Per class of a leaf its share, and its weight.
    """

    kind: Ints
    feature: Ints
    threshold: Floats
    missing_branch: Ints
    first_branch: Ints
    n_branches: Ints
    child: Ints
    branch_share: Floats
    first_value: Ints
    branch_of_value: Ints
    first_term: Ints
    n_terms: Ints
    terms: Terms
    label: Ints
    confidence: Floats
    leaf_weight: Floats
    first_class: Ints
    n_classes: Ints
    class_index: Ints
    class_share: Floats
    class_weight: Floats

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.kind)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DescribedRules:
    """Rules in the order in which they are tried; the first that fires gives label and shares.

    A rule fires if all its conditions hold: the value is at most the threshold (`AT_MOST`), above
    it (`ABOVE`), or its code is in the set (`ONE_OF`). A missing value fails every condition.

    Parameters
    ----------
    first_condition : array of int32
        Rule r has the conditions from ``first_condition[r]`` up to ``first_condition[r + 1]``.
    feature, kind : arrays of int32
        Per condition the index of the input, and `AT_MOST`, `ABOVE` or `ONE_OF`.
    threshold : array of float64
        Per condition.
    codes : tuple of tuples of int
        Per condition the codes of `ONE_OF`, ascending.
    label : array of int32
        Per rule its class index, and last that of a row for which no rule fires.
    shares : array of float64, (n_rules + 1, n_classes)
        The class shares, likewise.
    """

    first_condition: Ints
    feature: Ints
    kind: Ints
    threshold: Floats
    codes: tuple[tuple[int, ...], ...]
    label: Ints
    shares: Floats

    @property
    def n_rules(self) -> int:
        """Number of rules, without the default class."""
        return len(self.first_condition) - 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DescribedSeparators:
    """Sums over features, each in favour of one class against the others.

    The outputs of a row start as `output`. Separator s then sets that of class ``positive[s]`` to
    the sum of its terms minus ``threshold[s]``, in which the sum is rounded first. With two classes
    present, the output of the first is set to minus that of the second.

    The label is the class of the largest output; ties go to the lowest index. The share of a class
    present is p(output) divided by the sum over the classes present, in their order; others have 0.
    Here p(h) = 1 / (1 + exp(min(max(-2 h, -700), 700))), and exp is `exponential` of
    ``weaklearn.models.probabilities``, operation by operation.

    Parameters
    ----------
    output : array of float64
        Per class.
    lowest : float
        The output for a label without a class in the model.
    present : tuple of int
        The indices of the classes that occurred, ascending.
    positive : array of int32
        Per separator.
    threshold : array of float64
        Per separator.
    first_term, n_terms : arrays of int32
        Per separator the range of its terms.
    terms : Terms
        The terms of all separators.
    """

    output: Floats
    lowest: float
    present: tuple[int, ...]
    positive: Ints
    threshold: Floats
    first_term: Ints
    n_terms: Ints
    terms: Terms


@dataclass(frozen=True, slots=True)
class DescribedCalibration:
    """How shares of votes become probabilities.

    The power of a share x starts at 1. For each of the `digits` it becomes its square root, and is
    then multiplied by sqrt(x) if the digit is set. Finally it is multiplied by x `whole` times. The
    powers are divided by their sum. Then p becomes ``(p * total + base_rate) / (total + 1)``.

    Parameters
    ----------
    whole : int
        The whole part of the exponent.
    digits : tuple of bool
        Its binary digits after the point, the last digit first.
    total : float
        The training weight of all classes.
    base_rates : tuple of float
        Per class its share in the training weight.
    """

    whole: int
    digits: tuple[bool, ...]
    total: float
    base_rates: tuple[float, ...]


Member: TypeAlias = DescribedGraph | DescribedRules | DescribedSeparators


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DescribedCommittee:
    """Members that vote.

    The score of a class is the sum over the members, in their order: of the votes of the members
    that predict the class ("label"), of ``vote * confidence`` of these ("confidence"), or of ``vote
    * share`` of all members ("shares"). The label is the class with the largest score (see `TIE`).

    Probabilities follow in four steps. (1) The votes of step 2 are the scores; if `shares_decide`
    is set, they are the scores of the form "shares" instead. (2) Divide the votes by their sum; if
    it is 0, each class has 1 / n_classes. (3) Calibrate them, if there is a calibration. (4) If the
    first class with the largest probability is not the label, divide all by ``1 + (largest -
    probability of the label)``. Then that of the label is the largest of the results times ``1 + 2
    * 2**-52``.

    Parameters
    ----------
    members : tuple of graphs, rules or separators
        In the order in which they are added.
    votes : array of float64
        Per member.
    form : {"label", "confidence", "shares"}
        What a member gives its vote to; "confidence" only if all members are graphs.
    shares_decide : bool
        Whether probabilities follow from the class shares of the members, and not from the scores.
    priority : tuple of int
        All class indices in the order in which they win ties.
    calibration : DescribedCalibration or None
        How shares of the votes become probabilities, unless they are probabilities already.
    """

    members: tuple[Member, ...]
    votes: Floats
    form: VoteForm
    shares_decide: bool
    priority: tuple[int, ...]
    calibration: DescribedCalibration | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DescribedCosts:
    """How a model with costs of errors predicts.

    A probability p becomes p / factor, or 0 if the factor is 0; the results are divided by their
    sum, unless that is 0, in which case the probabilities stay as they were. The expected cost of
    class j is the sum over k of ``p[k] * matrix[k, j]``; it is infinite if the factor of j is 0.
    The class of least expected cost is predicted (see `TIE`).

    Parameters
    ----------
    matrix : array of float64, (n_classes, n_classes)
        What predicting the second class costs for a row of the first.
    factors : array of float64
        Per class.
    """

    matrix: Floats
    factors: Floats


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Description:
    """A fitted model, ready for export.

    Parameters
    ----------
    model_name : str
        The name of the classifier.
    inputs : tuple of Input
        The features of a row, in order.
    labels : tuple of labels
        The classes in the order of ``predict_proba``.
    class_of_label : tuple of int
        Per label the index of its class in the model; -1 for a label whose probability is always
        0, since all its training rows had weight 0.
    label_of_class : tuple of int
        Per class of the model the index of its label, which ``predict`` returns.
    model : graph, rules, separators or committee
        What predicts. All class indices in it are those of the model.
    costs : DescribedCosts or None
        What replaces the class that the model predicts, and its probabilities.
    """

    model_name: str
    inputs: tuple[Input, ...]
    labels: tuple[Label, ...]
    class_of_label: tuple[int, ...]
    label_of_class: tuple[int, ...]
    model: Member | DescribedCommittee
    costs: DescribedCosts | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes of the model."""
        return len(self.label_of_class)

    @property
    def members(self) -> tuple[Member, ...]:
        """The members of a committee, or the model alone."""
        model = self.model
        return model.members if isinstance(model, DescribedCommittee) else (model,)

    def __repr__(self) -> str:
        return (
            f"Description of {self.model_name}: {len(self.inputs)} inputs, {len(self.labels)} "
            f"classes, {len(self.members)} members"
        )
