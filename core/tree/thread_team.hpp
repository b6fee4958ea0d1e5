// The threads of one fit. They share the columns of large nodes, and then each takes whole subtrees.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parallel/thread_pool.hpp"

namespace weaklearn::tree {

class ThreadTeam {
 public:
  explicit ThreadTeam(std::uint32_t n_threads) : pool(n_threads) {}

  // Calls step(column, thread) for each column. All threads take part if the node is large enough and they are free.
  template <class Step>
  void for_each_column(std::size_t n_rows, std::uint32_t thread, std::uint32_t n_columns, const Step& step) {
    if (!in_subtrees && n_rows >= rows_worth_sharing) {
      pool.for_each(n_columns, step);
      return;
    }
    for (std::uint32_t c = 0; c < n_columns; ++c) step(c, thread);
  }

  parallel::ThreadPool pool;
  bool in_subtrees = false;  // every thread grows a subtree of its own

 private:
  static constexpr std::size_t rows_worth_sharing = 4096;  // below this, waking threads costs more than it saves
};

}  // namespace weaklearn::tree
