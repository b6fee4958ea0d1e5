// Rulesets: C4.5rules, and the rules that match rows.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fit/fit_rules.hpp"
#include "fitting.hpp"
#include "predict_inputs.hpp"
#include "rules/match_rules.hpp"
#include "rules/ruleset.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;
using rules::Condition;
using rules::Matcher;
using rules::Rule;
using rules::Ruleset;

std::unique_ptr<Ruleset> fit_rules(const data::Dataset& dataset, const Contiguous& weights, bool use_gain_ratio,
                                   double min_objects, bool subset, bool threshold_penalty, std::uint32_t max_depth,
                                   double confidence, std::optional<double> fisher, double redundancy, bool annealing,
                                   bool release8, const criteria::ClassFactors& classes, std::uint32_t n_threads) {
  fit::C45FitOptions tree;
  tree.tree.search = {.min_objects = min_objects,
                      .use_gain_ratio = use_gain_ratio,
                      .subset = subset,
                      .threshold_penalty = threshold_penalty};
  tree.tree.max_depth = max_depth;
  tree.tree.n_threads = n_threads;
  tree.tree.classes = classes;
  tree.release8 = release8;
  const rules::Options options{
      .confidence = confidence, .fisher = fisher, .redundancy = redundancy, .annealing = annealing};
  const nb::gil_scoped_release release;
  return std::make_unique<Ruleset>(fit::fit_rules(dataset, span_of(weights), tree, options));
}

std::unique_ptr<Ruleset> simplify_trees(const data::Dataset& dataset, const Contiguous& weights,
                                        const SequenceOf<graph::Graph>& trees, double confidence,
                                        std::optional<double> fisher, double redundancy, bool annealing,
                                        const criteria::ClassFactors& classes, std::uint32_t n_threads) {
  const rules::Options options{.confidence = confidence,
                               .fisher = fisher,
                               .redundancy = redundancy,
                               .annealing = annealing,
                               .class_factors = classes.factors,
                               .n_threads = n_threads};
  std::vector<const graph::Graph*> graphs;
  for (const nb::handle tree : nb::iter(trees)) graphs.push_back(nb::cast<const graph::Graph*>(tree));
  const nb::gil_scoped_release release;
  return std::make_unique<Ruleset>(fit::simplify_trees(dataset, span_of(weights), graphs, options));
}

void make_condition(Condition* place, std::uint32_t column, std::uint32_t kind, double threshold,
                    const SequenceOf<std::uint32_t>& values) {
  new (place) Condition{column, static_cast<rules::ConditionKind>(kind), threshold, vector_of(values)};
}

void make_rule(Rule* place, std::int32_t label, double error, std::uint32_t number,
               const SequenceOf<Condition>& conditions, double covered, double covered_errors, double used,
               double used_errors) {
  new (place) Rule{label, error, number, vector_of(conditions), covered, covered_errors, used, used_errors};
}

std::unique_ptr<Ruleset> make_ruleset(const SequenceOf<std::pair<std::uint32_t, bool>>& columns,
                                      const SequenceOf<Rule>& rules, std::int32_t default_class,
                                      const SequenceOf<double>& class_weights,
                                      const SequenceOf<double>& default_weights) {
  auto ruleset = std::make_unique<Ruleset>();
  ruleset->class_weights = vector_of(class_weights);
  ruleset->n_classes = static_cast<std::uint32_t>(ruleset->class_weights.size());
  ruleset->columns = column_types(columns);
  ruleset->rules = vector_of(rules);
  ruleset->default_class = default_class;
  ruleset->default_weights = vector_of(default_weights);
  if (const std::string problem = ruleset->problem(); !problem.empty()) throw std::invalid_argument(problem);
  return ruleset;
}

nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>> first_match(const Matcher& matcher, const nb::list& columns,
                                                              std::uint32_t n_rows, std::uint32_t n_threads) {
  return predicted<std::int32_t>(matcher, columns, n_rows, n_threads, n_rows,
                                 [&](const auto& rows, auto* out) { matcher.first_match(rows, out); });
}

