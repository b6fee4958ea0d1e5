"""``weaklearn compare``: models of this and other libraries on one or more tables."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.commands.evaluate import MAJORITY
from weaklearn.cli.model_kinds import MODELS, make_model
from weaklearn.cli.output import (
    notes_in_option_terms,
    print_json,
    print_note,
    print_notes,
    print_table,
    print_wrapped,
    table_summary,
)
from weaklearn.cli.read_tables import is_file, read_table
from weaklearn.cli.shared_options import (
    AsJson,
    Continuous,
    Ignore,
    MissingValues,
    Nominal,
    Target,
    check_jobs,
)
from weaklearn.cli.unit_progress import show_progress
from weaklearn.experiments import PEERS, ComparedModel, Comparison, Store, code_version
from weaklearn.experiments.compare_models import STORE, as_tables
from weaklearn.experiments.compare_models import compare as compare_models
from weaklearn.experiments.peer_encodings import ENCODINGS
from weaklearn.experiments.peer_models import INSTALL_PEERS
from weaklearn.report import check_installed, make_comparison_data, write_comparison
from weaklearn.report.comparison_report import comparison_document, conclusions
from weaklearn.report.format_text import duration
from weaklearn.user_warnings import warn_user

if TYPE_CHECKING:
    from weaklearn.tables import Table

#: Of our kinds of model, those that a comparison starts with. The others are for special tables.
_FIRST_CHOICE = ("c45", "rules", "bag", "boost", "boosted-forest")
#: Names of several models.
_GROUPS = {
    "default": (*(name for name in _FIRST_CHOICE if name in MODELS), *PEERS),
    "ours": tuple(MODELS),
    "peers": tuple(PEERS),
    "all": (*MODELS, *PEERS),
}


def _parse_names(text: str) -> list[str]:
    """Return the names of models, each once; ``ours``, ``peers`` and ``all`` name several."""
    names: dict[str, None] = {}
    for name in (part.strip() for part in text.split(",")):
        if name not in (*_GROUPS, *MODELS, *PEERS):
            known = ", ".join((*MODELS, *PEERS, *_GROUPS))
            raise typer.BadParameter(f"got {name!r}, expected one of {known}")
        names |= dict.fromkeys(_GROUPS.get(name, (name,)))
    return list(names)


def compare(
    data: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DATA...", help="Files, and names of tables in 'weaklearn data list'."
        ),
    ] = None,
    target: Target = None,
    models: Annotated[
        Any,
        typer.Option(
            parser=_parse_names,
            metavar="NAMES",
            help="Models, separated by commas: see --list-models. Also ours, peers, all, default.",
        ),
    ] = "default",
    folds: Annotated[int, typer.Option(metavar="N", help="The number of folds.")] = 10,
    seeds: Annotated[
        int,
        typer.Option(
            metavar="N", help="How many times to cross-validate, with new folds and new seeds."
        ),
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="The first seed.")] = 0,
    members: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Members or rounds of every model that has them; CatBoost has its own default.",
        ),
    ] = 100,
    nominal: Nominal = None,
    continuous: Continuous = None,
    ignore: Ignore = None,
    missing_values: MissingValues = None,
    jobs: Annotated[
        int,
        typer.Option(
            metavar="N",
            callback=check_jobs,
            help="Fits to run at a time, each with one thread; -1 for all processors.",
        ),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Keep the results in this folder and write a page about them."
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume/--no-resume", help="Continue with the results in DIR, or remove them first."
        ),
    ] = True,
    list_models: Annotated[
        bool, typer.Option("--list-models", help="List the models and exit.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare models of this and other libraries on one or more tables.

    Every model gets the same folds. With one table the best model is compared with each other by a
    t-test over folds, with several tables by its mean rank. Each library gets the table in the form
    that its users would use; --list-models says which. With --out the results are kept while the
    command runs, and the page DIR/report.html has tables, ranks, tests and times. To continue after
    an interruption, run the same command again.

    Example:  weaklearn compare credit.csv --target class --models c45,boost,sk-random-forest
    """
    if list_models:
        _print_models()
        return
    if not data:
        raise typer.BadParameter("missing DATA: a file or the name of a table")
    tables = as_tables(_read(data, target, (nominal, continuous, ignore, missing_values)))
    chosen = {name: _model(name, members) for name in models}
    if out is not None:
        _prepare_folder(out, resume)
    for name, table in tables.items():
        if len(tables) == 1:
            print_notes(table)
        else:  # where each of many tables was found is of no interest
            for note in notes_in_option_terms(table):
                if not note.startswith("read from "):
                    print_note(f"note: {name}: {note}")
    n_units = len(tables) * (1 + len(chosen)) * folds * seeds
    with show_progress(n_units) as advance:
        try:
            comparison = compare_models(
                tables,
                {MAJORITY: _majority_class(), **chosen},
                n_folds=folds,
                n_seeds=seeds,
                seed=seed,
                n_members=members,
                baseline=MAJORITY,
                n_jobs=jobs,
                folder=out,
                progress=advance,
                estimated=lambda seconds, _: print_note(f"about {duration(seconds)}"),
            )
        except KeyboardInterrupt:
            if out is not None:
                print_note(f"interrupted: to continue with {out}, run the same command again")
            raise
    for name, reason in comparison.absent.items():
        print_note(f"note: {name} is left out: {reason}")
    page = None if out is None else _write_page(comparison, out)
    if as_json:
        document = comparison_document(comparison)
        print_json(document if page is None else {**document, "report": str(page)})
    else:
        _print_comparison(comparison, tables)
        if page is not None:
            print(f"\nreport: {page}")
    if not any(comparison.summary()["error"].drop(MAJORITY).notna()):
        raise typer.Exit(1)


