"""What a boosted forest notes of its members, for parts of it and for files."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.estimators.committee.automatic_size import AutomaticSize
from weaklearn.estimators.committee.forest_kinds import random_tree
from weaklearn.estimators.committee.out_of_bag import OutOfBagVotes
from weaklearn.estimators.saving import take_seed
from weaklearn.models.file_content import number_array, take, take_class_weights, take_numbers
from weaklearn.models.probabilities import GREATEST_EXPONENT


class ForestNotes(OutOfBagVotes, AutomaticSize):
    """Base of the boosted forest: the notes of its fit, which a part keeps and a file stores."""

    n_members: int | str
    max_features: str | float | None
    errors_: NDArray[np.float64]
    _samples: NDArray[np.int64]
    _is_random: NDArray[np.bool_]
    run_length_: int
    random_trees_: int
    min_objects_: float | None
    _class_weights: NDArray[np.float64]
    _exponent: float

    def _keep_notes_of(self, chosen: NDArray[np.intp], own_votes: bool) -> None:
        super()._keep_notes_of(chosen, own_votes)
        if len(chosen) != len(self.errors_):
            self.n_members = len(chosen)
        self.errors_ = self.errors_[chosen]
        self._is_random = self._is_random[chosen]
        samples = self.__dict__.pop("_samples", None)
        if samples is not None and np.array_equal(chosen, np.arange(len(chosen))):
            self._samples = samples[chosen]
        self._forget_out_of_bag()
        self.__dict__.pop("validation_losses_", None)

    def _notes_content(self) -> dict[str, Any]:
        samples = self._samples.tolist() if "_samples" in self.__dict__ else []
        return {
            "errors": self.errors_.tolist(),
            "samples": samples,
            "random": self._is_random.tolist(),
            "run_length": self.run_length_,
            "random_trees": self.random_trees_,
            "min_objects": self.min_objects_,
            "class_weights": self._class_weights.tolist(),
            "exponent": self._exponent,
            "seed": self._seed,
        }

    def _restore_notes(self, content: Mapping[str, Any]) -> None:
        self.errors_ = take_numbers(content, "errors")
        if len(self.errors_) != len(self.members_):
            raise ValueError('its "errors" are not one per member')
        samples = number_array(take(content, "samples", list), "samples", np.dtype(np.int64))
        if len(samples) not in (0, len(self.members_)) or (samples < 0).any():
            raise ValueError('its "samples" are not one index per member')
        if len(samples):
            self._samples = samples
        is_random = take(content, "random", list)
        if len(is_random) != len(self.members_) or not all(type(r) is bool for r in is_random):
            raise ValueError('its "random" is not a truth value per member')
        self._is_random = np.array(is_random)
        self.min_objects_ = content.get("min_objects")  # older files lack it
        if self.min_objects_ is not None and not take(content, "min_objects", float) > 0:
            raise ValueError(f'its "min_objects" is {self.min_objects_}; expected a number > 0')
        for member, random in zip(self.members_, is_random, strict=True):
            if random:
                tree = random_tree(self.max_features, self.min_objects_)
                member.set_params(**tree.get_params(deep=False))
            elif self.min_objects_ is not None:
                member.set_params(min_objects=self.min_objects_)
        self.run_length_ = take(content, "run_length", int)
        if self.run_length_ < 1:
            raise ValueError(f'its "run_length" is {self.run_length_}; expected 1 or more')
        # Older files lack the number. The random members stand after each boosted one.
        counted = len(list(takewhile(bool, is_random[1:])))
        self.random_trees_ = take({"random_trees": counted, **content}, "random_trees", int)
        if self.random_trees_ < 0:
            raise ValueError(f'its "random_trees" is {self.random_trees_}; expected 0 or more')
        self._class_weights = take_class_weights(content, len(self._schema.classes))
        self._exponent = take(content, "exponent", float)
        if not 0 < self._exponent <= GREATEST_EXPONENT:
            raise ValueError(
                f'its "exponent" is {self._exponent}; expected a number > 0, and at most '
                f"{GREATEST_EXPONENT:g}"
            )
        self._seed = take_seed(content)
