// operator new and delete of the whole program, counting. In a file of its own: seen together with
// a call, GCC takes the free of memory that is its own for a mismatch.
#include <cstdlib>
#include <new>

#include "unit/fabric/allocations.hpp"

void* operator new(std::size_t bytes) {
  ++gossamer::testing::allocations;
  if (void* p = std::malloc(bytes != 0 ? bytes : 1)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++gossamer::testing::allocations;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
