"""The results of a comparison of models: frames, ranks, tests and conclusions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.experiments.paired_tests import (
    corrected_t_test,
    holm_correction,
    sign_test,
    wilcoxon_test,
)
from weaklearn.experiments.peer_models import ComparedModel
from weaklearn.experiments.prediction_scores import area_under_curve
from weaklearn.experiments.rank_tests import RankTest, rank_test, ranks_of
from weaklearn.experiments.result_store import StoredResult
from weaklearn.experiments.work_units import WorkUnit

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: The measures that models are ranked by, and whether the highest value is the best.
RANKED_MEASURES = {"error": False, "log_loss": False, "auc": True}
#: A difference counts if chance alone would make it with a probability below this.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What a report says about a table.

    Parameters
    ----------
    name : str
        The table's name.
    n_rows, n_continuous, n_nominal : int
        The number of rows, and of features of each kind.
    n_rows_of_class : tuple of int
        The number of rows of each class.
    missing_share : float
        The share of the cells that are missing.
    """

    name: str
    n_rows: int
    n_continuous: int
    n_nominal: int
    n_rows_of_class: tuple[int, ...]
    missing_share: float


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Which model is best by error, and whether its lead counts.

    Parameters
    ----------
    best : str
        The model with the lowest error, or with the lowest mean rank if there are several tables.
    not_worse : tuple of str
        The models whose difference from the best does not count.
    worse : tuple of str
        The models that are worse, with a difference that counts.
    test : str
        The test that decided.
    """

    best: str
    not_worse: tuple[str, ...]
    worse: tuple[str, ...]
    test: str


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """The results of models on tables; `compare` returns it.

    Parameters
    ----------
    tables : tuple of TableFacts
        The tables.
    models : mapping
        The models that ran, by name.
    absent : mapping
        The models that are not installed, and what to type.
    baseline : str or None
        The model that the others have to beat; it is not ranked.
    n_folds, n_seeds, seed : int
        The design.
    outcomes : mapping
        The stored result of each unit.
    digest : str
        Equal for two comparisons with the same results; measured times do not matter.
    """

    tables: tuple[TableFacts, ...]
    models: Mapping[str, ComparedModel]
    absent: Mapping[str, str]
    baseline: str | None
    n_folds: int
    n_seeds: int
    seed: int
    outcomes: Mapping[WorkUnit, StoredResult] = field(repr=False)
    digest: str = ""

    def __repr__(self) -> str:
        return (
            f"Comparison({_counted(len(self.models), 'model')} on "
            f"{_counted(len(self.tables), 'table')}, {_counted(self.n_seeds, 'seed')} x "
            f"{self.n_folds} folds)"
        )

    @cached_property
    def failures(self) -> dict[tuple[str, str], str]:
        """The reason why a model has no result on a table, by table and model."""
        reasons: dict[tuple[str, str], str] = {}
        for unit, stored in self.outcomes.items():
            if stored.result is None:
                reasons.setdefault((unit.problem, unit.learner), stored.error or "failed")
        return reasons

    @cached_property
    def seconds(self) -> float:
        """The time that all fits and predictions took together."""
        return sum(stored.seconds for stored in self.outcomes.values())

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each table and model.

        Returns
        -------
        DataFrame
            ``error`` and its ``standard_error`` over folds, ``log_loss``, ``auc``, the seconds of a
            fit and of the predictions for one fold, ``leaves`` (or rules), ``conditions`` (or
            splits) and ``members`` of the model, as means over folds; ``failure`` is the reason
            why there is no result.
        """
        import pandas as pd

        rows = [
            {"table": table.name, "model": model, **self._scores[table.name, model]}
            for table in self.tables
            for model in self.models
        ]
        return pd.DataFrame(rows)

    def values(self, measure: str = "error") -> pd.DataFrame:
        """Return one measure, with a row for each table and a column for each model.

        Parameters
        ----------
        measure : str
            A column of `to_frame`.

        Returns
        -------
        DataFrame
            NaN where a model has no result.
        """
        frame = self.to_frame().pivot_table(
            index="table", columns="model", values=measure, sort=False, dropna=False
        )
        return frame.reindex(index=[t.name for t in self.tables], columns=list(self.models))

    def ranks(self, measure: str = "error") -> pd.DataFrame:
        """Rank the models on each table; equal results share the mean of their ranks.

        Parameters
        ----------
        measure : {"error", "log_loss", "auc"}
            What to rank by.

        Returns
        -------
        DataFrame
            A row for each table and a column for each model; 1 is the best. A model without a
            result on some table that others have a result on is left out.
        """
        import pandas as pd

        values = self._ranked_values(measure)
        ranks = ranks_of(values.to_numpy(), higher_is_better=RANKED_MEASURES[measure])
        return pd.DataFrame(ranks, index=values.index, columns=values.columns)

    def rank_test(self, measure: str = "error") -> RankTest | None:
        """Test whether the mean ranks differ; None with fewer than two tables or models."""
        ranks = self.ranks(measure)
        if min(ranks.shape) < 2:
            return None
        # Of two models with the same mean rank, the one with the better mean comes first.
        means = self._ranked_values(measure).mean()
        ranks = ranks[means.sort_values(ascending=not RANKED_MEASURES[measure]).index]
        return rank_test(list(ranks.columns), ranks.to_numpy())

    def wins_and_losses(self, measure: str = "error") -> pd.DataFrame:
        """Compare each two models over the tables where both have results.

        Parameters
        ----------
        measure : {"error", "log_loss", "auc"}
            What to compare.

        Returns
        -------
        DataFrame
            For each pair, on how many tables the first model is better (``wins``), worse
            (``losses``) and equal (``ties``), the p-values of the sign test and of Wilcoxon's
            signed-rank test, and the mean of the second model's values minus the first's.
        """
        import pandas as pd

        values = self.values(measure).drop(columns=[self.baseline], errors="ignore")
        sign = -1.0 if RANKED_MEASURES[measure] else 1.0
        rows = []
        for first, second in combinations(values.columns, 2):
            both = values[[first, second]].dropna().to_numpy()
            if len(both) == 0:
                continue
            a, b = sign * both.T
            counts = sign_test(a, b)
            rows.append(
                {
                    "first": first,
                    "second": second,
                    "wins": counts.wins,
                    "losses": counts.losses,
                    "ties": counts.ties,
                    "sign_test_p": counts.p,
                    "wilcoxon_p": wilcoxon_test(a, b),
                    "mean_difference": float((both[:, 1] - both[:, 0]).mean()),
                }
            )
        columns = ["first", "second", "wins", "losses", "ties"]
        columns += ["sign_test_p", "wilcoxon_p", "mean_difference"]
        return pd.DataFrame(rows, columns=columns)

    def summary(self) -> pd.DataFrame:
        """Return a row for each model, with means over the tables that have results.

        Returns
        -------
        DataFrame
            The means of the columns of `to_frame`, and the mean ``rank`` by each measure (NaN where
            the model is not ranked). The best mean rank by error comes first.
        """
        frame = self.to_frame()
        common = self._ranked_values("error").index
        means = (
            frame[frame["table"].isin(common)]
            .drop(columns=["table", "failure"])
            .groupby("model", sort=False)
            .mean()
            .reindex(list(self.models))
        )
        for measure in RANKED_MEASURES:
            means[f"{measure}_rank"] = self.ranks(measure).mean()
        # A model that failed somewhere has means over other tables, which cannot be compared.
        failed = {model for (table, model) in self.failures if table in set(common)}
        means.loc[means.index.isin(failed)] = np.nan
        is_baseline = means.index == self.baseline
        return means.iloc[
            np.lexsort((means["error"].to_numpy(), means["error_rank"].to_numpy(), is_baseline))
        ]

    def conclusion(self) -> Conclusion | None:
        """Return which model has the lowest error, and whether its lead counts.

        With one table the best model is compared with each other model by the corrected t-test over
        folds, with Holm's correction for the number of tests. With several tables Nemenyi's test
        compares mean ranks. None if fewer than two models have results.
        """
        ranked = self._ranked_values("error")
        if ranked.shape[1] < 2 or not len(ranked):
            return None
        if len(ranked) > 1:
            test = self.rank_test("error")
            assert test is not None
            worse = tuple(m for m in test.models[1:] if m not in test.tied_with_best)
            return Conclusion(test.models[0], test.tied_with_best, worse, "Nemenyi test of ranks")
        (table,) = ranked.index
        errors = ranked.iloc[0].sort_values(kind="stable")
        best, *others = errors.index
        rates = {model: self._error_rates(table, model) for model in errors.index}
        p_values = [corrected_t_test(rates[best], rates[m], self.n_folds).p for m in others]
        corrected = holm_correction(p_values)
        worse = tuple(m for m, p in zip(others, corrected, strict=True) if p < LEVEL)
        not_worse = tuple(m for m in others if m not in worse)
        return Conclusion(best, not_worse, worse, "corrected t-test with Holm's correction")

    def plot(self, measure: str = "error", ax: Axes | None = None) -> Axes:
        """Draw the mean ranks with the critical difference (Demsar 2006).

        Parameters
        ----------
        measure : {"error", "log_loss", "auc"}
            What to rank by.
        ax : matplotlib Axes, optional
            Where to draw.

        Returns
        -------
        matplotlib Axes
            Models that a bar connects do not differ significantly.
        """
        from weaklearn.experiments.plot_ranks import plot_rank_test

        test = self.rank_test(measure)
        if test is None:
            raise ValueError(
                "a diagram of ranks needs at least two models with results on at least two tables."
            )
        return plot_rank_test(test, ax)

    def _ranked_values(self, measure: str) -> pd.DataFrame:
        """Return the values of the models that can be ranked, on the tables with results."""
        if measure not in RANKED_MEASURES:
            raise ValueError(
                f"measure must be one of {', '.join(RANKED_MEASURES)}, got {measure!r}."
            )
        values = self.values(measure).drop(columns=[self.baseline], errors="ignore")
        values = values.dropna(how="all")
        return values.dropna(axis="columns")

    @cached_property
    def _trials(self) -> dict[tuple[str, str], list[dict[str, Any]]]:
        """The results of the trials of each table and model, by seed and fold."""
        trials: dict[tuple[str, str], list[tuple[int, int, dict[str, Any]]]] = {}
        for unit, stored in self.outcomes.items():
            if stored.result is not None:
                key = (unit.problem, unit.learner)
                trials.setdefault(key, []).append((unit.repeat, unit.fold, stored.result))
        return {
            key: [result for *_, result in sorted(of_key, key=lambda trial: trial[:2])]
            for key, of_key in trials.items()
        }

    def _error_rates(self, table: str, model: str) -> list[float]:
        return [trial["errors"] / trial["n_test"] for trial in self._trials[table, model]]

    @cached_property
    def _scores(self) -> dict[tuple[str, str], dict[str, Any]]:
        return {
            (table.name, model): self._combine(table, model)
            for table in self.tables
            for model in self.models
        }

    def _combine(self, table: TableFacts, model: str) -> dict[str, Any]:
        names = ("error", "standard_error", "log_loss", "auc", "fit_seconds", "predict_seconds")
        scores: dict[str, Any] = dict.fromkeys((*names, "leaves", "conditions", "members"), np.nan)
        scores["failure"] = self.failures.get((table.name, model))
        trials = self._trials.get((table.name, model), [])
        if scores["failure"] is not None or not trials:
            return scores
        n_test = np.array([trial["n_test"] for trial in trials])
        errors = np.array([trial["errors"] for trial in trials])
        scores["error"] = float(errors.sum() / n_test.sum())
        scores["standard_error"] = float((errors / n_test).std(ddof=1) / np.sqrt(self.n_folds))
        if "log_loss" in trials[0]:
            losses = np.array([trial["log_loss"] for trial in trials])
            scores["log_loss"] = float((losses * n_test).sum() / n_test.sum())
            won, pairs = (
                np.array([trial[name] for trial in trials]).sum(axis=0)
                for name in ("pairs_won", "pairs")
            )
            scores["auc"] = area_under_curve(won, pairs, np.array(table.n_rows_of_class))
        for name in ("fit", "predict"):
            seconds = [trial["seconds"][name] for trial in trials]
            scores[f"{name}_seconds"] = float(np.mean(seconds))
        if all(trial["size"] for trial in trials):
            for name in ("leaves", "conditions", "members"):
                sizes = [trial["size"][name] for trial in trials]
                if None not in sizes:
                    scores[name] = float(np.mean(sizes))
        return scores


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
