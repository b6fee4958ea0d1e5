"""Plans: the experiments of a paper as data, one TOML file per paper.

A plan has experiments (which learners on which problems, how rows are divided, what is measured),
the tables made of them, each cell with the published value it belongs to, and figures. Reading one
checks it, so that a mistake is told with its place and not hours later.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

from weaklearn.experiments.measure_trial import MEASURES
from weaklearn.experiments.problem_tables import KEYS, ProblemError, check_problem
from weaklearn.experiments.work_units import SPLITS, Unit

#: What a problem may say beside what its table is: how often and how its rows are divided.
_OF_DESIGN = ("splits", "n_repeats")


class PlanError(ValueError):
    """A plan that cannot be carried out; says which, where, and what was expected."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Learners on problems, and what is measured of them.

    Parameters
    ----------
    name : str
        What tables and figures call it.
    splits : mapping
        How rows are divided: ``kind`` is one of `SPLITS`, the rest is its numbers.
    measure : mapping
        What is measured: ``kind`` is one of `MEASURES`, the rest is its settings.
    n_repeats : int
        How often the rows are divided anew.
    seed : int
        What all chance derives from.
    learners : mapping
        By name, each as `make_classifier` reads it.
    problems : mapping
        By the paper's name, each as `check_problem` says; ``splits`` and ``n_repeats`` of a problem
        come before those of the experiment.
    quick : mapping
        What a quick run has instead: ``problems`` to keep, ``n_repeats``, ``splits``.
    """

    name: str
    splits: Mapping[str, Any]
    measure: Mapping[str, Any]
    n_repeats: int
    seed: int
    learners: Mapping[str, Mapping[str, Any]]
    problems: Mapping[str, Mapping[str, Any]]
    quick: Mapping[str, Any] = field(default_factory=dict)

    def table_of(self, problem: str) -> dict[str, Any]:
        """Give what the table of a problem is, without how its rows are divided."""
        said = self.problems[problem]
        return {key: value for key, value in said.items() if key not in _OF_DESIGN}

    def splits_of(self, problem: str) -> dict[str, Any]:
        """Give how the rows of a problem are divided."""
        return {**self.splits, **self.problems[problem].get("splits", {})}

    def repeats_of(self, problem: str) -> int:
        """Give how often the rows of a problem are divided anew."""
        return int(min(self.n_repeats, self.problems[problem].get("n_repeats", self.n_repeats)))

    def n_parts(self, problem: str) -> int:
        """Give how many trials a repeat has."""
        splits = self.splits_of(problem)
        return SPLITS[splits["kind"]].n_parts(splits)

    def units(self, paper: str) -> Iterator[Unit]:
        """Give every (problem, learner, repeat, trial), problem by problem."""
        for problem in self.problems:
            splits = self.splits_of(problem)
            splits.pop("n_used", None)  # says how many trials there are, not what they are
            settled = {
                "problem": self.table_of(problem),
                "splits": splits,
                "measure": dict(self.measure),
                "seed": self.seed,
            }
            for learner, recipe in self.learners.items():
                for repeat in range(self.repeats_of(problem)):
                    for fold in range(self.n_parts(problem)):
                        yield Unit.of(
                            *(paper, self.name, problem, learner, repeat, fold),
                            {**settled, "learner": recipe},
                        )


@dataclass(frozen=True, slots=True)
class Plan:
    """All that is done about a paper.

    Parameters
    ----------
    paper : str
        The name to ask for it by.
    title, source, about : str
        The paper's title, where it appeared, and what is compared.
    experiments : mapping
        By name.
    published : mapping
        Per table of the paper, per row, per column the value that it prints.
    tables, comparisons, figures : tuple of mapping
        What the report shows of the experiments.
    notes : tuple of str
        What a reader should know, such as how our tables differ from the paper's.
    is_quick : bool
        Whether it has fewer problems and repeats than the whole plan.
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

    @property
    def problems(self) -> list[str]:
        """The names of all problems, in order."""
        of_all = (name for one in self.experiments.values() for name in one.problems)
        return list(dict.fromkeys(of_all))

    def units(self) -> list[Unit]:
        """Give all units of all experiments."""
        return [unit for one in self.experiments.values() for unit in one.units(self.paper)]

    def quick(self, problems: Sequence[str] | None = None) -> Plan:
        """Give the plan with fewer problems and repeats, as it says itself.

        Parameters
        ----------
        problems : list of str, optional
            Which problems to keep, instead of those that it is quick with.

        Returns
        -------
        Plan
            Its units are some of this plan's, so that a whole run later goes on from there.

        Examples
        --------
        >>> plan = read_plan("quinlan96")
        >>> len(plan.quick().units()) < len(plan.units())
        True
        """
        kept = _each(self.experiments, lambda one: _quick(one, problems))
        return replace(self, experiments=kept, is_quick=True)

    def only(self, problems: Sequence[str]) -> Plan:
        """Give the plan with some of its problems.

        Parameters
        ----------
        problems : list of str
            Names that the paper uses.

        Returns
        -------
        Plan
            Without the others.

        Examples
        --------
        >>> read_plan("quinlan96").only(["iris"]).problems
        ['iris']
        """
        return replace(self, experiments=_each(self.experiments, lambda one: _only(one, problems)))


