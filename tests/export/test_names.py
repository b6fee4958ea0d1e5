"""Names, values and labels of any text are data in exported files: none of them becomes code."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from export.run_c import CModel
from export.run_js import run

AWKWARD = (
    *("int", "class", "return", "main", "undefined", "__proto__", "constructor", "toString"),
    *('quo"te', "apo'strophe", "back\\slash", "back\\", "two\nlines", "tab\t", "carriage\rreturn"),
    *("*/ #error", "/* open", "// line \\", "??/", "??=include <x>", "%s%n", "\\u0041", "\\x41"),
    *('"; abort(); //', '"}; process.exit(7); //', "${process.exit(7)}", "`", "</script>", "<!--"),
    *("@tables@", "//# if x", "//# end", "süß", "名前", "\u2028", "🌳", "\x7f", "\x01", " space "),
    "x" * 10_000,
)


Rows = tuple[pd.DataFrame, pd.Series]


@pytest.fixture(scope="module")
def table() -> Rows:
    """Return a table whose names, values and classes are awkward; each value has its own class."""
    values = [*AWKWARD, *(f"value {i}" for i in range(300 - len(AWKWARD)))]
    column = pd.Series(pd.Categorical([*values, *values], categories=values))
    names = ["", *(name for name in AWKWARD if len(name) < 100)]
    frame = pd.DataFrame({name: np.zeros(len(column)) for name in names})
    frame["kind */ of"] = column
    frame[names[0]] = np.arange(len(column)) >= len(values)
    frame[names[0]] = frame[names[0]].astype(float)
    labels = [*AWKWARD, *["other"] * (300 - len(AWKWARD))]
    return frame, pd.Series([*labels, *["high"] * len(values)])


@pytest.fixture(scope="module")
def model(table: Rows) -> wl.C45Classifier:
    X, y = table
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the columns are suspicious
        return wl.C45Classifier(min_objects=1, prune=False, criterion="gain").fit(X, y)


def test_in_c(table: Rows, model: wl.C45Classifier, tmp_path: Path) -> None:
    X, _ = table
    _, source = wl.export.c(model, tmp_path / "int")
    source.read_text(encoding="ascii")
    compiled = CModel(source)
    described = wl.export.describe(model)
    assert compiled.texts("inputs", len(described.inputs)) == list(X.columns)
    assert compiled.texts("labels", len(described.labels)) == list(described.labels)
    nominal = list(X.columns).index("kind */ of")
    values = described.inputs[nominal].values
    assert [compiled.encode(nominal, value) for value in values] == list(range(300))
    for unseen in (None, "", "x" * 9_999, "x" * 10_001, "Int", "value 300"):
        assert np.isnan(compiled.encode(nominal, unseen))
    assert np.isnan(compiled.encode(-1, "int")), "an input that does not exist"
    assert np.isnan(compiled.encode(len(X.columns), "int"))
    rows = X.to_numpy(object)
    rows[:, nominal] = [compiled.encode(nominal, value) for value in X["kind */ of"]]
    predicted = [described.labels[compiled.predict(row.tolist())] for row in rows]
    assert predicted == model.predict(X).tolist()
    assert len(set(predicted)) > len(AWKWARD)


def test_in_javascript(table: Rows, model: wl.C45Classifier, tmp_path: Path) -> None:
    X, _ = table
    [module] = wl.export.js(model, tmp_path / "class.js")
    text = module.read_text(encoding="ascii")
    assert "</script" not in text
    assert "<!--" not in text
    [output] = run({module: [*json.loads(X.to_json(orient="records")), X.iloc[0].tolist()]})
    described = wl.export.describe(model)
    assert output["inputs"] == list(X.columns)
    assert output["labels"] == list(described.labels)
    labels = [result["label"] for result in output["results"]]
    assert labels == [*model.predict(X).tolist(), model.predict(X)[0]]


def test_names_that_c_cannot_express(tmp_path: Path) -> None:
    X = pd.DataFrame({"a\0b": [1.0, 2.0, 3.0, 4.0]})
    model = wl.C45Classifier().fit(X, ["no", "no", "yes", "yes"])
    with pytest.raises(ValueError, match="holds the NUL character"):
        wl.export.c(model, tmp_path / "model")
    [module] = wl.export.js(model, tmp_path / "model")
    assert [r["label"] for r in run({module: [{"a\0b": 1}]})[0]["results"]] == ["no"]
    model = wl.C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    with pytest.raises(ValueError, match="cannot be the name of a header in C"):
        wl.export.c(model, tmp_path / 'quo"te')
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.mjs"]
    header, _ = wl.export.c(model, tmp_path / "3 größe")
    assert "int model_3_gr__e_predict(const double *row)" in header.read_text()


def test_a_name_of_a_class_is_no_code(tmp_path: Path) -> None:
    kind = type("Größe */\nexit(7); //", (wl.C45Classifier,), {})
    model = kind().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    header, source = wl.export.c(model, tmp_path / "model")
    assert header.read_text().startswith("/* A Gr__e____exit_7_____ of weaklearn")
    assert CModel(source).predict([1.0]) == 0
    [module] = wl.export.js(model, tmp_path / "model")
    assert run({module: [[4.0]]})[0]["results"][0]["label"] == "yes"


def test_texts_that_are_not_unicode(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": ["first", "second"] * 4})
    file = tmp_path / "model.json"
    wl.C45Classifier().fit(frame, ["no", "yes"] * 4).save(file)
    file.write_text(file.read_text().replace("first", "\\ud800").replace("second", "\\udfff"))
    model = wl.load(file)
    compiled = CModel(wl.export.c(model, tmp_path / "model")[1])
    assert np.isnan(compiled.encode(0, "first"))
    [module] = wl.export.js(model, tmp_path / "model")
    assert '["\\ud800", 0]' in module.read_text()
    assert run({module: [["\ud800"]]})[0]["results"][0]["label"] == "no"


def test_types_of_labels(tmp_path: Path) -> None:
    cases = [[1, 1, 2**60, 2**60], [3.0, 3.0, -2.0, -2.0], [True, True, False, False]]
    for i, labels in enumerate(cases):
        model = wl.C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], labels)
        [module] = wl.export.js(model, tmp_path / f"model{i}")
        _, source = wl.export.c(model, tmp_path / f"model{i}")
        assert CModel(source).predict([4.0]) == model.classes_.tolist().index(labels[-1])
        if max(labels) < 2**53:
            [result] = run({module: [[4.0]]})[0]["results"]
            assert result["label"] == labels[-1]
        else:
            assert f"{2**60}n" in module.read_text()
