#include <utility>
#include <vector>

#include "explain/shap.hpp"
#include "predict_inputs.hpp"

namespace weaklearn::bindings {
namespace {

using namespace nb::literals;

nb::tuple shap_values(const nb::list& graphs, const Contiguous& votes, const nb::list& columns, std::uint32_t n_rows,
                      std::uint32_t n_threads) {
  std::vector<const graph::Graph*> members;
  for (const nb::handle& graph : graphs) members.push_back(nb::cast<const graph::Graph*>(graph));
  const explain::Explainer explainer(members, {votes.data(), votes.shape(0)});
  std::vector<double> values(std::size_t{n_rows} * explainer.columns().size() * explainer.n_classes());
  std::vector<double> base_values(std::size_t{n_rows} * explainer.n_classes());
  with_rows(explainer, columns, n_rows, n_threads,
            [&](const graph::InputRows& rows) { explainer.explain(rows, values.data(), base_values.data()); });
  return nb::make_tuple(to_numpy(std::move(values)), to_numpy(std::move(base_values)));
}

}  // namespace

void bind_explain(nb::module_& m) {
  m.def("shap_values", &shap_values, "graphs"_a, "votes"_a, "columns"_a, "n_rows"_a, "n_threads"_a = 1,
        "Return n_rows x n_columns x n_classes Shapley values and n_rows x n_classes base values.");
}

}  // namespace weaklearn::bindings
