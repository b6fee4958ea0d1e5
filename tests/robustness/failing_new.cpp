// Preloaded into Python: an allocation of C++ fails when the counter reaches zero. Sizes and results stay the same.
#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> until_failure{-1};
std::atomic<long> n_live{0};
}  // namespace

extern "C" void fail_after(long n) { until_failure = n; }
extern "C" long remaining() { return until_failure; }
extern "C" long live() { return n_live; }

void* operator new(std::size_t size) {
  if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc();
  void* const place = std::malloc(size > 0 ? size : 1);
  if (place == nullptr) throw std::bad_alloc();
  ++n_live;
  return place;
}
void operator delete(void* place) noexcept {
  if (place != nullptr) --n_live;
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept { operator delete(place); }
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete[](void* place) noexcept { operator delete(place); }
void operator delete[](void* place, std::size_t) noexcept { operator delete(place); }
