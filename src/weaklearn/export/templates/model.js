// A @model_name@ of weaklearn, exported to JavaScript: an ES module without dependencies.
//
// A row is an object with an entry for each name in `inputs`, or an array in their order. null, undefined and NaN are
// missing values. `inputKinds` has the kind of each input:
//   number    a number
//   date      a Date, or the seconds since 1970-01-01 00:00 UTC as a number
//   nominal   a string, a number or a boolean; a value that did not occur in training counts as missing
//   ignored   anything, since the model does not read it
"use strict";

export const inputs = @inputs@;
export const inputKinds = @input_kinds@;
export const labels = @labels@;

const N_CLASSES = @n_classes@;
@tables@

// Per input, the codes of nominal values by text, by number and by boolean.
const codesOfTexts = @codes_of_texts@.map((entries) => new Map(entries));
const codesOfNumbers = @codes_of_numbers@.map((entries) => new Map(entries));
const codesOfBooleans = @codes_of_booleans@.map((entries) => new Map(entries));
const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/;

function wrongType(index, value, expected) {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return new TypeError(`input ${JSON.stringify(inputs[index])} is of type ${type}; expected ${expected}`);
}

function codeOf(index, value) {
  const missing = NaN;
  if (typeof value === "number") return codesOfNumbers[index].get(value) ?? missing;
  if (typeof value === "boolean") return codesOfBooleans[index].get(value) ?? missing;
  if (typeof value !== "string") throw wrongType(index, value, "a string, a number, a boolean or null");
  const code = codesOfTexts[index].get(value);
  if (code !== undefined) return code;
  if (NUMBER.test(value)) return codesOfNumbers[index].get(Number(value)) ?? missing;
  if (["true", "True", "TRUE"].includes(value)) return codesOfBooleans[index].get(true) ?? missing;
  if (["false", "False", "FALSE"].includes(value)) return codesOfBooleans[index].get(false) ?? missing;
  return missing;
}

function numberOf(index, value) {
  if (value === null || value === undefined) return NaN;
  if (inputKinds[index] === "ignored") return NaN;
  if (inputKinds[index] === "nominal") return codeOf(index, value);
  if (typeof value === "number") return value;
  if (inputKinds[index] === "date" && value instanceof Date) return value.getTime() / 1000;
  throw wrongType(index, value, inputKinds[index] === "date" ? "a Date, a number or null" : "a number or null");
}

// Returns a row as numbers, with NaN for missing values and codes for nominal ones.
function read(row) {
  if (Array.isArray(row) || ArrayBuffer.isView(row)) {
    if (row.length !== inputs.length) {
      throw new TypeError(`the row has ${row.length} values; expected ${inputs.length}`);
    }
    return Float64Array.from(row, (value, index) => numberOf(index, value));
  }
  if (row === null || typeof row !== "object") throw new TypeError(`the row is ${row}; expected an object or an array`);
  return Float64Array.from(inputs, (name, index) => {
    if (Object.prototype.hasOwnProperty.call(row, name)) return numberOf(index, row[name]);
    if (inputKinds[index] === "ignored") return NaN;
    throw new TypeError(`the row has no ${JSON.stringify(name)}; write null where a value is missing`);
  });
}

//# if terms
// Returns the sum of some terms of a row.
function sumOfTerms(first, end, row) {
  let sum = 0;
  for (let t = first; t < end; ++t) {
    const value = row[term_feature[t]];
    const start = term_first[t];
    if (Number.isNaN(value)) {
      sum += term_missing[t];
    } else if (term_form[t] === TERM_SCORES) {
      sum += term_numbers[start + value];
    } else if (term_form[t] === TERM_STEPS) {
      let low = 0;
      let high = term_cuts[t];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (term_numbers[start + middle] < value) low = middle + 1;
        else high = middle;
      }
      sum += term_numbers[start + term_cuts[t] + low];
    } else {
      sum += term_numbers[start] * (term_form[t] === TERM_SINGLE ? Math.fround(value) : value);
    }
  }
  return sum;
}

//# end
//# if graphs
// Returns the branch that a row takes at a node, or -1 if it takes all of them in shares.
function branchOf(node, row) {
  if (node_kind[node] === NODE_OBLIQUE) {
    const sum = sumOfTerms(node_extra[node], node_extra[node] + node_count[node], row);
    return sum > node_threshold[node] ? 1 : 0;
  }
  const value = row[node_feature[node]];
  if (!Number.isNaN(value)) {
    if (node_kind[node] === NODE_THRESHOLD) return value > node_threshold[node] ? 1 : 0;
    const branch = branch_of_value[node_extra[node] + value];
    if (branch >= 0) return branch;
  }
  return node_missing[node];
}