nb::tuple all_matches(const Matcher& matcher, const nb::list& columns, std::uint32_t n_rows, std::uint32_t n_threads) {
  rules::Matches matches;
  with_rows(matcher, columns, n_rows, n_threads, [&](const auto& rows) { matches = matcher.all_matches(rows); });
  return nb::make_tuple(to_numpy(std::move(matches.rules)), to_numpy(std::move(matches.row_start)));
}

}  // namespace

void bind_rules(nb::module_& m) {
  nb::class_<Condition>(m, "Condition",
                        "A condition of a rule: a column, an index in CONDITION_KINDS, and what it needs.")
      .def("__init__", &make_condition, "column"_a, "kind"_a, "threshold"_a, "values"_a)
      .def_ro("column", &Condition::column)
      .def_prop_ro("kind", [](const Condition& condition) { return static_cast<std::uint32_t>(condition.kind); })
      .def_ro("threshold", &Condition::threshold)
      .def_ro("values", &Condition::values);
  nb::class_<Rule>(m, "Rule", "Conditions, the class that they predict, and what the rule did on the training rows.")
      .def("__init__", &make_rule, "label"_a, "error"_a, "number"_a, "conditions"_a, "covered"_a, "covered_errors"_a,
           "used"_a, "used_errors"_a)
      .def_ro("label", &Rule::label)
      .def_ro("error", &Rule::error)
      .def_ro("number", &Rule::number)
      .def_ro("conditions", &Rule::conditions)
      .def_ro("covered", &Rule::covered)
      .def_ro("covered_errors", &Rule::covered_errors)
      .def_ro("used", &Rule::used)
      .def_ro("used_errors", &Rule::used_errors);
  nb::class_<Ruleset>(m, "Ruleset", "Rules in the order in which they are tried, and a default class.")
      .def(nb::new_(&make_ruleset), "columns"_a, "rules"_a, "default_class"_a, "class_weights"_a, "default_weights"_a)
      .def_ro("rules", &Ruleset::rules)
      .def_ro("default_class", &Ruleset::default_class)
      .def_ro("class_weights", &Ruleset::class_weights)
      .def_ro("default_weights", &Ruleset::default_weights);
  nb::class_<Matcher>(m, "RuleMatcher", "Finds the rules that match rows.")
      .def(nb::init<const Ruleset&>(), "ruleset"_a)
      .def("first_match", &first_match, "columns"_a, "n_rows"_a, "n_threads"_a = 1,
           "Return per row the position of the first rule that matches it, or -1.")
      .def("all_matches", &all_matches, "columns"_a, "n_rows"_a, "n_threads"_a = 1,
           "Return the positions of the rules that match each row, and where each row starts in it.");
  nb::list kinds;
  for (const char* name : rules::condition_kind_names) kinds.append(name);
  m.attr("CONDITION_KINDS") = nb::tuple(kinds);
  m.attr("HIGHEST_RULE_ERROR") = rules::highest_error;
  m.def("fit_rules", &fit_rules, "dataset"_a, "weights"_a, "use_gain_ratio"_a = true, "min_objects"_a = 2.0,
        "subset"_a = false, "threshold_penalty"_a = true, "max_depth"_a = UINT32_MAX, "confidence"_a = 0.25,
        "fisher"_a = nb::none(), "redundancy"_a = 1.0, "annealing"_a = false, "release8"_a = false,
        "classes"_a = criteria::ClassFactors{}, "n_threads"_a = 1);
  m.def("simplify_trees", &simplify_trees, "dataset"_a, "weights"_a, "trees"_a, "confidence"_a = 0.25,
        "fisher"_a = nb::none(), "redundancy"_a = 1.0, "annealing"_a = false, "classes"_a = criteria::ClassFactors{},
        "n_threads"_a = 1, "Make a ruleset of trees for the columns and classes of the dataset.");
}

}  // namespace weaklearn::bindings
