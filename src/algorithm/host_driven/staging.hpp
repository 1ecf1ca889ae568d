// Where messages are packed before they leave: two places for each rank that this one sends to. A
// place is free when what was packed there has been submitted; the stream that packs waits for the
// rest.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "algorithm/host_driven/route.hpp"
#include "gossamer/dataflow/link.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::algorithm_detail {

class staging_buffers {
 public:
  struct place {
    std::span<std::byte> bytes;
    dataflow::send_future sent;
    bool used = false;
  };

  staging_buffers() = default;
  staging_buffers(rank& r, message_route route, std::size_t packet)
      : by_rank_(static_cast<std::size_t>(r.size())) {
    for (int to = 0; to < r.size(); ++to) {
      if (next_on_the_way(route, r.id(), to, r.size()) != to || to == r.id()) continue;
      for (int i = 0; i < each; ++i)
        by_rank_[static_cast<std::size_t>(to)].push_back({r.scratch<std::byte>(packet), {}, false});
    }
  }
  /// In the rank's native arena.
  static std::size_t bytes(int ranks, message_route route, std::size_t packet) {
    const auto targets = static_cast<std::size_t>(route == message_route::ring ? 1 : ranks - 1);
    return targets * each * ((packet + 255) / 256 * 256);
  }

  /// null: all that there are for this rank are in use, or none are.
  [[nodiscard]] place* free_place(int to) {
    for (place& one : by_rank_[static_cast<std::size_t>(to)])
      if (!one.used || one.sent.done()) return &one;
    return nullptr;
  }

 private:
  static constexpr int each = 2;
  std::vector<std::vector<place>> by_rank_;
};

}  // namespace gossamer::algorithm_detail
