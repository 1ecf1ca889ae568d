// The lists of chase_global: where nodes lie. Arithmetic that every rank does for itself.
#pragma once

#include <cstdint>

#include "gossamer/graph/random.hpp"
#include "gossamer/task/global_heap.hpp"

namespace gossamer::pointer_chase {

struct global_node {
  global_address<global_node> next;
  std::uint64_t position = 0;  ///< in its list
};

/// List r's node at position p lies on rank r + 1 + p mod (ranks - 1): every rank has the same
/// number of nodes of each other rank's list, those of one list behind each other.
class global_lists {
 public:
  global_lists(int ranks, std::int64_t nodes)
      : ranks_(ranks),
        others_(static_cast<std::uint64_t>(ranks - 1)),
        each_((static_cast<std::uint64_t>(nodes) + others_ - 1) / others_),
        order_(permutation::of(each_, 1)) {}

  [[nodiscard]] std::uint64_t length() const { return each_ * others_; }
  /// Collective.
  [[nodiscard]] global_array<global_node> allocate(global_heap& heap) const {
    return heap.allocate_owned<global_node>(static_cast<std::int64_t>(length()));
  }
  /// The index of a list's node.
  [[nodiscard]] std::int64_t index(int list, std::uint64_t position) const {
    const auto turn = static_cast<int>(position % others_);
    const int owner = (list + 1 + turn) % ranks_;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(owner) * length() +
                                     local(owner, list, position));
  }
  /// Links the nodes that `self` owns.
  void link(global_array<global_node> nodes, int self) const {
    for (int list = 0; list < ranks_; ++list) {
      if (list == self) continue;
      const auto turn = static_cast<std::uint64_t>((self - list - 1 + ranks_) % ranks_);
      for (std::uint64_t p = turn; p < length(); p += others_) {
        auto& node = nodes.local()[local(self, list, p)];
        node.position = p;
        node.next = nodes[index(list, (p + 1) % length())];
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t local(int owner, int list, std::uint64_t position) const {
    const auto before = static_cast<std::uint64_t>((list - owner - 1 + ranks_) % ranks_);
    return before * each_ + order_(position / others_);
  }

  int ranks_;
  std::uint64_t others_, each_;
  permutation order_;
};

}  // namespace gossamer::pointer_chase
