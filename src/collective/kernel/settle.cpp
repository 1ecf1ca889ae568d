// Where a command list needs a barrier of its team (command_list.hpp).
#include <algorithm>
#include <vector>

#include "collective/kernel/command_list.hpp"

namespace gossamer {

namespace {

using kind = command::kind;

struct memory_range {
  const std::byte* begin;
  std::size_t bytes;
};
using ranges = std::vector<memory_range>;

bool overlap(const ranges& some, const ranges& other) {
  return std::ranges::any_of(some, [&](const memory_range& a) {
    return std::ranges::any_of(other, [&](const memory_range& b) {
      return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
    });
  });
}

/// What a step reads and writes of the rank's own memory, the inbox left out.
void own_memory(const command& s, std::size_t element, ranges& reads, ranges& writes) {
  const auto add = [](ranges& to, const void* at, std::size_t bytes) {
    if (at != nullptr && bytes != 0) to.push_back({static_cast<const std::byte*>(at), bytes});
  };
  switch (s.what) {
    case kind::put:
    case kind::pack:
      return add(reads, s.from, s.bytes);
    case kind::unpack:
      return add(writes, s.to, s.bytes);
    case kind::copy:
      add(reads, s.from, s.bytes);
      return add(writes, s.to, s.bytes);
    case kind::fold:
      add(reads, s.fold.from,
          (static_cast<std::size_t>(s.fold.parts - 1) * s.fold.stride + s.fold.count) * element);
      [[fallthrough]];
    case kind::fold_packed:
      add(reads, s.fold.own, s.fold.count * element);
      return add(writes, s.fold.to, s.fold.count * element);
    case kind::none:
    case kind::raise:
    case kind::wait:
      break;
  }
}

}  // namespace

bool nothing_read_after_written(const std::vector<command>& steps, std::size_t element) {
  ranges written;
  for (const auto& s : steps) {
    ranges reads, writes;
    own_memory(s, element, reads, writes);
    if (overlap(reads, written) || overlap(writes, written)) return false;
    written.insert(written.end(), writes.begin(), writes.end());
  }
  return true;
}

void settle(std::vector<command>& steps, std::size_t element) {
  ranges read, written;
  for (auto& s : steps) {
    ranges reads, writes;
    own_memory(s, element, reads, writes);
    s.settled = overlap(reads, written) || overlap(writes, written) || overlap(writes, read);
    if (s.settled) {
      read.clear();
      written.clear();
    }
    read.insert(read.end(), reads.begin(), reads.end());
    written.insert(written.end(), writes.begin(), writes.end());
  }
}

}  // namespace gossamer
