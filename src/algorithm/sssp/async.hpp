// One CPU rank of a search without buckets or rounds: a distributed worklist whose soft priority is
// the distance (dataflow/vertex_program.hpp; Groute's form of shortest paths, PPoPP'17).
//
// A window of distances, whose width adapts, takes the place of a bucket: all ranks work on what
// lies in it in any order, and send what they find for others while they work. A rank agrees with
// the others once a window, not once a round of messages.
//
// Distances are the smallest sums along paths whatever the order, since rounding is monotone: the
// same as delta-stepping's to the bit.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithm/range_owners.hpp"
#include "algorithm/sssp/peer.hpp"
#include "algorithm/vertex_worklist.hpp"

namespace gossamer::sssp_detail {

/// The operator: the smallest sum wins.
template <class Distance>
struct shortest_sums {
  using value = Distance;
  GOSSAMER_HD static bool update(Distance& at, const Distance& incoming) {
    if (!(incoming < at)) return false;
    at = incoming;
    return true;
  }
  /// Sums that do not fit are "not reached", which shortens nothing: an integer's sum has wrapped
  /// when it is less than what was added to, a float's is infinite by itself.
  template <class Arc>
  GOSSAMER_HD static Distance propagate(const Distance& from, const Arc& along_it) {
    const Distance sum = along<Distance>(from, along_it.weight);
    return sum < from ? unreached<Distance> : sum;
  }
  GOSSAMER_HD static double priority(const Distance& at) { return static_cast<double>(at); }
};

template <class Id, class Distance>
class async_search {
 public:
  /// `first`: [ranks + 1] row ranges, which must outlive it; `delta`: width of the first window.
  async_search(const weighted_rows<Id, Distance>& rows, const std::vector<std::int64_t>& first,
               int rank, double delta);
  /// Collective. Fills the own rows of `distances`. Times: "exchange" is sending parcels, "agree"
  /// waiting, for messages as well as for the others' reports.
  search_counts run(rank& r, std::int64_t source, Distance* distances, peer_times& times);
  /// Of the last run.
  [[nodiscard]] const worklist_counters& work() const noexcept { return work_.counters(); }

  /// Of windows and counters, taken from the rank's arena.
  static std::int64_t arena_bytes(int ranks) { return list::window_bytes(ranks); }
  /// Of what is kept between runs.
  static std::int64_t work_bytes(const std::vector<std::int64_t>& first, int rank);

 private:
  using list = algorithm_detail::vertex_worklist<shortest_sums<Distance>, Id, weight_of<Distance>,
                                                 algorithm_detail::range_owners>;

  algorithm_detail::range_owners owners_;
  list work_;
};

}  // namespace gossamer::sssp_detail
