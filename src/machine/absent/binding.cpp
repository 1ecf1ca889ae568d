// Thread placement without hwloc: the operating system decides.
#include "machine/binding.hpp"

namespace gossamer {

struct binding::plan {};

binding::binding(const std::vector<device>&) {}
binding::~binding() = default;
void binding::apply(int) const noexcept {}

}  // namespace gossamer