def _print_models() -> None:
    """Print a line for each model: its class or library, and the form of the table that it gets."""
    rows = [[name, f"weaklearn {kind.estimator}", "frame"] for name, kind in MODELS.items()]
    for name, peer in PEERS.items():
        state = "" if peer.is_installed else " (not installed)"
        rows.append([name, f"{peer.distribution}{state}", peer.encoding])
    print_table(("model", "from", "table as"), rows)
    print()
    used = dict.fromkeys(row[2] for row in rows)
    for name in used:
        print_wrapped(f"{name}: {ENCODINGS[name].description}")
    if not all(peer.is_installed for peer in PEERS.values()):
        print(f"\nTo install the other libraries:  {INSTALL_PEERS}")


def _read(data: list[str], target: str | None, options: tuple[Any, ...]) -> list[Table]:
    """Read the tables. The options about columns are for files, if there are any."""
    has_files = any(is_file(name) for name in data)
    return [
        read_table(name, target, *options) if is_file(name) or not has_files else read_table(name)
        for name in data
    ]


def _model(name: str, n_members: int) -> Any:
    if name in PEERS:
        return name
    sizes = dict.fromkeys(("n_rounds", "n_members"), n_members)
    return make_model(name, sizes, n_jobs=1)


def _majority_class() -> ComparedModel:
    import sklearn
    from sklearn.dummy import DummyClassifier

    return ComparedModel(
        DummyClassifier(strategy="prior"), "frame", f"scikit-learn {sklearn.__version__}"
    )


def _prepare_folder(out: Path, resume: bool) -> None:
    """Check that results and page can be written, before anything runs."""
    check_installed()
    if out.exists() and not out.is_dir():
        raise ValueError(f"--out {out}: expected a folder, got a file")
    store = out / STORE
    if not resume and store.exists():
        with Store(store, ""):
            pass  # only a file that is a store of results is removed
        store.unlink()


def _write_page(comparison: Comparison, out: Path) -> Path:
    return write_comparison(make_comparison_data(comparison, code_version()), out)


def _print_comparison(comparison: Comparison, tables: dict[str, Table]) -> None:
    if len(tables) == 1:
        print(table_summary(next(iter(tables.values()))))
    else:
        rows = sum(table.n_rows for table in tables.values())
        print(f"{len(tables)} tables, {rows:,} rows")
    times = "" if comparison.n_seeds == 1 else f"{comparison.n_seeds} times "
    print(f"{times}{comparison.n_folds}-fold cross-validation, seed {comparison.seed}\n")
    _print_summary(comparison)
    print()
    for sentence in conclusions(comparison):
        print_wrapped(sentence)
    for (table, model), reason in comparison.failures.items():
        warn_user(f"{model} has no result on {table}: {reason}")


def _print_summary(comparison: Comparison) -> None:
    """Print a line for each model, the best first after the majority class."""
    has_ranks = len(comparison.tables) > 1
    headings = ["model", *(["rank"] if has_ranks else []), "error %", "log loss", "AUC"]
    headings += ["fit s", "predict s", "conditions"]
    summary = comparison.summary()
    to_beat = summary["error"].to_dict()[MAJORITY]
    rows = []
    for name in [MAJORITY, *(name for name in summary.index if name != MAJORITY)]:
        row = summary.loc[name]
        error = float(row["error"])
        if math.isnan(error):
            rows.append([name, "failed", *[""] * (len(headings) - 2)])  # warnings say why
            continue
        mark = " *" if name != MAJORITY and error >= to_beat else ""
        text = f"{100 * error:.2f}"
        if not has_ranks:
            text += f" ± {100 * row['standard_error']:.2f}"
        cells = [f"{name}{mark}", *([_number(row["error_rank"], 2)] if has_ranks else []), text]
        cells += [_number(row[m], 3) for m in ("log_loss", "auc", "fit_seconds", "predict_seconds")]
        size = row["conditions"]
        rows.append([*cells, "" if math.isnan(size) else f"{size:,.{0 if size >= 100 else 1}f}"])
    print_table(headings, rows, numbers=headings[1:])
    if any(row[0].endswith(" *") for row in rows):
        print("\n* no lower error than the majority class, predicted for every row")


def _number(value: float, digits: int) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}f}"
