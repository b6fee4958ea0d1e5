"""Run an exported JavaScript module with node."""

from __future__ import annotations

import json
import math
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

_PROGRAM = """
import { readFileSync } from "node:fs";
const view = new DataView(new ArrayBuffer(8));
const hex = (x) => { view.setFloat64(0, x); return view.getBigUint64(0).toString(16); };
const special = { $nan: NaN, $inf: Infinity, "$-inf": -Infinity, "$-0": -0, $undefined: undefined };
const value = (v) => {
  if (v && v.special) return special[v.special];
  return v && v.date !== undefined ? new Date(v.date) : v;
};
const predictAll = (model, rows) => rows.map((row) => {
  const values = Array.isArray(row)
    ? row.map(value)
    : Object.fromEntries(Object.entries(row).map(([k, v]) => [k, value(v)]));
  try {
    return {
      label: model.predict(values),
      proba: model.predictProba(values).map(hex),
      scores: model.scores(values).map(hex),
    };
  } catch (error) {
    return { error: `${error.name}: ${error.message}` };
  }
});
const outputs = [];
for (const [path, rows] of JSON.parse(readFileSync(0, "utf8"))) {
  const model = await import(path);
  const { inputs, labels } = model;
  outputs.push({ results: predictAll(model, rows), inputs, labels });
}
console.log(JSON.stringify(outputs));
"""


def node() -> str:
    """Return the path of node, or skip the test."""
    found = shutil.which("node") or shutil.which("nodejs")
    if found is None:
        pytest.skip("no node: install Node.js to run exported JavaScript")
    return found


def run(rows_of_modules: dict[Path, list[Any]]) -> list[dict[str, Any]]:
    """Return what each module predicts for its rows, which are lists or dicts."""
    given = json.dumps(
        [(str(path), [_sent(row) for row in rows]) for path, rows in rows_of_modules.items()]
    )
    done = subprocess.run(
        [node(), "--input-type=module", "-e", _PROGRAM],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outputs: list[dict[str, Any]] = json.loads(done.stdout)
    for result in (result for output in outputs for result in output["results"]):
        for name in ("proba", "scores"):
            if name in result:
                result[name] = [_double(bits) for bits in result[name]]
    return outputs


def _sent(row: Any) -> Any:
    if isinstance(row, dict):
        return {name: _value(value) for name, value in row.items()}
    return [_value(value) for value in row]


def _value(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        name = "$nan" if math.isnan(value) else "$inf" if value > 0 else "$-inf"
        return {"special": name}
    if isinstance(value, float) and value == 0 and math.copysign(1, value) < 0:
        return {"special": "$-0"}
    return value


def _double(bits: str) -> float:
    (number,) = struct.unpack(">d", int(bits, 16).to_bytes(8, "big"))
    return float(number)
