"""Read the plan of a paper: its experiments, tables and figures, described in one TOML file.

A plan has experiments (which learners on which problems, how the rows are split, what is measured),
the tables that are made of them with the published values of each cell, and figures. A plan is
checked when it is read, so a mistake is reported at once and not after hours of work.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

from weaklearn.experiments.load_problem import KEYS, ProblemError, check_problem
from weaklearn.experiments.plan_measures import MEASURES
from weaklearn.experiments.plan_splits import SPLIT_DESIGNS
from weaklearn.experiments.work_units import WorkUnit

#: The keys of a problem that do not describe its table, but how it is split and how often.
_TRIAL_KEYS = ("splits", "n_repeats")


class PlanError(ValueError):
    """A plan that cannot be run; the message says which plan, where, and what was expected."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Learners on problems, and what is measured.

    Parameters
    ----------
    name : str
        The name by which tables and figures refer to it.
    splits : mapping
        How rows are split: ``kind`` is one of `SPLIT_DESIGNS`, the rest are its settings.
    measure : mapping
        What is measured: ``kind`` is one of `MEASURES`, the rest are its settings.
    n_repeats : int
        How many times the rows are split, each time with another seed.
    seed : int
        The seed that all other seeds are derived from.
    learners : mapping
        By name, each as `make_classifier` reads it.
    problems : mapping
        By the paper's name, each as `check_problem` describes it. ``splits`` and ``n_repeats`` of a
        problem override those of the experiment.
    quick : mapping
        What a quick run uses instead: ``problems`` to keep, ``n_repeats``, ``splits``.
    """

    name: str
    splits: Mapping[str, Any]
    measure: Mapping[str, Any]
    n_repeats: int
    seed: int
    learners: Mapping[str, Mapping[str, Any]]
    problems: Mapping[str, Mapping[str, Any]]
    quick: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return (
            f"Experiment({self.name}: {len(self.learners)} learners on {len(self.problems)} "
            f"problems, measures {self.measure['kind']})"
        )

    def table_of(self, problem: str) -> dict[str, Any]:
        """Return the description of a problem's table, without how its rows are split."""
        described = self.problems[problem]
        return {key: value for key, value in described.items() if key not in _TRIAL_KEYS}

    def splits_of(self, problem: str) -> dict[str, Any]:
        """Return how the rows of a problem are split."""
        return {**self.splits, **self.problems[problem].get("splits", {})}

    def n_repeats_of(self, problem: str) -> int:
        """Return how many repeats a problem has."""
        return int(min(self.n_repeats, self.problems[problem].get("n_repeats", self.n_repeats)))

    def n_trials(self, problem: str) -> int:
        """Return how many trials one repeat has."""
        splits = self.splits_of(problem)
        return SPLIT_DESIGNS[splits["kind"]].n_trials(splits)

    def only(self, problems: Sequence[str]) -> Experiment:
        """Return the experiment with these problems, as far as it has them."""
        kept = {name: table for name, table in self.problems.items() if name in problems}
        return replace(self, problems=kept)

    def reduced(self, problems: Sequence[str] | None) -> Experiment:
        """Return the experiment as a quick run has it, with these problems if any are given."""
        if problems is None:
            problems = self.quick.get("problems", list(self.problems))
        return replace(
            self.only(problems),
            n_repeats=min(self.n_repeats, self.quick.get("n_repeats", self.n_repeats)),
            splits={**self.splits, **self.quick.get("splits", {})},
        )

    def units(self, paper: str) -> Iterator[WorkUnit]:
        """Return a unit for every problem, learner, repeat and trial, sorted by problem."""
        for problem in self.problems:
            splits = self.splits_of(problem)
            splits.pop("n_used", None)  # it limits the number of trials, and changes none of them
            shared = {
                "problem": self.table_of(problem),
                "splits": splits,
                "measure": dict(self.measure),
                "seed": self.seed,
            }
            for name, learner in self.learners.items():
                for repeat in range(self.n_repeats_of(problem)):
                    for fold in range(self.n_trials(problem)):
                        yield WorkUnit.of(
                            *(paper, self.name, problem, name, repeat, fold),
                            {**shared, "learner": learner},
                        )


