"""
The compiled core of weaklearn. Arrays in, arrays out; use the Python classes instead.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

class Bins:
    """The bins of a column of numbers."""

    @property
    def tops(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def single_precision(self) -> bool: ...
    @property
    def n_codes(self) -> int: ...
    def codes(
        self,
        numbers: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), device="cpu", writable=False)
        ],
    ) -> object:
        """
        Return the bin of each number as uint8 or uint16; the number of bins means missing.
        """

    def __getstate__(self) -> tuple[list[float], bool, int, float]: ...
    def __setstate__(self, arg: tuple[Sequence[float], bool, int, float], /) -> None: ...

class BinSummary:
    """
    What the bins of a column need to know of its numbers, which are added in parts.
    """

    def __init__(self, max_bins: int, n_known: int = 0) -> None: ...
    def add(
        self,
        numbers: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), device="cpu", writable=False)
        ],
        first_row: int,
    ) -> None:
        """
        Add the numbers of consecutive rows; first_row is the position of the first.
        """

    def merge(self, other: BinSummary) -> None:
        """Add the rows of another summary."""

    @staticmethod
    def merged(summaries: list) -> BinSummary:
        """Return the summary of the rows of all summaries."""

    def bins(self, exact: bool = False) -> Bins:
        """Return the bins; exact keeps double precision, as dates need it."""

    @property
    def max_bins(self) -> int: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_missing(self) -> int: ...
    def __getstate__(self) -> tuple[int, int, int, int, float, bytes, bytes, bytes]: ...
    def __setstate__(
        self, arg: tuple[int, int, int, int, float, bytes, bytes, bytes], /
    ) -> None: ...

def ranges_of_columns(columns: list) -> list[tuple[float, float, int]]:
    """
    Return the lowest and the highest number of each column, and how many numbers are not NaN.
    """

def add_to_summaries(
    summaries: list, columns: list, first_row: int, ranges: Sequence[tuple[float, float, int]] = []
) -> None:
    """
    Add the numbers of consecutive rows, with the ranges of ranges_of_columns if they are known.
    """

def bins_of_columns(summaries: list, exact: Sequence[bool], n_threads: int = 1) -> list[Bins]:
    """
    Return the bins of each column, of which there is a list of summaries; see BinSummary.bins.
    """

def codes_of_columns(bins: list, columns: list) -> list:
    """
    Return the bin of each number of each column; the number of bins means missing.
    """

class Column:
    """An encoded column of a dataset, which a forest can predict."""

    @property
    def n_codes(self) -> int: ...
    @property
    def n_missing(self) -> int: ...

class Dataset:
    """Columns encoded once, shared by every fit."""

    def __init__(
        self,
        columns: list,
        n_values: Sequence[int],
        classes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        n_classes: int,
        single: bool = False,
        n_threads: int = 1,
        exact: Sequence[int] = [],
        max_bins: int = 0,
    ) -> None: ...
    @staticmethod
    def from_codes(
        codes: list,
        bins: list,
        n_values: Sequence[int],
        classes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        n_classes: int,
        n_threads: int = 1,
    ) -> Dataset:
        """
        Return the dataset of encoded columns; nominal ones have None in place of bins.
        """

    def select_columns(self, columns: Sequence[int]) -> Dataset:
        """Return a copy with some of the columns, in this order."""

    def columns_like_keys(self, total: float) -> list[int]:
        """
        Return the nominal columns whose values hardly repeat in rows that weigh `total` together.
        """

    @property
    def columns(self) -> list: ...
    @property
    def classes(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def inseparable(self) -> list[int]: ...
    @property
    def single_precision(self) -> list[bool]: ...

class Graph:
    """Nodes and branches; node 0 is the root."""

    @staticmethod
    def from_arrays(n_classes: int, columns: Sequence[tuple[int, bool]], arrays: dict) -> Graph:
        """
        Make a graph from its arrays; every index is checked. A column is a pair: the number of its
        values, 0 if it is continuous, and whether it is compared in single precision.
        """

    def arrays(self) -> dict:
        """Return the arrays of the graph by name, read-only and without a copy."""

    def predicted_shares(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Return the class shares that each node predicts, node after node."""

    @property
    def depth(self) -> int: ...

