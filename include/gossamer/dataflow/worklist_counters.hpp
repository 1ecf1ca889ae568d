// What a distributed worklist counts of its work, messages and rounds.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gossamer {

/// Of one rank, or, added up, of all.
struct worklist_counters {
  std::int64_t items = 0;     ///< worked on
  std::int64_t repeated = 0;  ///< … of them, whose work had been done before with a worse value
  std::int64_t useless = 0;   ///< received, and no better than what was there
  std::int64_t filtered = 0;  ///< not sent, because the halo's value was as good
  std::int64_t sent = 0;      ///< items that crossed ranks
  std::int64_t bytes = 0;     ///< … of their contents
  std::int64_t parcels = 0;   ///< … in so many puts
  std::int64_t deferred = 0;  ///< put off because their priority was beyond the threshold
  std::int64_t windows = 0;   ///< times that the threshold moved; the same on every rank
  std::int64_t rounds = 0;    ///< of termination detection; the same on every rank
  std::int64_t arcs = 0;      ///< looked at, where items are vertices
  std::int64_t stolen = 0;    ///< items whose rows others relaxed, at least in part
  std::int64_t given_bytes = 0;  ///< of what was stolen
  std::int64_t most_arcs = 0;    ///< of `arcs`, those of the rank that looked at most (CPU ranks)

  void add(const worklist_counters& o) {
    items += o.items;
    repeated += o.repeated;
    useless += o.useless;
    filtered += o.filtered;
    sent += o.sent;
    bytes += o.bytes;
    parcels += o.parcels;
    deferred += o.deferred;
    windows = o.windows;
    rounds = o.rounds;
    arcs += o.arcs;
    stolen += o.stolen;
    given_bytes += o.given_bytes;
    most_arcs = std::max(most_arcs, o.most_arcs);
  }
};

}  // namespace gossamer