@dataclass(frozen=True, slots=True)
class Plan:
    """The experiments of a paper, and what a report shows of them.

    Parameters
    ----------
    paper : str
        The short name of the paper, and of the plan's file.
    title, source, about : str
        The paper's title, where it appeared, and what is compared.
    experiments : mapping
        By name.
    published : mapping
        The values that the paper prints, by table, row and column.
    tables, comparisons, figures : tuple of mapping
        What the report shows of the experiments.
    notes : tuple of str
        What a reader should know, such as how our tables differ from the paper's.
    is_quick : bool
        Whether the plan was reduced to fewer problems and repeats.
    whole : Plan or None
        The plan that this one was reduced from; None for a whole plan.
    """

    paper: str
    title: str
    source: str
    about: str
    experiments: Mapping[str, Experiment]
    published: Mapping[str, Mapping[str, Mapping[str, float]]]
    tables: tuple[Mapping[str, Any], ...]
    comparisons: tuple[Mapping[str, Any], ...]
    figures: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()
    is_quick: bool = False
    whole: Plan | None = None

    def __repr__(self) -> str:
        quick = "quick, " if self.is_quick else ""
        experiments, n_units = ", ".join(self.experiments), len(self.units())
        return f"Plan({self.paper}: {quick}experiments {experiments}; {n_units:,} units)"

    @property
    def problems(self) -> list[str]:
        """The names of the problems of all experiments, each once, in order."""
        experiments = self.experiments.values()
        return list(
            dict.fromkeys(name for experiment in experiments for name in experiment.problems)
        )

    def count_published(self) -> int:
        """Count the cells of the tables for which the paper prints a value."""
        return sum(
            column.get("published") in self.published.get(table["published"], {}).get(problem, {})
            for table in self.tables
            if "published" in table
            for problem in self.experiments[table["experiment"]].problems
            for column in table["columns"]
        )

    def units(self) -> list[WorkUnit]:
        """Return the units of all experiments."""
        return [
            unit
            for experiment in self.experiments.values()
            for unit in experiment.units(self.paper)
        ]

    def quick(self, problems: Sequence[str] | None = None) -> Plan:
        """Return the plan with the fewer problems and repeats that it names for quick runs.

        Parameters
        ----------
        problems : list of str, optional
            Which problems to keep, instead of those that the plan names.

        Returns
        -------
        Plan
            Its units are a subset of this plan's, so a whole run later reuses their results.

        Examples
        --------
        >>> read_plan("quinlan96").quick()
        Plan(quinlan96: quick, experiments committees, rounds; 1,040 units)
        """
        experiments = {name: e.reduced(problems) for name, e in self.experiments.items()}
        return replace(self, experiments=experiments, is_quick=True, whole=self.whole or self)

    def only(self, problems: Sequence[str]) -> Plan:
        """Return the plan with only some of its problems.

        Parameters
        ----------
        problems : list of str
            The paper's names for the problems to keep.

        Returns
        -------
        Plan
            Without the other problems.

        Examples
        --------
        >>> read_plan("quinlan96").only(["iris"]).problems
        ['iris']
        """
        experiments = {name: e.only(problems) for name, e in self.experiments.items()}
        return replace(self, experiments=experiments, whole=self.whole or self)


def papers() -> list[str]:
    """List the papers that have a plan: the TOML files in the folder ``plans``.

    Returns
    -------
    list of str
        Sorted by name.

    Examples
    --------
    >>> "quinlan96" in papers()
    True
    """
    names = (entry.name for entry in files("weaklearn.experiments").joinpath("plans").iterdir())
    return sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


def read_plan(paper: str) -> Plan:
    """Read the plan of a paper.

    Parameters
    ----------
    paper : str
        One of `papers`.

    Returns
    -------
    Plan
        The plan, checked.

    Examples
    --------
    >>> read_plan("quinlan96").title
    'Bagging, Boosting, and C4.5'
    """
    known = papers()
    if paper not in known:
        raise PlanError(f"there is no plan for {paper!r}; expected one of {', '.join(known)}.")
    file = files("weaklearn.experiments").joinpath("plans", f"{paper}.toml")
    return parse_plan(paper, file.read_text(encoding="utf-8"))