def papers() -> list[str]:
    """List the papers that there are plans for.

    Returns
    -------
    list of str
        Sorted by name.

    Examples
    --------
    >>> papers()
    ['dietterich96', 'elomaa01', 'henry07', 'quinlan96', 'tamon00']
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
        Checked.

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
        Its name.
    text : str
        TOML.

    Returns
    -------
    Plan
        Checked: a PlanError names what is wrong.
    """
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"the plan {paper!r} is not TOML: {error}.") from error
    try:
        experiments = {one["name"]: _experiment(one) for one in said["experiments"]}
        published = {
            name: {
                row: dict(zip(table["columns"], values, strict=True))
                for row, values in table["rows"].items()
            }
            for name, table in said.get("published", {}).items()
        }
        plan = Plan(
            paper=paper,
            title=said["title"],
            source=said["source"],
            about=said["about"].strip(),
            experiments=experiments,
            published=published,
            tables=tuple(said.get("tables", ())),
            comparisons=tuple(said.get("comparisons", ())),
            figures=tuple(said.get("figures", ())),
            notes=tuple(said.get("notes", ())),
        )
    except KeyError as error:
        raise PlanError(f"the plan {paper!r} does not say {error}.") from error
    except (TypeError, ValueError) as error:
        raise PlanError(f"the plan {paper!r}: {error}") from error
    for part in (*plan.tables, *plan.comparisons, *plan.figures):
        _check_part(plan, part)
    return plan


def _experiment(said: Mapping[str, Any]) -> Experiment:
    one = Experiment(
        *(said["name"], said["splits"], said["measure"], said.get("n_repeats", 1)),
        *(said.get("seed", 0), said["learners"], said["problems"], said.get("quick", {})),
    )
    where = f"the experiment {one.name!r}"
    if one.measure["kind"] not in MEASURES:
        expected = ", ".join(MEASURES)
        raise ValueError(f"{where} measures {one.measure['kind']!r}; expected one of {expected}.")
    for name, problem in one.problems.items():
        check_problem(name, one.table_of(name))
        kind = one.splits_of(name)["kind"]
        if kind not in SPLITS:
            raise ValueError(f"{where} has splits {kind!r}; expected one of {', '.join(SPLITS)}.")
        if one.n_parts(name) < 1 or one.repeats_of(name) < 1:
            raise ProblemError(f"{where} has no trial of {name!r}.")
        assert set(problem) <= {*KEYS, *_OF_DESIGN}
    unknown = [name for name in one.quick.get("problems", ()) if name not in one.problems]
    if unknown:
        raise ValueError(f"{where} has no problem {unknown[0]!r} to be quick with.")
    return one


def _check_part(plan: Plan, part: Mapping[str, Any]) -> None:
    """Check that what a table, comparison or figure shows is there to be shown."""
    where = f"the plan {plan.paper!r}: {part.get('title', part)!r}"
    experiment = plan.experiments.get(part.get("experiment", ""))
    if experiment is None:
        raise PlanError(f"{where} shows no experiment that there is.")
    named = [column["learner"] for column in part.get("columns", ())]
    named += [part[key] for key in ("first", "second") if key in part]
    for learner in named:
        if learner not in experiment.learners:
            raise PlanError(f"{where} shows {learner!r}, which {experiment.name!r} has not.")
    if "published" in part and part["published"] not in plan.published:
        raise PlanError(f"{where} refers to {part['published']!r}, which is not published.")


def _each(
    experiments: Mapping[str, Experiment], change: Callable[[Experiment], Experiment]
) -> dict[str, Experiment]:
    return {name: change(one) for name, one in experiments.items()}


def _quick(one: Experiment, problems: Sequence[str] | None) -> Experiment:
    kept = _only(one, one.quick.get("problems", one.problems) if problems is None else problems)
    return replace(
        kept,
        n_repeats=min(kept.n_repeats, one.quick.get("n_repeats", kept.n_repeats)),
        splits={**kept.splits, **one.quick.get("splits", {})},
    )


def _only(one: Experiment, problems: Sequence[str]) -> Experiment:
    kept = {name: said for name, said in one.problems.items() if name in problems}
    return replace(one, problems=kept)
