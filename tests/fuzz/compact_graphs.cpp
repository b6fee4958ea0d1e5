// The arrays of a binary model file: they are refused with a reason, or all graphs are valid and predict.
#include "use_graph.hpp"

using namespace weaklearn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::BytesIn in(data, size);
  const std::uint32_t n_classes = in.below(300);
  const std::vector<graph::ColumnType> columns = fuzz::read_columns(in);
  graph::CompactGraphs form;
  graph::CompactView view;
  std::vector<std::span<const std::byte>> lists;
  graph::CompactGraphs::for_each_list(form, [&]<class T>(const char*, std::vector<T>& values) {
    in.list(values);
    if constexpr (std::is_floating_point_v<T>)  // the reader of files refuses numbers that are not finite
      for (T& value : values)
        if (!std::isfinite(value)) value = 1.0;
    lists.push_back(std::as_bytes(std::span(values)));
  });
  std::size_t next = 0;
  graph::CompactView::for_each_list(view, [&]<class T>(const char*, std::span<const T>& values) {
    values = {reinterpret_cast<const T*>(lists[next].data()), lists[next].size() / sizeof(T)};
    ++next;
  });
  try {
    for (const graph::Graph& graph : graph::expand(view, n_classes, columns)) {
      fuzz::require(graph.problem().empty(), "an expanded graph is valid");
      fuzz::use_graph(graph);
    }
  } catch (const std::invalid_argument& error) {
    fuzz::require(error.what()[0] != '\0', "an error has a reason");
  }
  return 0;
}
