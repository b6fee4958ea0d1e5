// parallel/: threads, random numbers and SIMD for the other folders.
//
// Terms: a loop is a number of independent steps; a step writes only its own memory. Which thread runs a step therefore
// never changes a result.
//
// Entry points: ThreadPool (this file) runs the steps of a loop on several threads; SeededRandom (seeded_random.hpp) is
// the only source of random numbers in the core; WEAKLEARN_WIDE (simd.hpp) marks functions that use wide instructions.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace weaklearn::parallel {

class ThreadPool {
 public:
  explicit ThreadPool(std::uint32_t n_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::uint32_t n_threads() const { return static_cast<std::uint32_t>(threads_.size()) + 1; }

  // Calls step(i, thread) for i in [0, count). The calling thread has index 0. The first exception of a step is
  // rethrown here, after all threads have finished.
  void for_each(std::uint32_t count, const std::function<void(std::uint32_t, std::uint32_t)>& step);

 private:
  void run_thread(std::uint32_t thread);
  void take_steps(std::uint32_t thread);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;  // a loop starts, or the pool is destroyed
  std::condition_variable finished_;  // no thread is working on the loop
  const std::function<void(std::uint32_t, std::uint32_t)>* step_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t next_ = 0;
  std::uint32_t working_ = 0;  // threads that have not finished the loop
  std::uint64_t loop_ = 0;  // loops started so far
  bool stop_ = false;
  std::exception_ptr failure_;
};

}  // namespace weaklearn::parallel
