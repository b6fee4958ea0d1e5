#include "@header@"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Each product is rounded before it is added; -ffp-contract=off does the same for other compilers. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#if defined(__FAST_MATH__)
#error "compile without -ffast-math, with which NaN does not mean a missing value"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "double must be computed as double: compile with -msse2 -mfpmath=sse"
#endif

enum { N_INPUTS = @n_inputs@, N_LABELS = @n_labels@, N_CLASSES = @n_classes@ };

@tables@

/* Returns the code of a nominal value, or -1 if it is missing. */
static int code_of(int input, double value)
{
  int code;
  if (!(value >= 0.0 && value < (double)n_values[input])) return -1;
  code = (int)value;
  return (double)code == value ? code : -1;
}

//# if terms
static int is_missing(double value) { return value != value; }

/* Returns the sum of some terms of a row. */
static double sum_of_terms(int first, int end, const double *row)
{
  double sum = 0.0;
  int t;
  for (t = first; t < end; ++t) {
    const double value = row[term_feature[t]];
    const double *numbers = term_numbers + term_first[t];
    const int is_scored = term_form[t] == TERM_SCORES;
    const int code = is_scored ? code_of(term_feature[t], value) : 0;
    double added;
    if (is_scored ? code < 0 : is_missing(value)) {
      added = term_missing[t];
    } else if (is_scored) {
      added = numbers[code];
    } else if (term_form[t] == TERM_STEPS) {
      int low = 0, high = term_cuts[t];
      while (low < high) {
        const int middle = low + (high - low) / 2;
        if (numbers[middle] < value)
          low = middle + 1;
        else
          high = middle;
      }
      added = numbers[term_cuts[t] + low];
    } else {
      added = numbers[0] * (term_form[t] == TERM_SINGLE ? (double)(float)value : value);
    }
    sum += added;
  }
  return sum;
}

//# end
//# if graphs
/* Returns the branch that a row takes at a node, or -1 if it takes all of them in shares. */
static int branch_of(int node, const double *row)
{
  const double value = node_kind[node] == NODE_OBLIQUE ? 0.0 : row[node_feature[node]];
  if (node_kind[node] == NODE_OBLIQUE)
    return sum_of_terms(node_extra[node], node_extra[node] + node_count[node], row) > node_threshold[node];
  if (node_kind[node] == NODE_THRESHOLD) {
    if (!is_missing(value)) return value > node_threshold[node];
  } else {
    const int code = code_of(node_feature[node], value);
    if (code >= 0 && branch_of_value[node_extra[node] + code] >= 0) return branch_of_value[node_extra[node] + code];
  }
  return node_missing[node];
}

//# if mixed
/* Mixes the leaves that a row reaches, whose value is missing where a split needs it; as predict_member. */
static int mix_leaves(int member, const double *row, double vote, double *sums@confidence_argument@)
{
  double reach[MOST_NODES], shares[N_CLASSES];
//# if confidence
  double weights[N_CLASSES], weight = 0.0;
//# end
  double total = 0.0;
  const int root = first_node[member], n_nodes = first_node[member + 1] - root;
  int node, i, k, best = 0;
  for (k = 0; k < N_CLASSES; ++k) {
    shares[k] = 0.0;
//# if confidence
    weights[k] = 0.0;
//# end
  }
  for (node = 0; node < n_nodes; ++node) reach[node] = 0.0;
  reach[0] = 1.0;
  for (node = root; node < root + n_nodes; ++node) { /* branches lead to nodes of higher index */
    const double share = reach[node - root];
    int branch;
    if (share == 0.0) continue;
    if (node_kind[node] == NODE_LEAF) {
      for (i = node_first[node]; i < node_first[node] + node_count[node]; ++i) {
        const double part = share * class_share[i];
        shares[class_index[i]] += part;
//# if confidence
        {
          const double of_class = share * class_weight[i];
          weights[class_index[i]] += of_class;
        }
//# end
      }
//# if confidence
      {
        const double of_leaf = share * leaf_weight[node_extra[node]];
        weight += of_leaf;
      }
//# end
      continue;
    }
    branch = branch_of(node, row);
    if (branch >= 0) {
      reach[child[node_first[node] + branch] - root] += share;
      continue;
    }
    for (i = node_first[node]; i < node_first[node] + node_count[node]; ++i) {
      if (branch_share[i] > 0.0) {
        const double part = share * branch_share[i];
        reach[child[i] - root] += part;
      }
    }
  }
  for (k = 0; k < N_CLASSES; ++k) total += shares[k];
  if (total > 0.0)
    for (k = 0; k < N_CLASSES; ++k) shares[k] /= total;
  else
    shares[root_label[member]] = 1.0;
  for (k = 1; k < N_CLASSES; ++k) {
    const double slack = TIE * (shares[best] > 1.0 ? shares[best] : 1.0);
    if (shares[k] > shares[best] + slack) best = k;
  }
  for (k = 0; k < N_CLASSES; ++k) {
    const double counted = vote * shares[k];
    sums[k] += counted;
  }
//# if confidence
  *confidence = (weights[best] + 1.0) / (weight + 2.0);
//# end
  return best;
}

