"""What every committee can do: predict by votes, and be cut, reweighted and saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import tee
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.estimators.committee.computed_when_read import ComputedWhenRead
from weaklearn.estimators.committee.saving import members_content
from weaklearn.estimators.saving import common_content
from weaklearn.estimators.schema_classifier import SchemaClassifier
from weaklearn.models.prediction import VotingModel, probabilities_of_votes
from weaklearn.models.probabilities import Calibration
from weaklearn.models.voters import Voters, with_members
from weaklearn.models.votes import (
    MemberPredictions,
    check_votes,
    decision_values,
    margins,
    winners,
)
from weaklearn.schema import Schema, encode_classes
from weaklearn.tables.frames import as_columns

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from weaklearn.explain.explanations import Explanations
    from weaklearn.export.description import DescribedCommittee


class Committee(SchemaClassifier):
    """Base of the classifiers whose model is a committee: members that vote.

    The fitted classifier is the committee. It can be cut (``model[:10]``, ``model[[0, 3]]``), given
    other votes, saved and shown, and the result is a fitted classifier of the same kind.
    """

    vote: str
    votes_: NDArray[np.float64]
    interrupted_: bool
    _voters: Voters
    _schema_: Schema
    _training_margins: ComputedWhenRead

    @property
    def _schema(self) -> Schema:
        return self._schema_

    @property
    def _priority(self) -> NDArray[np.uint32]:
        return self._voters.priority

    @property
    def members_(self) -> list[Any]:
        """The members."""
        if "_voters" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} has no members_ before fit")
        return self._voters.members

    @members_.setter
    def members_(self, members: list[Any]) -> None:
        self._voters = with_members(self._voters, members)

    # -- scikit-learn's names ---------------------------------------------------------------------
    @property
    def estimators_(self) -> list[Any]:
        """The members: scikit-learn's name for ``members_``."""
        return self.members_

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """The vote of each member: scikit-learn's name for ``votes_``."""
        return self.votes_

    # -- predicting -------------------------------------------------------------------------------
    def _require_fit(self) -> None:
        if "classes_" not in self.__dict__:  # scikit-learn's check takes longer than a prediction
            check_is_fitted(self)

    def _encode(self, X: Any) -> Any:
        self._require_fit()
        has_names = hasattr(self, "feature_names_in_")
        return self._voters.encode(X, self._schema, type(self).__name__, has_names)

    @property
    def _model(self) -> VotingModel:
        return VotingModel(
            self._voters,
            self.votes_,
            self._needs_class_shares,
            lambda: self._calibration(len(self.votes_)),
        )

    @property
    def _needs_class_shares(self) -> bool:
        """Whether probabilities depend on the members' class shares, and votes do not."""
        return False

    def _probabilities(
        self, class_shares: NDArray[np.float64], winning: NDArray[np.int32], n_voted: int
    ) -> NDArray[np.float64]:
        """Return probabilities from what the members voted; the winning class has the largest.

        `class_shares` are the sums of vote times class shares per row and class if
        `_needs_class_shares`, else the sums of votes. `winning` is the class with most votes in
        each row. The first `n_voted` members voted.
        """
        return probabilities_of_votes(class_shares, winning, self._calibration(n_voted))

    def _calibration(self, n_voted: int) -> Calibration | None:
        """Return how shares of the votes of the first members become probabilities."""
        return None

    def _describe(self, columns: Sequence[int] | None = None) -> DescribedCommittee:
        from weaklearn.estimators.committee.describing import describe_committee

        return describe_committee(self._voters, self.votes_, self._calibration(len(self.votes_)))

    def _restored(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities without the factors of costs."""
        return probabilities if self._cost_rule is None else self._cost_rule.restored(probabilities)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Compute from the probabilities how clearly each row belongs to a class.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of float64
            With two classes one number per row, the probability of the second of ``classes_`` minus
            that of the first: above 0 if the second is predicted. With more classes one number per
            row and class, 1 for a probability of 1 and -1 / (n_classes - 1) for a probability of 0:
            the largest is that of the predicted class. The prediction is the class with most votes.
            With costs another class may be predicted, but these numbers do not know of it.
        """
        rows = self._encode(X)
        return self._decision_values(self._model.predict_class_shares(rows, self._n_threads()))

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Compute the decision function of the first member, the first two, and so on.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Yields
        ------
        array of float64
            The decision function of ``model[:1]``, ``model[:2]``, ...
        """
        check_is_fitted(self)
        for probabilities in self._staged_probabilities(X):
            yield self._decision_values(probabilities)

    def _decision_values(self, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
        in_order = self._in_class_order(probabilities)
        values = decision_values(in_order, in_order.argmax(axis=1))
        if values.shape[1] > 2:
            return values
        return (values[:, -1] - values[:, 0]) / 2.0

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Predict the class of each row by the first member, the first two, and so on.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Yields
        ------
        array of labels
            The prediction of ``model[:1]``, ``model[:2]``, ...
        """
        check_is_fitted(self)
        labels = np.array(self._schema.classes, dtype=object)
        rule = self._cost_rule
        stages = self._voters.stages(self._encode(X), self.votes_, self._n_threads())
        winning = (
            (winners(scores, self._priority) for scores in stages)
            if rule is None
            else (rule.cheapest(rule.restored(p)) for p in self._staged_probabilities(X))
        )
        for of_stage in winning:
            yield labels[of_stage].astype(self.classes_.dtype)

    def _staged_probabilities(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield probabilities with the factors of costs after each member."""
        rows, n_threads = self._encode(X), self._n_threads()
        stages = self._voters.stages(rows, self.votes_, n_threads)
        if self._needs_class_shares:
            share_stages = self._voters.share_stages(rows, self.votes_, n_threads)
        else:
            stages, share_stages = tee(stages)
        for n_voted, (scores, class_shares) in enumerate(
            zip(stages, share_stages, strict=True), start=1
        ):
            winning = winners(scores, self._priority)
            yield self._probabilities(class_shares, winning, n_voted)

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Predict class probabilities by the first member, the first two, and so on.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Yields
        ------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        for probabilities in self._staged_probabilities(X):
            yield self._in_class_order(self._restored(probabilities))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """Compute the accuracy of the first member, the first two, and so on.

        Parameters
        ----------
        X : frame
            As for `predict`.
        y : Series, array or list
            The class of each row.
        sample_weight : array, optional
            A weight per row.

        Yields
        ------
        float
            The score of ``model[:1]``, ``model[:2]``, ...
        """
        from sklearn.metrics import accuracy_score  # takes long to import

        for predicted in self.staged_predict(X):
            yield float(accuracy_score(y, predicted, sample_weight=sample_weight))

    def margins(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Compute the margin of each row.

        Parameters
        ----------
        X : frame
            As for `predict`.
        y : Series, array or list
            The class of each row.

        Returns
        -------
        array of float64
            The votes for the row's class minus the most votes for another class, as a share of all
            votes. It is -1 if all members vote for one wrong class and 1 if all are right. No
            member votes for a class whose training rows all had weight 0.
        """
        rows = self._encode(X)
        known = self._schema.classes
        without_weight = [label for label in self.classes_.tolist() if label not in known]
        classes = encode_classes(y, [*known, *without_weight], as_columns(X).n_rows)
        is_known = classes < len(known)
        if is_known.all():
            return self._voters.margins(rows, classes, self.votes_, self._n_threads())
        votes = self._voters.scores(rows, self.votes_, self._n_threads())
        return margins(np.pad(votes, ((0, 0), (0, len(without_weight)))), classes)

    @property
    def margins_(self) -> NDArray[np.float64]:
        """The margin of each training row of positive weight, computed when first read."""
        if "_training_margins" not in self.__dict__:
            raise AttributeError(
                f"this {type(self).__name__} has no margins_: a committee has them after fit, but "
                "not a part of it, and not a loaded file. Use margins(X, y)."
            )
        return self._training_margins.get()

    def member_predictions(self, X: Any) -> MemberPredictions:
        """Return the prediction of each member for each row, before votes are counted.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        MemberPredictions
            Predictions, and their confidences or probabilities if members vote with these.
        """
        return self._voters.member_predictions(self._encode(X), self._n_threads())

    def _explain_rows(self, rows: Any, n_threads: int) -> Explanations:
        from weaklearn.estimators.committee.explaining import explain_committee

        return explain_committee(self, rows, n_threads)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf that each row reaches in each member.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of int32, (n_rows, n_members)
            Indices of nodes in the members' graphs; see `GraphClassifier.apply` for missing values.
        """
        return self._voters.apply(self._encode(X), self._n_threads())

    def decision_path(self, X: Any) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the nodes that each row visits in the members.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        sparse matrix of shape (n_rows, n_nodes)
            The share of the row at each node: 1.0, or less below a split on a missing value.
        array of int64
            Columns ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1]`` of the matrix belong to member i.
        """
        return self._voters.decision_path(self._encode(X), self._n_threads())

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each column: the mean over the members, weighted by votes."""
        check_is_fitted(self)
        return self._voters.importances(self.votes_, len(self._schema.features))

    # -- cutting and reweighting ------------------------------------------------------------------
    def __len__(self) -> int:
        check_is_fitted(self)
        return len(self.members_)

    def __bool__(self) -> bool:
        return True  # an unfitted committee is not an empty list

    def __getitem__(self, which: Any) -> Any:
        """Return a member by its index, or a committee of some members: ``model[:10]``.

        A slice, a list of indices or a list of flags returns a fitted classifier of the same kind.
        """
        check_is_fitted(self)
        if isinstance(which, int | np.integer):
            return self.members_[which]
        chosen = np.arange(len(self.members_))[which]
        if chosen.size == 0:
            raise ValueError("this selects no member; a committee needs at least one.")
        return self._part(chosen, self.votes_[chosen], own_votes=True)

    def _part(self, chosen: NDArray[np.intp], votes: NDArray[np.float64], own_votes: bool) -> Self:
        part = copy(self)
        part._voters = self._voters.take(chosen)
        part.votes_ = votes
        part._keep_notes_of(chosen, own_votes)
        return part

    def _keep_notes_of(self, chosen: NDArray[np.intp], own_votes: bool) -> None:
        """Drop what the fit noted of the whole committee; cut what it noted of each member.

        A subclass extends it. `own_votes` is whether the chosen members keep their votes.
        """
        self.__dict__.pop("_training_margins", None)
        self.__dict__.pop("pruning_", None)

    def with_votes(self, votes: Any) -> Self:
        """Return the same committee with other votes.

        Parameters
        ----------
        votes : array of float
            One per member, finite, none negative, not all zero.

        Returns
        -------
        classifier
            A fitted classifier of the same kind; this one keeps its votes.
        """
        check_is_fitted(self)
        n_members = len(self.members_)
        return self._part(np.arange(n_members), check_votes(votes, n_members), own_votes=False)

    def _content(self) -> dict[str, Any]:
        return {**common_content(self), **members_content(self)}
