// The numbers of handlers. Filled before main(), then read only: any number of threads may.
#include "gossamer/task/delegate.hpp"

#include <limits>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer::delegated {

namespace {

std::vector<message_kind>& table() {
  static std::vector<message_kind> all;
  return all;
}

}  // namespace

std::uint16_t add_kind(const message_kind& kind) {
  require(table().size() < std::numeric_limits<std::uint16_t>::max(),
          "delegates: more kinds of operations than messages can name");
  table().push_back(kind);
  return static_cast<std::uint16_t>(table().size() - 1);
}

std::span<const message_kind> kinds() {
  return table();
}

std::uint64_t fingerprint() {
  // FNV-1a, 64 bits (Fowler, Noll, Vo), of all names with their ends.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const message_kind& e : table())
    for (const char* c = e.name;; ++c) {
      hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3u;
      if (*c == '\0') break;
    }
  return hash;
}

}  // namespace gossamer::delegated