//# end
/* Adds the vote times the class shares of a graph@confidence_comment@, and returns its class. */
static int predict_member(int member, const double *row, double vote, double *sums@confidence_argument@)
{
  int node = first_node[member], i;
  while (node_kind[node] != NODE_LEAF) {
    const int branch = branch_of(node, row);
//# if mixed
    if (branch < 0) return mix_leaves(member, row, vote, sums@confidence_value@);
//# end
    node = child[node_first[node] + branch];
  }
  for (i = node_first[node]; i < node_first[node] + node_count[node]; ++i) {
    const double counted = vote * class_share[i];
    sums[class_index[i]] += counted;
  }
//# if confidence
  *confidence = leaf_confidence[node_extra[node]];
//# end
  return leaf_label[node_extra[node]];
}

//# end
//# if rules
static int condition_holds(int condition, const double *row)
{
  const double value = row[condition_feature[condition]];
  int code, i;
  if (condition_kind[condition] == CONDITION_AT_MOST) return value <= condition_threshold[condition];
  if (condition_kind[condition] == CONDITION_ABOVE) return value > condition_threshold[condition];
  code = code_of(condition_feature[condition], value);
  for (i = first_code[condition]; i < first_code[condition + 1]; ++i)
    if (codes[i] == code) return 1;
  return 0;
}

/* Adds the vote times the class shares of the first rule that fires, and returns its class. */
static int predict_member(int member, const double *row, double vote, double *sums)
{
  int rule = first_rule[member], c, k;
  for (;; ++rule) { /* the last rule has no conditions */
    for (c = first_condition[rule]; c < first_condition[rule + 1] && condition_holds(c, row); ++c) continue;
    if (c == first_condition[rule + 1]) break;
  }
  for (k = 0; k < N_CLASSES; ++k) {
    const double counted = vote * rule_shares[rule * N_CLASSES + k];
    sums[k] += counted;
  }
  return rule_label[rule];
}

//# end
//# if separators
/* Returns e to the power of a number from -700 to 700. */
static double exponential(double x)
{
  const double k = floor(x * LOG2_E + 0.5);
  const double high = k * LN2_HIGH, low = k * LN2_LOW;
  const double rest = x - high - low;
  double series = taylor[0];
  int i;
  for (i = 1; i < (int)(sizeof taylor / sizeof taylor[0]); ++i) {
    const double product = series * rest;
    series = product + taylor[i];
  }
  return ldexp(series, (int)k);
}

/* Writes the output for each class. */
static void outputs_of(int member, const double *row, double *outputs)
{
  int k, s;
  for (k = 0; k < N_CLASSES; ++k) outputs[k] = first_output[member * N_CLASSES + k];
  for (s = first_separator[member]; s < first_separator[member + 1]; ++s) {
    const double sum = sum_of_terms(first_term[s], first_term[s + 1], row);
    outputs[separator_class[s]] = sum - separator_threshold[s];
  }
  if (first_of_two[member] >= 0) outputs[first_of_two[member]] = -outputs[second_of_two[member]];
}

/* Adds the vote times the class shares of some separators, and returns their class. */
static int predict_member(int member, const double *row, double vote, double *sums)
{
  double outputs[N_CLASSES], shares[N_CLASSES], total = 0.0;
  int k, best = 0;
  outputs_of(member, row, outputs);
  for (k = 0; k < N_CLASSES; ++k) {
    double x = -2.0 * outputs[k];
    if (outputs[k] > outputs[best]) best = k;
    x = x < -700.0 ? -700.0 : x > 700.0 ? 700.0 : x;
    shares[k] = is_present[member * N_CLASSES + k] ? 1.0 / (1.0 + exponential(x)) : 0.0;
    total += shares[k];
  }
  for (k = 0; k < N_CLASSES; ++k) {
    const double share = shares[k] / total;
    const double counted = vote * share;
    sums[k] += counted;
  }
  return best;
}

//# end
//# if calibration
/* Makes probabilities of shares of votes. */
static void calibrate(double *shares)
{
  double total = 0.0;
  int i, k;
  for (k = 0; k < N_CLASSES; ++k) {
    const double root = sqrt(shares[k]);
    double power = 1.0;
    for (i = 0; i < N_DIGITS; ++i) {
      power = sqrt(power);
      if (exponent_digits[i]) power *= root;
    }
    for (i = 0; i < EXPONENT_WHOLE; ++i) power *= shares[k];
    shares[k] = power;
    total += power;
  }
  for (k = 0; k < N_CLASSES; ++k) {
    const double scaled = shares[k] / total * TOTAL_WEIGHT;
    shares[k] = (scaled + base_rates[k]) / (TOTAL_WEIGHT + 1.0);
  }
}