//# if mixed
// Mixes the leaves that a row reaches, whose value is missing where a split needs it.
function mixLeaves(member, row) {
  const root = first_node[member];
  const end = first_node[member + 1];
  const reach = new Float64Array(end - root);
  const shares = new Float64Array(N_CLASSES);
//# if confidence
  const weights = new Float64Array(N_CLASSES);
  let weight = 0;
//# end
  reach[0] = 1;
  for (let node = root; node < end; ++node) {
    const share = reach[node - root]; // branches lead to nodes of higher index
    if (share === 0) continue;
    if (node_kind[node] === NODE_LEAF) {
      for (let i = node_first[node]; i < node_first[node] + node_count[node]; ++i) {
        shares[class_index[i]] += share * class_share[i];
//# if confidence
        weights[class_index[i]] += share * class_weight[i];
//# end
      }
//# if confidence
      weight += share * leaf_weight[node_extra[node]];
//# end
      continue;
    }
    const branch = branchOf(node, row);
    if (branch >= 0) {
      reach[child[node_first[node] + branch] - root] += share;
      continue;
    }
    for (let i = node_first[node]; i < node_first[node] + node_count[node]; ++i) {
      if (branch_share[i] > 0) reach[child[i] - root] += share * branch_share[i];
    }
  }
  const total = sumOf(shares);
  if (total > 0) for (let k = 0; k < N_CLASSES; ++k) shares[k] /= total;
  else shares[root_label[member]] = 1;
  let label = 0;
  for (let k = 1; k < N_CLASSES; ++k) {
    if (shares[k] > shares[label] + TIE * Math.max(1, shares[label])) label = k;
  }
//# if confidence
  return { label, shares, confidence: (weights[label] + 1) / (weight + 2) };
//# end
//# if no_confidence
  return { label, shares };
//# end
}

//# end
// Returns the class and the class shares of a graph.
function predictMember(member, row) {
  let node = first_node[member];
  while (node_kind[node] !== NODE_LEAF) {
    const branch = branchOf(node, row);
//# if mixed
    if (branch < 0) return mixLeaves(member, row);
//# end
    node = child[node_first[node] + branch];
  }
  const shares = new Float64Array(N_CLASSES);
  for (let i = node_first[node]; i < node_first[node] + node_count[node]; ++i) shares[class_index[i]] = class_share[i];
  const leaf = node_extra[node];
//# if confidence
  return { label: leaf_label[leaf], shares, confidence: leaf_confidence[leaf] };
//# end
//# if no_confidence
  return { label: leaf_label[leaf], shares };
//# end
}

//# end
//# if rules
function conditionHolds(condition, row) {
  const value = row[condition_feature[condition]];
  if (condition_kind[condition] === CONDITION_AT_MOST) return value <= condition_threshold[condition];
  if (condition_kind[condition] === CONDITION_ABOVE) return value > condition_threshold[condition];
  for (let i = first_code[condition]; i < first_code[condition + 1]; ++i) if (codes[i] === value) return true;
  return false;
}

// Returns the class and the class shares of the first rule that fires.
function predictMember(member, row) {
  for (let rule = first_rule[member]; ; ++rule) { // the last rule has no conditions
    let condition = first_condition[rule];
    while (condition < first_condition[rule + 1] && conditionHolds(condition, row)) ++condition;
    if (condition < first_condition[rule + 1]) continue;
    return { label: rule_label[rule], shares: rule_shares.slice(rule * N_CLASSES, (rule + 1) * N_CLASSES) };
  }
}

//# end
//# if separators
const bits = new DataView(new ArrayBuffer(8));

// Returns e to the power of a number from -700 to 700.
function exponential(x) {
  const k = Math.floor(x * LOG2_E + 0.5);
  const rest = x - k * LN2_HIGH - k * LN2_LOW;
  let series = taylor[0];
  for (let i = 1; i < taylor.length; ++i) series = series * rest + taylor[i];
  bits.setInt32(0, (k + 1023) << 20); // 2 to the power of k, exactly
  return series * bits.getFloat64(0);
}

// Returns the output for each class.
function outputsOf(member, row) {
  const outputs = first_output.slice(member * N_CLASSES, (member + 1) * N_CLASSES);
  for (let s = first_separator[member]; s < first_separator[member + 1]; ++s) {
    outputs[separator_class[s]] = sumOfTerms(first_term[s], first_term[s + 1], row) - separator_threshold[s];
  }
  if (first_of_two[member] >= 0) outputs[first_of_two[member]] = -outputs[second_of_two[member]];
  return outputs;
}

