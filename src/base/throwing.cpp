#include "gossamer/base/throwing.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>

namespace gossamer {

namespace {

/// The data take 32 bytes today. The C library keeps what a thread has freed for that thread, by
/// its size in steps of 16 bytes.
constexpr std::size_t step = 16, steps = 8;

}  // namespace

bool ready_to_throw() noexcept {
  // By malloc: where `new` finds nothing it throws inside, even if it returns null.
  // NOLINTBEGIN(cppcoreguidelines-no-malloc)
  std::array<void*, steps> freed{};
  bool all = true;
  for (std::size_t i = 0; i < steps; ++i) {
    freed[i] = std::malloc((i + 1) * step);
    all = all && freed[i] != nullptr;
  }
  for (void* const one : freed) std::free(one);
  // NOLINTEND(cppcoreguidelines-no-malloc)
  return all && std::uncaught_exceptions() >= 0;
}

}  // namespace gossamer
