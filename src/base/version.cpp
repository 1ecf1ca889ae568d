// version: what the build says. In a file of its own, so that a test can stand in for another one.
#include "gossamer/base/version.hpp"

namespace gossamer {

const char* version() noexcept {
  return GOSSAMER_VERSION;
}

}  // namespace gossamer