// Returns the class and the class shares of some separators.
function predictMember(member, row) {
  const outputs = outputsOf(member, row);
  let label = 0;
  for (let k = 1; k < N_CLASSES; ++k) if (outputs[k] > outputs[label]) label = k;
  const shares = outputs.map((output, k) => {
    const present = is_present[member * N_CLASSES + k];
    return present ? 1 / (1 + exponential(Math.min(Math.max(-2 * output, -700), 700))) : 0;
  });
  const total = sumOf(shares);
  return { label, shares: shares.map((share) => share / total) };
}

//# end
function sumOf(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

//# if calibration
// Makes probabilities of shares of votes.
function calibrate(shares) {
  const powers = shares.map((share) => {
    const root = Math.sqrt(share);
    let power = 1;
    for (const digit of exponent_digits) {
      power = Math.sqrt(power);
      if (digit) power *= root;
    }
    for (let i = 0; i < EXPONENT_WHOLE; ++i) power *= share;
    return power;
  });
  const total = sumOf(powers);
  return powers.map((power, k) => ((power / total) * TOTAL_WEIGHT + base_rates[k]) / (TOTAL_WEIGHT + 1));
}

//# end
//# if committee
// Changes probabilities as little as needed, so that the class with most votes has the largest.
function favour(label, probabilities) {
  const largest = Math.max(...probabilities);
  if (probabilities.indexOf(largest) === label) return probabilities;
  const divisor = 1 + (largest - probabilities[label]);
  const result = probabilities.map((probability) => probability / divisor);
  result[label] = Math.max(...result) * (1 + 2 * Number.EPSILON);
  return result;
}

// Returns the class with most votes, and scores and probabilities for each class.
function evaluate(row) {
  const scores = new Float64Array(N_CLASSES);
  const sums = new Float64Array(N_CLASSES);
  for (let member = 0; member < N_MEMBERS; ++member) {
    const predicted = predictMember(member, row);
//# if label
    scores[predicted.label] += votes[member];
//# end
//# if confidence
    scores[predicted.label] += votes[member] * predicted.confidence;
//# end
    for (let k = 0; k < N_CLASSES; ++k) sums[k] += votes[member] * predicted.shares[k];
  }
//# if shares
  scores.set(sums);
//# end
  let label = priority[0];
  for (const k of priority) if (scores[k] > scores[label] * (1 + TIE)) label = k;
  const total = sumOf(sums);
  const shares = sums.map((sum) => (total > 0 ? sum / total : 1 / N_CLASSES));
//# if calibration
  return { label, scores, probabilities: favour(label, calibrate(shares)) };
//# end
//# if no_calibration
  return { label, scores, probabilities: favour(label, shares) };
//# end
}

//# end
//# if alone
// Returns the class, and scores and probabilities for each class.
function evaluate(row) {
  const { label, shares } = predictMember(0, row);
//# if separators
  return { label, scores: outputsOf(0, row), probabilities: shares };
//# end
//# if no_separators
  return { label, scores: shares, probabilities: shares };
//# end
}

//# end
//# if costs
// Removes the factors that costs had in training, and predicts the class of least expected cost.
function applyCosts({ scores, probabilities: given }) {
  const restored = given.map((probability, k) => (cost_factors[k] > 0 ? probability / cost_factors[k] : 0));
  const total = sumOf(restored);
  const probabilities = total > 0 ? restored.map((share) => share / total) : given;
  const expected = probabilities.map((_, j) => {
    if (!(cost_factors[j] > 0)) return Infinity;
    return sumOf(probabilities.map((probability, k) => probability * cost_matrix[k * N_CLASSES + j]));
  });
  const least = Math.min(...expected);
  return { label: expected.findIndex((cost) => cost <= least * (1 + TIE)), scores, probabilities };
}

function predictClass(row) {
  return applyCosts(evaluate(read(row)));
}
//# end
//# if no_costs
function predictClass(row) {
  return evaluate(read(row));
}
//# end

/** Returns the predicted label of a row. */
export function predict(row) {
  return labels[label_of_class[predictClass(row).label]];
}

/** Returns the probability of each label of a row, in the order of `labels`. */
export function predictProba(row) {
  const { probabilities } = predictClass(row);
  return Array.from(class_of_label, (k) => (k < 0 ? 0 : probabilities[k]));
}

/** Returns the numbers from which the prediction follows, in the order of `labels`: @scores@. */
export function scores(row) {
  const { scores: ofClass } = predictClass(row);
  return Array.from(class_of_label, (k) => (k < 0 ? LOWEST_SCORE : ofClass[k]));
}
