// Writes the seed corpora: make_seeds FOLDER. The files in tests/fuzz/corpus were made by it.
#include <filesystem>
#include <fstream>
#include <string>

#include "fit/fit_separators.hpp"
#include "graphs.hpp"
#include "use_graph.hpp"

using namespace weaklearn;

namespace {

void write(const std::filesystem::path& folder, int index, const fuzz::BytesOut& out) {
  std::filesystem::create_directories(folder);
  std::ofstream file(folder / std::to_string(index), std::ios::binary);
  file.write(reinterpret_cast<const char*>(out.bytes.data()), static_cast<std::streamsize>(out.bytes.size()));
}

void write_graph(const std::filesystem::path& folder, int index, const graph::Graph& graph) {
  fuzz::BytesOut arrays;
  arrays.number(static_cast<std::uint16_t>(graph.n_classes));
  fuzz::write_columns(arrays, graph.columns);
  fuzz::BytesOut compact = arrays;
  graph::Graph::for_each_array(graph, [&](const char*, const auto& values) { arrays.list(values); });
  const graph::Graph* const only = &graph;
  const graph::CompactGraphs form = graph::compact({&only, 1});
  graph::CompactGraphs::for_each_list(form, [&](const char*, const auto& values) { compact.list(values); });
  write(folder / "graph_arrays", index, arrays);
  write(folder / "compact_graphs", index, compact);
}

void write_table(const std::filesystem::path& folder, int index, const tests::RandomTable& table) {
  fuzz::BytesOut out;
  out.number(static_cast<std::uint8_t>(table.dataset.n_rows));
  out.number(static_cast<std::uint16_t>(table.dataset.n_classes));
  out.list(std::vector<std::uint8_t>(table.dataset.classes.begin(), table.dataset.classes.end()));
  out.number(static_cast<std::uint16_t>(table.numbers.size() + table.codes.size()));
  const auto start_column = [&](bool nominal, std::uint32_t n_values) {
    out.number(static_cast<std::uint8_t>(nominal));
    out.number(std::uint8_t{0});
    out.number(static_cast<std::uint16_t>(n_values));
  };
  for (const auto& column : table.numbers) {
    start_column(false, 0);
    out.list(column);
  }
  for (std::size_t c = 0; c < table.codes.size(); ++c) {
    start_column(true, table.n_values[c]);
    out.list(table.codes[c]);
  }
  for (const int flag : {0, 0, index % 2}) out.number(static_cast<std::uint8_t>(flag));
  if (index % 2 == 1) out.number(std::uint16_t{20});
  out.number(static_cast<std::uint16_t>(index % 4));
  out.number(1.0F);
  out.number(std::uint8_t{1});
  out.number(0.25F);
  out.number(static_cast<std::uint16_t>(index % 9));
  for (const int number : {5, 0, 3, 0, 1, 0, 1, 0, 0, 0, 0}) out.number(static_cast<std::uint8_t>(number));
  write(folder / "datasets", index, out);
}

}  // namespace

int main(int n_arguments, char** arguments) {
  if (n_arguments != 2) return 1;
  const std::filesystem::path folder = arguments[1];
  tests::Random random(7);
  write_graph(folder, 0, tests::small_graph());
  for (int index = 1; index < 7; ++index) {
    tests::Shape shape = tests::random_shape(random);
    shape.n_rows = 12 + tests::below(random, 12);
    shape.missing = index % 2 == 0 ? 0.2 : 0.0;
    write_graph(folder, index, tests::random_graph(random, tests::random_table(random, shape), false));
  }
  const tests::RandomTable table = tests::random_table(random, {.n_rows = 20});
  const std::vector<double> weights(20, 1.0);
  write_graph(folder, 7, fit::fit_separator(table.dataset, weights, 0, 5, 1).graph);
  for (int index = 0; index < 9; ++index) {
    tests::Shape shape = tests::random_shape(random);
    shape.n_rows = 10 + tests::below(random, 14);
    shape.n_distinct = 0;
    shape.missing = index % 3 == 0 ? 0.2 : 0.0;
    write_table(folder, index, tests::random_table(random, shape));
  }
  return 0;
}
