// The rounds of one rank of several: relax its part of the lowest bucket, send each peer the
// shortened distances it owns, agree on the next bucket.
#include "algorithm/sssp/sync/peer.hpp"

#include <limits>

#include "algorithm/driver/modelled_access.hpp"
#include "algorithm/sssp/instances.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::sssp_detail {

namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

}  // namespace

template <class Id, class Distance>
peer_search<Id, Distance>::peer_search(const weighted_rows<Id, Distance>& rows,
                                       std::vector<std::int64_t> first, int rank,
                                       bucket_width width, double largest)
    : rows_(rows),
      first_(std::move(first)),
      me_(rank),
      begin_(first_[static_cast<std::size_t>(rank)]),
      end_(first_[static_cast<std::size_t>(rank) + 1]),
      longest_(longest<Distance>(largest)),
      width_(width),
      waiting_(width),
      arrays_(algorithm_detail::taken<peer_arrays<Distance>>(device(), rows.vertices)),
      lists_(first_.size() - 1),
      packed_(first_.size() - 1) {}

template <class Id, class Distance>
void peer_search<Id, Distance>::begin(std::int64_t source) {
  std::fill(arrays_.known.begin(), arrays_.known.end(), unreached<Distance>);
  std::fill(arrays_.listed.begin(), arrays_.listed.end(), 0);
  waiting_.clear();
  taken_ = {};
  relaxations_ = 0;
  arrays_.known[static_cast<std::size_t>(source)] = 0;
  if (source >= begin_ && source < end_) waiting_.push(0, static_cast<Id>(source));
}

template <class Id, class Distance>
void peer_search<Id, Distance>::run(rank& r, std::int64_t source, Distance* distances,
                                    outcome& out) {
  windows_ = algorithm_detail::taken<peer_windows<Id, Distance>>(r, end_ - begin_, r.size());
  scalar_plan<std::int64_t> agreement(r);
  begin(source);
  r.barrier();
  std::int64_t from = 0;
  for (std::uint64_t round = 0;; ++round) {
    double at = r.clock();
    const std::int64_t mine = waiting_.next(from);
    std::int64_t bucket = 0;
    {
      const trace_span span(r, "agree", trace_class::exchange);
      bucket = agreement.allreduce(mine < 0 ? none : mine, reduction::min);
    }
    out.times.agree += r.clock() - at;
    if (bucket == none) break;
    from = bucket;
    ++out.counts.rounds;
    {
      const trace_span span(r, "relax");
      const std::int64_t before = relaxations_;
      work_off(bucket);
      r.charge(static_cast<double>(relaxations_ - before) * (sizeof(Id) + sizeof(Distance) + line),
               0);
    }
    at = r.clock();
    const trace_span span(r, "exchange", trace_class::exchange);
    send(r, round);
    receive(r, round);
    out.times.exchange += r.clock() - at;
  }
  std::copy(arrays_.known.begin() + begin_, arrays_.known.begin() + end_, distances + begin_);
  out.counts.relaxations = relaxations_;
}

template <class Id, class Distance>
void peer_search<Id, Distance>::work_off(std::int64_t bucket) {
  while (waiting_.size(bucket) > 0) {
    taken_.clear();
    waiting_.take(bucket, taken_);
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (i + 8 < taken_.size()) {
        const auto at = rows_.begin(taken_[i + 8].vertex);
        __builtin_prefetch(&rows_.columns[at]);
        __builtin_prefetch(&rows_.weights[at]);
      }
      const auto [distance, u] = taken_[i];
      if (arrays_.known[static_cast<std::size_t>(u)] < distance) continue;
      const edge_offset first = rows_.begin(u), last = rows_.end(u);
      relaxations_ += last - first;
      const bool far = distance > longest_;
      for (edge_offset k = first; k < last; ++k) {
        // Near the end of the type: see relax_far() of one rank.
        if (far && static_cast<double>(distance) + static_cast<double>(rows_.weights[k]) >=
                       static_cast<double>(unreached<Distance>))
          continue;
        offer(rows_.columns[k], along<Distance>(distance, rows_.weights[k]));
      }
    }
  }
}

template <class Id, class Distance>
void peer_search<Id, Distance>::offer(std::int64_t v, Distance d) {
  Distance& known = arrays_.known[static_cast<std::size_t>(v)];
  if (!(d < known)) return;
  known = d;
  if (v >= begin_ && v < end_) return waiting_.push(d, static_cast<Id>(v));
  std::uint64_t& word = arrays_.listed[static_cast<std::size_t>(v / 64)];
  const std::uint64_t bit = std::uint64_t{1} << (v % 64);
  if ((word & bit) != 0) return;
  word |= bit;
  const auto owner = std::upper_bound(first_.begin(), first_.end(), v) - first_.begin() - 1;
  lists_[static_cast<std::size_t>(owner)].push_back(static_cast<Id>(v));
}

template <class Id, class Distance>
void peer_search<Id, Distance>::send(rank& r, std::uint64_t round) {
  for (int i = 1; i < r.size(); ++i) {
    const int peer = (me_ + i) % r.size();
    auto& list = lists_[static_cast<std::size_t>(peer)];
    const std::int64_t first = first_[static_cast<std::size_t>(peer)];
    const std::int64_t rows = first_[static_cast<std::size_t>(peer) + 1] - first;
    auto& packed = packed_[static_cast<std::size_t>(peer)];
    r.flush(peer);  // those of the last round are read no more
    packed.clear();
    packed.push_back({Distance{0}, static_cast<Id>(list.size())});
    for (const Id v : list) {
      packed.push_back({arrays_.known[static_cast<std::size_t>(v)], static_cast<Id>(v - first)});
      arrays_.listed[static_cast<std::size_t>(v / 64)] = 0;
    }
    list.clear();
    r.charge(static_cast<double>(packed.size()) * (sizeof(letter) + line), 0);
    r.put_signal(windows_.inbox, peer, static_cast<std::size_t>(me_ * (rows + 1)), packed,
                 windows_.mail[static_cast<std::size_t>(me_)], round + 1);
  }
}

template <class Id, class Distance>
void peer_search<Id, Distance>::receive(rank& r, std::uint64_t round) {
  const auto segment = static_cast<std::size_t>(end_ - begin_ + 1);
  for (int i = 1; i < r.size(); ++i) {
    const auto sender = static_cast<std::size_t>((me_ + r.size() - i) % r.size());
    r.wait_signal(windows_.mail[sender], round + 1, static_cast<int>(sender));
    const auto letters = windows_.inbox.local().subspan(sender * segment, segment);
    const auto count = static_cast<std::size_t>(letters[0].target);
    r.charge(static_cast<double>(count) * (sizeof(letter) + line), 0);
    for (const letter& l : letters.subspan(1, count)) offer(begin_ + l.target, l.distance);
  }
}

GOSSAMER_SSSP_CLASS(class peer_search)

}  // namespace gossamer::sssp_detail
