// operator new and delete of the whole program, counting. In a file of its own: seen together with
// a call, GCC takes the free of memory that is its own for a mismatch. The forms that do not throw
// are here because AddressSanitizer has its own of whatever is not, whose memory free() may not
// have.
#include <cstdlib>
#include <new>

#include "unit/fabric/allocations.hpp"

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++gossamer::testing::allocations;
  return std::malloc(bytes != 0 ? bytes : 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  ++gossamer::testing::allocations;
  const auto a = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(a, (bytes + a - 1) / a * a);
}
void* operator new(std::size_t bytes) {
  if (void* p = operator new(bytes, std::nothrow)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* p = operator new(bytes, alignment, std::nothrow)) return p;
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
