#include "parallel/thread_pool.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace weaklearn::parallel {

ThreadPool::ThreadPool(std::uint32_t n_threads) {
  constexpr std::uint32_t most_threads = 256;
  n_threads = std::clamp(n_threads, 1U, most_threads);
  threads_.reserve(n_threads - 1);
  // The system may have no more threads, or no memory for them. Fewer threads give the same result.
  try {
    for (std::uint32_t thread = 1; thread < n_threads; ++thread)
      threads_.emplace_back([this, thread] { run_thread(thread); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::for_each(std::uint32_t count, const std::function<void(std::uint32_t, std::uint32_t)>& step) {
  if (threads_.empty() || count < 2) {
    for (std::uint32_t i = 0; i < count; ++i) step(i, 0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    step_ = &step;
    count_ = count;
    next_ = 0;
    working_ = n_threads();
    failure_ = nullptr;
    ++loop_;
  }
  wake_.notify_all();
  take_steps(0);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [this] { return working_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::run_thread(std::uint32_t thread) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || loop_ != seen; });
      if (stop_) return;
      seen = loop_;
    }
    take_steps(thread);
  }
}

void ThreadPool::take_steps(std::uint32_t thread) {
  for (;;) {
    std::uint32_t i;
    {
      const std::lock_guard lock(mutex_);
      if (next_ >= count_ || failure_) break;
      i = next_++;
    }
    try {
      (*step_)(i, thread);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
  const std::lock_guard lock(mutex_);
  if (--working_ == 0) finished_.notify_one();
}

}  // namespace weaklearn::parallel