def parse_plan(paper: str, text: str) -> Plan:
    """Read a plan from the text of its file.

    Parameters
    ----------
    paper : str
        The short name of the paper.
    text : str
        TOML.

    Returns
    -------
    Plan
        The plan, checked. A PlanError names the mistake.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"the plan {paper!r} is not TOML: {error}.") from error
    try:
        experiments = {entry["name"]: _read_experiment(entry) for entry in document["experiments"]}
        published = {
            name: {
                row: dict(zip(table["columns"], values, strict=True))
                for row, values in table["rows"].items()
            }
            for name, table in document.get("published", {}).items()
        }
        plan = Plan(
            paper=paper,
            title=document["title"],
            source=document["source"],
            about=document["about"].strip(),
            experiments=experiments,
            published=published,
            tables=tuple(document.get("tables", ())),
            comparisons=tuple(document.get("comparisons", ())),
            figures=tuple(document.get("figures", ())),
            notes=tuple(document.get("notes", ())),
        )
        for entry in (*plan.tables, *plan.comparisons, *plan.figures):
            _check_entry(plan, entry)
    except PlanError:
        raise
    except KeyError as error:
        raise PlanError(f"the plan {paper!r} lacks the key {error}.") from error
    except (AttributeError, TypeError, ValueError) as error:
        raise PlanError(f"the plan {paper!r}: {error}") from error
    return plan


def _read_experiment(entry: Mapping[str, Any]) -> Experiment:
    experiment = Experiment(
        *(entry["name"], entry["splits"], entry["measure"], entry.get("n_repeats", 1)),
        *(entry.get("seed", 0), entry["learners"], entry["problems"], entry.get("quick", {})),
    )
    where = f"the experiment {experiment.name!r}"
    measure = experiment.measure["kind"]
    if measure not in MEASURES:
        raise ValueError(
            f"{where} has the measure {measure!r}; expected one of {', '.join(MEASURES)}."
        )
    for name, problem in experiment.problems.items():
        check_problem(name, experiment.table_of(name))
        kind = experiment.splits_of(name)["kind"]
        if kind not in SPLIT_DESIGNS:
            expected = ", ".join(SPLIT_DESIGNS)
            raise ValueError(f"{where} has splits of kind {kind!r}; expected one of {expected}.")
        if experiment.n_trials(name) < 1 or experiment.n_repeats_of(name) < 1:
            raise ProblemError(f"{where} has no trial for the problem {name!r}.")
        assert set(problem) <= {*KEYS, *_TRIAL_KEYS}
    for name in experiment.quick.get("problems", ()):
        if name not in experiment.problems:
            raise ValueError(f"{where} names the problem {name!r} for quick runs, but lacks it.")
    return experiment


def _check_entry(plan: Plan, entry: Mapping[str, Any]) -> None:
    """Check that a table, comparison or figure refers to experiments and learners of the plan."""
    where = f"the plan {plan.paper!r}, {entry.get('title', 'an entry without a title')!r}"
    experiment = plan.experiments.get(entry.get("experiment", ""))
    if experiment is None:
        raise PlanError(
            f"{where}: expected an experiment that is one of {', '.join(plan.experiments)}."
        )
    learners = [column["learner"] for column in entry.get("columns", ())]
    learners += [entry[key] for key in ("first", "second") if key in entry]
    for learner in learners:
        if learner not in experiment.learners:
            raise PlanError(
                f"{where}: the experiment {experiment.name!r} has no learner {learner!r}; expected "
                f"one of {', '.join(experiment.learners)}."
            )
    if "published" in entry and entry["published"] not in plan.published:
        raise PlanError(
            f"{where}: there are no published values {entry['published']!r}; expected one of "
            f"{', '.join(plan.published)}."
        )
