// One CPU rank of a search by tasks (task/global_tasks.hpp): delta-stepping whose buckets are runs.
//
// In a run all ranks work off one bucket, in any order. A few tasks share what waits in it: each
// takes a vertex, fetches its row, leaves the core to the others while memory answers, and relaxes
// the arcs. A smaller distance of an own vertex goes into a bucket; another rank's is posted to its
// owner. The owner puts it into a bucket and, if that is the one being worked off, begins further
// tasks. The run ends when nobody has anything left and no message is under way; then all agree on
// the next bucket.
//
// Each rank keeps a distance of every vertex: of own ones the shortest found, of the others' the
// shortest that it has told. An arc that does not better it costs no message.
//
// Distances are the smallest sums along paths whatever the order, since rounding is monotone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/rank_objects.hpp"
#include "algorithm/sssp/rank_search.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "algorithm/sssp/weights.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
class task_search final : public rank_search<Distance> {
 public:
  /// `rows`: of `rank`; `g`, which is placed like that, must outlive it.
  task_search(const weighted_rows<Id, Distance>& rows, const placed_graph& g, int rank,
              bucket_width width);
  /// Of the times only "agree" is known: sending is what tasks do among other things.
  void run(rank& r, std::int64_t source, Distance* distances, outcome& out) override;

  /// What it takes, buckets aside.
  static algorithm_detail::listed_bytes bytes(std::int64_t vertices, int ranks);

 private:
  using entry = bucket_entry<Id, Distance>;
  using peers = algorithm_detail::rank_objects<task_search>;
  /// "`vertex`, yours, is at `distance` at most".
  struct shorten {
    Distance distance;
    Id vertex;
    void operator()(task_search& owner) const { owner.arrive(vertex, distance); }
    void prefetch(const task_search& owner) const {
      __builtin_prefetch(&owner.known_[static_cast<std::size_t>(vertex)], 1);
    }
  };

  void begin(std::int64_t source);
  task<> start(const peers& all);
  void spawn_more(const peers& all);
  task<> relax(const peers& all);
  bool take(entry& next);
  void scan(Distance from, edge_offset first, edge_offset last);
  void arrive(Id vertex, Distance distance);

  weighted_rows<Id, Distance> rows_;
  ownership_view owners_;
  std::int64_t first_, last_;  ///< own ids
  int rank_;
  std::span<Distance> known_;  ///< of every vertex
  bucket_width width_;
  buckets<Id, Distance> waiting_;
  typename buckets<Id, Distance>::list taken_;  ///< of the bucket that is worked off
  std::size_t next_ = 0;                        ///< in taken_
  std::int64_t bucket_ = -1, working_ = 0;      ///< tasks
  const peers* all_ = nullptr;                  ///< while there is a run
  struct arrays {
    shared_array<shorten> found;  ///< for others, and not posted yet

    void list(algorithm_detail::array_list& of);
  };
  arrays arrays_;
  std::int64_t posted_ = 0, found_end_ = 0;
  std::int64_t relaxations_ = 0;
};

}  // namespace gossamer::sssp_detail
