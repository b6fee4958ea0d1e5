// The arrays of a graph, as Graph.from_arrays takes them: they are refused, or the graph predicts and can be saved.
#include "use_graph.hpp"

using namespace weaklearn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::BytesIn in(data, size);
  graph::Graph graph;
  graph.n_classes = in.below(300);
  graph.columns = fuzz::read_columns(in);
  graph::Graph::for_each_array(graph, [&]<class T>(const char*, std::vector<T>& values) { in.list(values); });
  if (!graph.problem().empty()) return 0;
  fuzz::use_graph(graph);
  const graph::Graph* const only = &graph;
  graph::CompactGraphs form = graph::compact({&only, 1});
  graph::CompactView view;
  std::vector<std::span<const std::byte>> lists;
  graph::CompactGraphs::for_each_list(form, [&]<class T>(const char*, const std::vector<T>& values) {
    lists.push_back(std::as_bytes(std::span(values)));
  });
  std::size_t next = 0;
  graph::CompactView::for_each_list(view, [&]<class T>(const char*, std::span<const T>& values) {
    values = {reinterpret_cast<const T*>(lists[next].data()), lists[next].size() / sizeof(T)};
    ++next;
  });
  const std::vector<graph::Graph> again = graph::expand(view, graph.n_classes, graph.columns);
  fuzz::require(again.size() == 1 && again[0].nodes.size() == graph.nodes.size(), "a saved graph is restored");
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    fuzz::require(again[0].nodes[i].split == graph.nodes[i].split &&
                      again[0].nodes[i].weight == graph.nodes[i].weight &&
                      again[0].nodes[i].label == graph.nodes[i].label,
                  "a saved node is restored");
  return 0;
}