//# end
//# if committee
/* Changes probabilities as little as needed, so that the class with most votes has the largest. */
static void favour(int label, double *probabilities)
{
  double largest = probabilities[0], divisor;
  int k, first = 0;
  for (k = 1; k < N_CLASSES; ++k)
    if (probabilities[k] > largest) largest = probabilities[k], first = k;
  if (first == label) return;
  divisor = 1.0 + (largest - probabilities[label]);
  largest = 0.0;
  for (k = 0; k < N_CLASSES; ++k) {
    probabilities[k] /= divisor;
    if (probabilities[k] > largest) largest = probabilities[k];
  }
  probabilities[label] = largest * (1.0 + 2.0 * 2.220446049250313e-16);
}

/* Writes scores and probabilities for each class, and returns the class with most votes. */
static int evaluate(const double *row, double *scores, double *probabilities)
{
  double total = 0.0;
  int member, i, k, best = priority[0];
  for (k = 0; k < N_CLASSES; ++k) scores[k] = probabilities[k] = 0.0;
  for (member = 0; member < N_MEMBERS; ++member) {
//# if confidence
    double confidence;
    const int label = predict_member(member, row, votes[member], probabilities, &confidence);
    const double counted = votes[member] * confidence;
    scores[label] += counted;
//# end
//# if label
    const int label = predict_member(member, row, votes[member], probabilities);
    scores[label] += votes[member];
//# end
//# if shares
    predict_member(member, row, votes[member], probabilities);
//# end
  }
//# if shares
  for (k = 0; k < N_CLASSES; ++k) scores[k] = probabilities[k];
//# end
  for (i = 1; i < N_CLASSES; ++i)
    if (scores[priority[i]] > scores[best] * (1.0 + TIE)) best = priority[i];
  for (k = 0; k < N_CLASSES; ++k) total += probabilities[k];
  for (k = 0; k < N_CLASSES; ++k)
    probabilities[k] = total > 0.0 ? probabilities[k] / total : 1.0 / (double)N_CLASSES;
//# if calibration
  calibrate(probabilities);
//# end
  favour(best, probabilities);
  return best;
}

//# end
//# if alone
/* Writes scores and probabilities for each class, and returns the predicted class. */
static int evaluate(const double *row, double *scores, double *probabilities)
{
  int k, label;
  for (k = 0; k < N_CLASSES; ++k) probabilities[k] = 0.0;
  label = predict_member(0, row, 1.0, probabilities);
//# if separators
  outputs_of(0, row, scores);
//# end
//# if no_separators
  for (k = 0; k < N_CLASSES; ++k) scores[k] = probabilities[k];
//# end
  return label;
}

//# end
//# if costs
/* Removes the factors that costs had in training, and returns the class of least expected cost. */
static int apply_costs(double *probabilities)
{
  double restored[N_CLASSES], expected[N_CLASSES], total = 0.0, least = INFINITY;
  int j, k;
  for (k = 0; k < N_CLASSES; ++k) {
    restored[k] = cost_factors[k] > 0.0 ? probabilities[k] / cost_factors[k] : 0.0;
    total += restored[k];
  }
  if (total > 0.0)
    for (k = 0; k < N_CLASSES; ++k) probabilities[k] = restored[k] / total;
  for (j = 0; j < N_CLASSES; ++j) {
    expected[j] = 0.0;
    for (k = 0; k < N_CLASSES; ++k) {
      const double cost = probabilities[k] * cost_matrix[k * N_CLASSES + j];
      expected[j] += cost;
    }
    if (!(cost_factors[j] > 0.0)) expected[j] = INFINITY;
    if (expected[j] < least) least = expected[j];
  }
  for (j = 0; j < N_CLASSES - 1 && !(expected[j] <= least * (1.0 + TIE)); ++j) continue;
  return j;
}

//# end
static int predict_class(const double *row, double *scores, double *probabilities)
{
//# if costs
  evaluate(row, scores, probabilities);
  return apply_costs(probabilities);
//# end
//# if no_costs
  return evaluate(row, scores, probabilities);
//# end
}

double @name@_encode(int input, const char *value)
{
  int low, high;
  if (input < 0 || input >= N_INPUTS || value == NULL) return NAN;
  low = first_text[input];
  high = first_text[input + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const int order = strcmp(texts[middle], value);
    if (order == 0) return (double)text_code[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NAN;
}

int @name@_predict(const double *row)
{
  double scores[N_CLASSES], probabilities[N_CLASSES];
  return label_of_class[predict_class(row, scores, probabilities)];
}

void @name@_predict_proba(const double *row, double *probabilities)
{
  double scores[N_CLASSES], of_class[N_CLASSES];
  int l;
  predict_class(row, scores, of_class);
  for (l = 0; l < N_LABELS; ++l) probabilities[l] = class_of_label[l] < 0 ? 0.0 : of_class[class_of_label[l]];
}

void @name@_scores(const double *row, double *scores)
{
  double of_class[N_CLASSES], probabilities[N_CLASSES];
  int l;
  predict_class(row, of_class, probabilities);
  for (l = 0; l < N_LABELS; ++l) scores[l] = class_of_label[l] < 0 ? LOWEST_SCORE : of_class[class_of_label[l]];
}
