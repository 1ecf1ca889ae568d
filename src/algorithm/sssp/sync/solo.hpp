// One CPU rank: buckets worked off by one thread while they are small, by all where they are large.
//
// A bucket whose entries have few arcs runs on the calling thread: no parallel region, no atomic
// operation. In a large one threads take pieces of 64 entries and queue what they find in buckets
// of their own. A thread goes on with what falls into the bucket at hand while that is less than a
// thousand entries (bucket fusion). So the end of a bucket costs no barrier a round.
//
// Distances are lowered by compare-and-swap, relaxed: they are the only shared data while threads
// run, a stale one only costs a useless attempt, and the end of the region orders the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithm/sssp/outcome.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "algorithm/sssp/sync/solo_rows.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
class solo_search {
 public:
  using entry = bucket_entry<Id, Distance>;
  using list = typename buckets<Id, Distance>::list;

  solo_search(const weighted_rows<Id, Distance>& rows, bucket_width width, double largest,
              int threads);
  /// Bytes of the copied rows, and of distances in their order.
  static std::int64_t work_bytes(std::int64_t vertices, std::int64_t arcs, bool skewed);
  /// Fills `distances` [vertices].
  search_counts run(rank& r, std::int64_t source, Distance* distances);

 private:
  /// What one thread keeps for itself.
  struct alignas(64) worker {
    explicit worker(bucket_width width) : waiting(width) {}
    buckets<Id, Distance> waiting;
    list taken;                    ///< the bucket at hand, as far as this thread has queued it
    std::int64_t relaxations = 0;  ///< since the counts were last gathered
  };

  std::int64_t work_few(std::int64_t bucket, search_counts& counts);
  [[nodiscard]] std::int64_t take(std::int64_t bucket);
  void work_alone();
  void work_together(std::int64_t bucket, std::int64_t entries);
  template <bool Shared>
  void relax(worker& by, const entry& e);
  template <bool Shared>
  [[nodiscard]] Distance look(std::int64_t v) const;
  template <bool Shared>
  bool lower(std::int64_t v, Distance d);
  template <bool Shared>
  void relax_far(worker& by, const entry& e);
  void work_on(worker& by, const entry* first, const entry* last, bool shared);

  std::int64_t vertices_;
  bucket_width width_;
  Distance longest_;
  int threads_;
  edge_offset arcs_;
  double mean_degree_;
  solo_rows<Id, Distance> rows_;
  shared_array<Distance> ordered_;  ///< distances by position, where that is not the vertex
  Distance* distances_ = nullptr;
  std::vector<worker> workers_;
};

}  // namespace gossamer::sssp_detail