GRAPH_DTYPES: dict = ...

NO_VALUE_ABOVE: float = 1.7976931348623157e308

SPLIT_KINDS: tuple = ...

TERM_FORMS: tuple = ("linear", "steps", "values")

def compact_graphs(graphs: list) -> dict:
    """Return the arrays of the compact form of graphs, by name."""

def expand_graphs(n_classes: int, columns: Sequence[tuple[int, bool]], arrays: dict) -> list:
    """
    Return the graphs of a compact form; every index is checked. A list that is absent is empty.
    Columns are described as for Graph.from_arrays.
    """

def check_graphs(n_classes: int, columns: Sequence[tuple[int, bool]], arrays: dict) -> None:
    """Raise a ValueError if expand_graphs would."""

def expand_forest(n_classes: int, columns: Sequence[tuple[int, bool]], arrays: dict) -> Forest:
    """
    Return the forest of the graphs of a compact form, without keeping the graphs.
    """

COMPACT_DTYPES: dict = ...

class Forest:
    """The nodes of one or several graphs in one array, for prediction."""

    def __init__(self, graphs: list) -> None: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def n_nodes(self) -> int: ...
    def predict_members(
        self,
        columns: list,
        n_rows: int,
        form: str = "label",
        n_threads: int = 1,
        positions: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ]
        | None = None,
    ) -> tuple: ...
    def count_votes(
        self,
        columns: list,
        n_rows: int,
        votes: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        form: str = "label",
        n_threads: int = 1,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def predict(
        self,
        columns: list,
        n_rows: int,
        votes: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        form: str,
        priority: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        n_threads: int = 1,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def margins(
        self,
        columns: list,
        n_rows: int,
        votes: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        form: str,
        classes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        n_threads: int = 1,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def apply(
        self, columns: list, n_rows: int, n_threads: int = 1
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...
    def decision_path(self, columns: list, n_rows: int, n_threads: int = 1) -> tuple: ...
    def class_shares(
        self, columns: list, n_rows: int, n_threads: int = 1
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def excess(
        self, columns: list, n_rows: int, n_threads: int = 1
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def branch_class_weights(
        self,
        columns: list,
        n_rows: int,
        classes: Annotated[
            NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

def winners(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    priority: Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    Return the class with most votes of each row; ties go to the first in the priority.
    """

class ClassFactors:
    """Relative weights of classes, and relative costs of errors, row by row."""

    def __init__(
        self,
        factors: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        costs: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...

def criteria() -> list[str]:
    """Return the names of the criteria that need no parameters."""

def additive_criteria() -> list[str]:
    """
    Return the names of the criteria that are sums of terms, one per class.
    """

MOST_SUBSET_VALUES: int = 1000

def fit_c45(
    dataset: Dataset,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), device="cpu", writable=False)]
    | Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    criterion: str = "entropy",
    use_gain_ratio: bool = True,
    min_objects: float = 2.0,
    confidence: float = 0.25,
    prune: bool = True,
    subset: bool = False,
    threshold_penalty: bool = True,
    max_depth: int = 4294967295,
    max_leaves: int = 18446744073709551615,
    min_impurity_decrease: float = 0.0,
    ccp_alpha: float = 0.0,
    shrinkage: float = 0.0,
    release8: bool = False,
    missing_takes_branch: bool = False,
    random_splits: bool = False,
    max_features: int = 4294967295,
    seed: int = 0,
    classes: ClassFactors = ...,
    n_threads: int = 1,
    counted: CountedRows | None = None,
    scale: float = 1.0,
) -> Graph:
    """Fit C4.5 to weights times `scale`, or to counts that are bytes."""

def c45_pruning_path(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    criterion: str,
    use_gain_ratio: bool,
    min_objects: float,
    subset: bool,
    threshold_penalty: bool,
    max_depth: int,
    max_leaves: int,
    min_impurity_decrease: float,
    missing_takes_branch: bool,
    random_splits: bool,
    max_features: int,
    seed: int,
    classes: ClassFactors,
    n_threads: int,
) -> list[tuple[float, float]]:
    """
    Return the costs of a leaf at which pruning cuts the tree, and the impurity from there on.
    """

def fit_topdown(
    dataset: Dataset,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), device="cpu", writable=False)]
    | Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    criterion: str,
    impurities: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    n_rounds: int,
    max_depth: int,
    min_objects: float,
    grouping: bool,
    prune: bool,
    confidence: float,
    shrinkage: float = 0.0,
    missing_takes_branch: bool = False,
    max_features: int = 4294967295,
    seed: int = 0,
    classes: ClassFactors = ...,
    n_threads: int = 1,
    counted: CountedRows | None = None,
    leaves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")]
    | Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu")]
    | None = None,
    scale: float = 1.0,
) -> Graph:
    """
    Fit a tree best first to weights times `scale`; `leaves` takes leaves, or -1 (255 as a byte).
    """

def leaves_fit_in_bytes(dataset: Dataset, n_rounds: int, grouping: bool) -> bool:
    """Return whether `leaves` may be bytes."""

def fit_stump(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    classes: ClassFactors = ...,
    n_threads: int = 1,
) -> Graph: ...
def extra_errors(confidence: float, n: float, e: float) -> float:
    """
    Return the pessimistic errors beyond e training errors at a leaf of weight n.
    """

def extra_errors_release8(percent: float, n: float, e: float) -> float:
    """
    Return the same as the original program rounds it; percent is its option -c.
    """

def merge_rules() -> list[str]:
    """Return the names of the merge rules."""

def fit_program(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    criterion: str,
    impurities: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    merge: str,
    merge_share: float,
    max_width: int,
    max_levels: int,
    max_nodes: int,
    split_without_gain: bool,
    min_objects: float,
    prune: bool,
    confidence: float,
    missing_takes_branch: bool = False,
    classes: ClassFactors = ...,
    n_threads: int = 1,
) -> tuple: ...
def count_agreements(
    classes: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    n_members: int,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    n_threads: int = 1,
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The weight of the rows on which each two members agree; without weights their number.
    """

def powers(
    numbers: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    whole: int,
    digits: Sequence[bool],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    The numbers to the power of an exponent: its whole part, and its binary digits, the last first.
    """

def vote_shares(
    votes: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The votes as shares of all votes of the row."""

def calibrated(
    shares: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    whole: int,
    digits: Sequence[bool],
    total: float,
    base_rates: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Probabilities from shares of votes."""

def vote_probabilities(
    votes: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    winning: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Probabilities from votes: their shares, with the largest of a row for its predicted class.
    """

def calibrated_probabilities(
    votes: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    winning: Annotated[
        NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    whole: int,
    digits: Sequence[bool],
    total: float,
    base_rates: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The same with calibrated shares."""

def two_sided_criteria() -> list[str]:
    """Return the names of the impurities of OC1."""

def fit_oc1(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    criterion: str,
    n_restarts: int,
    n_jumps: int,
    validation_share: float,
    max_depth: int,
    seed: int,
    classes: ClassFactors = ...,
    n_threads: int = 1,
) -> Graph: ...
def fit_sadt(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    criterion: str,
    temperature: float,
    cooling: float,
    patience: int,
    validation_share: float,
    max_depth: int,
    seed: int,
    classes: ClassFactors = ...,
) -> Graph: ...
def two_sided_impurity(
    criterion: str,
    left: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    right: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> float:
    """
    Return the impurity of a split in two, from the class weights of both sides, as in OC1.
    """

G2_LARGEST_MU: float = 0.9999999999

def g2_step(
    signed_weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    outputs: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> tuple: ...
def g2_leaf_outputs(
    positive: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    negative: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
def fit_separator(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    positive: int,
    n_rounds: int,
    n_threads: int = 1,
) -> tuple: ...
def fit_boost_odt(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    n_stumps: int,
    max_depth: int,
    max_splits: int,
    prune: bool,
    confidence: float,
    classes: ClassFactors = ...,
    n_threads: int = 1,
) -> Graph: ...

class Condition:
    """
    A condition of a rule: a column, an index in CONDITION_KINDS, and what it needs.
    """

    def __init__(self, column: int, kind: int, threshold: float, values: Sequence[int]) -> None: ...
    @property
    def column(self) -> int: ...
    @property
    def kind(self) -> int: ...
    @property
    def threshold(self) -> float: ...
    @property
    def values(self) -> list[int]: ...

class Rule:
    """
    Conditions, the class that they predict, and what the rule did on the training rows.
    """

    def __init__(
        self,
        label: int,
        error: float,
        number: int,
        conditions: Sequence[Condition],
        covered: float,
        covered_errors: float,
        used: float,
        used_errors: float,
    ) -> None: ...
    @property
    def label(self) -> int: ...
    @property
    def error(self) -> float: ...
    @property
    def number(self) -> int: ...
    @property
    def conditions(self) -> list[Condition]: ...
    @property
    def covered(self) -> float: ...
    @property
    def covered_errors(self) -> float: ...
    @property
    def used(self) -> float: ...
    @property
    def used_errors(self) -> float: ...

class Ruleset:
    """Rules in the order in which they are tried, and a default class."""

    def __init__(
        self,
        columns: Sequence[tuple[int, bool]],
        rules: Sequence[Rule],
        default_class: int,
        class_weights: Sequence[float],
        default_weights: Sequence[float],
    ) -> None: ...
    @property
    def rules(self) -> list[Rule]: ...
    @property
    def default_class(self) -> int: ...
    @property
    def class_weights(self) -> list[float]: ...
    @property
    def default_weights(self) -> list[float]: ...

class RuleMatcher:
    """Finds the rules that match rows."""

    def __init__(self, ruleset: Ruleset) -> None: ...
    def first_match(
        self, columns: list, n_rows: int, n_threads: int = 1
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Return per row the position of the first rule that matches it, or -1."""

    def all_matches(self, columns: list, n_rows: int, n_threads: int = 1) -> tuple:
        """
        Return the positions of the rules that match each row, and where each row starts in it.
        """

CONDITION_KINDS: tuple = ("=", "<=", ">", "in")

HIGHEST_RULE_ERROR: float = 0.7

def fit_rules(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    use_gain_ratio: bool = True,
    min_objects: float = 2.0,
    subset: bool = False,
    threshold_penalty: bool = True,
    max_depth: int = 4294967295,
    confidence: float = 0.25,
    fisher: float | None = None,
    redundancy: float = 1.0,
    annealing: bool = False,
    release8: bool = False,
    classes: ClassFactors = ...,
    n_threads: int = 1,
) -> Ruleset: ...
def simplify_trees(
    dataset: Dataset,
    weights: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    trees: Sequence[Graph],
    confidence: float = 0.25,
    fisher: float | None = None,
    redundancy: float = 1.0,
    annealing: bool = False,
    classes: ClassFactors = ...,
    n_threads: int = 1,
) -> Ruleset:
    """Make a ruleset of trees for the columns and classes of the dataset."""

def shap_values(
    graphs: list,
    votes: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    columns: list,
    n_rows: int,
    n_threads: int = 1,
) -> tuple:
    """
    Return n_rows x n_columns x n_classes Shapley values and n_rows x n_classes base values.
    """

def exact_sum(
    numbers: Annotated[
        NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
) -> bytes:
    """
    Return the exact sum of numbers in units of 2^-1074, as a signed whole number.
    """

class WeightUnit:
    """The power of two of which all weights of a fit are multiples."""

    @staticmethod
    def first_unit(largest: float, n_rows: int) -> float: ...
    @staticmethod
    def sum_in(
        first_unit: float,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> int: ...
    @staticmethod
    def from_sum(first_unit: float, sum: int) -> WeightUnit: ...
    @property
    def value(self) -> float: ...

class PartOfRows:
    """Some rows of a fit, and the sums that a tree needs of them."""

    def __init__(
        self,
        dataset: Dataset,
        weights: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        unit: WeightUnit,
    ) -> None: ...
    def tables(
        self,
        tree: bytes,
        name_of_tree: int,
        nodes: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def node_sums(
        self,
        tree: bytes,
        requests: Annotated[
            NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class CountedRows:
    """The sums over all parts, asked for from Python."""

    def __init__(self, counter: object, unit: WeightUnit, all_weigh_one: bool) -> None: ...
