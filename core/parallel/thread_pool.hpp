// A pool of threads that run the steps of a loop. The assignment of steps to threads never changes a result: steps are
// independent, and each writes only its own memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace weaklearn::parallel {

class Pool {
 public:
  explicit Pool(std::uint32_t n_threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::uint32_t n_threads() const { return static_cast<std::uint32_t>(threads_.size()) + 1; }

  // Calls step(i, thread) for i in [0, count). The calling thread has index 0. The first exception of a step is rethrown
  // here, after all threads have finished.
  void for_each(std::uint32_t count, const std::function<void(std::uint32_t, std::uint32_t)>& step);

 private:
  void serve(std::uint32_t thread);
  void take_steps(std::uint32_t thread);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable rest_;
  const std::function<void(std::uint32_t, std::uint32_t)>* step_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t next_ = 0;
  std::uint32_t working_ = 0;
  std::uint64_t loop_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
};

}  // namespace weaklearn::parallel
