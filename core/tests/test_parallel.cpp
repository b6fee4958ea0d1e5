#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "check.hpp"
#include "parallel/thread_pool.hpp"

namespace weaklearn::tests {
namespace {

using parallel::ThreadPool;

void every_step_runs_once() {
  for (std::uint32_t n_threads = 1; n_threads <= 8; ++n_threads) {
    ThreadPool pool(n_threads);
    CHECK_EQUAL(pool.n_threads(), n_threads);
    for (const std::uint32_t count : {0U, 1U, 2U, 7U, 1000U}) {
      std::vector<int> done(count, 0);
      std::atomic<bool> indices_valid = true;
      pool.for_each(count, [&](std::uint32_t i, std::uint32_t thread) {
        ++done[i];
        if (thread >= n_threads) indices_valid = false;
      });
      CHECK_EQUAL(done, std::vector<int>(count, 1));
      CHECK(indices_valid.load());
    }
  }
  CHECK_EQUAL(ThreadPool(0).n_threads(), 1U);
}

// A thread index belongs to one thread at a time, so memory per thread needs no lock.
void each_thread_has_its_own_index() {
  ThreadPool pool(4);
  std::vector<std::uint64_t> sums(pool.n_threads(), 0);
  pool.for_each(5000, [&](std::uint32_t i, std::uint32_t thread) { sums[thread] += i; });
  std::uint64_t total = 0;
  for (const std::uint64_t sum : sums) total += sum;
  CHECK_EQUAL(total, std::uint64_t{5000} * 4999 / 2);
}

void a_pool_runs_many_loops() {
  ThreadPool pool(4);
  std::uint64_t total = 0;
  for (int loop = 0; loop < 2000; ++loop) {
    std::uint64_t sums[5] = {};
    pool.for_each(5, [&](std::uint32_t i, std::uint32_t) { sums[i] = i; });
    for (const std::uint64_t sum : sums) total += sum;
  }
  CHECK_EQUAL(total, std::uint64_t{2000 * 10});
}

void exceptions_are_rethrown() {
  for (std::uint32_t n_threads = 1; n_threads <= 8; ++n_threads) {
    ThreadPool pool(n_threads);
    for (int loop = 0; loop < 50; ++loop) {
      std::string message;
      try {
        pool.for_each(20, [&](std::uint32_t i, std::uint32_t) {
          if (i == 13) throw std::runtime_error("thirteen");
        });
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      CHECK_EQUAL(message, std::string("thirteen"));
      CHECK_THROWS(pool.for_each(20, [](std::uint32_t, std::uint32_t) { throw std::logic_error("all"); }),
                   std::logic_error);
      // The pool still works afterwards.
      std::vector<int> done(30, 0);
      pool.for_each(30, [&](std::uint32_t i, std::uint32_t) { ++done[i]; });
      CHECK_EQUAL(done, std::vector<int>(30, 1));
    }
  }
}

void pools_are_created_and_destroyed() {
  std::atomic<std::uint32_t> steps = 0;
  for (std::uint32_t round = 0; round < 200; ++round) {
    ThreadPool pool(1 + round % 8);
    if (round % 3 != 0) pool.for_each(3, [&](std::uint32_t, std::uint32_t) { ++steps; });
  }
  CHECK_EQUAL(steps.load(), 3U * 133U);
}

void pools_work_in_parallel() {
  std::vector<std::uint64_t> totals(4, 0);
  std::vector<std::thread> owners;
  for (std::size_t owner = 0; owner < totals.size(); ++owner)
    owners.emplace_back([&totals, owner] {
      ThreadPool pool(3);
      for (int loop = 0; loop < 100; ++loop) {
        std::vector<std::uint64_t> values(10);
        pool.for_each(10, [&](std::uint32_t i, std::uint32_t) { values[i] = i; });
        for (const std::uint64_t value : values) totals[owner] += value;
      }
    });
  for (std::thread& owner : owners) owner.join();
  CHECK_EQUAL(totals, std::vector<std::uint64_t>(4, 4500));
}

}  // namespace
}  // namespace weaklearn::tests

int main() {
  using namespace weaklearn::tests;
  every_step_runs_once();
  each_thread_has_its_own_index();
  a_pool_runs_many_loops();
  exceptions_are_rethrown();
  pools_are_created_and_destroyed();
  pools_work_in_parallel();
  return report("parallel");
}
