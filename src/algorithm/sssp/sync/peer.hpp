// One CPU rank of several: works its part of the first bucket off, then tells the others.
//
// What crosses ranks:
//   inbox  window<message>, native, one segment of 1 + rows messages for each sender: the first
//          says how many follow, each of them "your row `target` can be reached at `distance`".
//   mail   signals[p]: counter s is set by rank s to round + 1 once its messages lie here.
//
// Flow control: between two rounds all ranks agree on the first bucket that any of them holds
// (allreduce). A rank agrees on a round only after it has read its inbox, so one segment a sender
// is enough.
//
// `known` holds the distance of every own vertex, and of every other the smallest one that this
// rank has met (paper C's halo: useless sends are skipped). A vertex is therefore listed at most
// once a round, its distance is looked up when the list is sent, and a segment never overflows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/sssp/rank_search.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "algorithm/sssp/sync/counted_vector.hpp"
#include "algorithm/sssp/weights.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::sssp_detail {

template <class Id, class Distance>
struct message {
  Distance distance;
  Id target;  ///< row of the receiver, 0 = its first; in the first of a segment, how many follow
};

/// What is kept between runs, buckets left out.
template <class Distance>
struct peer_arrays {
  shared_array<Distance> known;
  shared_array<std::uint64_t> listed;  ///< a bit a vertex: waits in a list

  void list(algorithm_detail::array_list& of, std::int64_t vertices) {
    of.add(known, vertices);
    of.add(listed, vertices / 64 + 1);
  }
};
template <class Id, class Distance>
struct peer_windows {
  window<message<Id, Distance>> inbox;
  signal_set mail;

  void list(algorithm_detail::array_list& of, std::int64_t rows, int ranks) {
    of.add(inbox, ranks * (rows + 1));
    of.add(mail, ranks);
  }
};

template <class Id, class Distance>
class peer_search final : public rank_search<Distance> {
 public:
  /// `rows`: of `rank`, whose ids are those from first[rank] up to first[rank + 1].
  peer_search(const weighted_rows<Id, Distance>& rows, std::vector<std::int64_t> first, int rank,
              bucket_width width, double largest);
  void run(rank& r, std::int64_t source, Distance* distances, outcome& out) override;

 private:
  using letter = message<Id, Distance>;

  void begin(std::int64_t source);
  void work_off(std::int64_t bucket);
  void offer(std::int64_t v, Distance d);
  void send(rank& r, std::uint64_t round);
  void receive(rank& r, std::uint64_t round);

  weighted_rows<Id, Distance> rows_;
  std::vector<std::int64_t> first_;
  int me_;
  std::int64_t begin_, end_;  ///< own rows
  Distance longest_;
  bucket_width width_;
  buckets<Id, Distance> waiting_;
  typename buckets<Id, Distance>::list taken_;
  peer_arrays<Distance> arrays_;
  std::vector<algorithm_detail::counted_vector<Id>> lists_;       ///< by receiver
  std::vector<algorithm_detail::counted_vector<letter>> packed_;  ///< as sent, by receiver
  peer_windows<Id, Distance> windows_;
  std::int64_t relaxations_ = 0;
};

}  // namespace gossamer::sssp_detail
