// Every rank's part of an edge list, made in rounds and sent to the owners of the rows.
//
// A round: the rank's team makes `round_edges` entries into a staging area, in blocks that count
// how many arcs go to whom. Sums over the blocks say where each block's arcs go in the bin of each
// owner, and the team moves them there. Each bin is one put into the owner's inbox. Nothing is
// atomic, and nothing depends on the number of threads.
//
// Inboxes rotate by the round's parity without credits. A rank sends round t + 1 only after it has
// taken in all of round t. It writes round t + 2 only after it has seen round t + 1 of every peer,
// so no peer has anything of round t left to read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "gossamer/fabric/rank.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/ownership.hpp"

namespace gossamer::placement_detail {

/// An arc at the owner of its row: local index of the row, placed id of the column.
template <class Id>
struct arc {
  Id row, column;
};

/// Which entries of the list a rank makes, and in what steps: all ranks have as many rounds.
struct edge_share {
  std::int64_t first, last, round_edges, rounds;
  static edge_share of(std::int64_t edges, int rank, int ranks, std::int64_t round_edges) {
    const auto bound = [&](std::int64_t r) {
      return edges / ranks * r + edges % ranks * r / ranks;
    };
    const std::int64_t most = (edges + ranks - 1) / ranks;
    return {bound(rank), bound(rank + 1), round_edges, (most + round_edges - 1) / round_edges};
  }
};

/// Entries made one after the other by one thread.
constexpr std::int64_t block_edges = 1024;

/// Makes one block of a round: both arcs of every entry, a self-loop's once, with placed ids.
template <class Id>
struct make_block {
  edge_maker maker;
  ownership_view owners;
  std::int64_t first = 0, last = 0;  ///< of the round
  arc<Id>* staged = nullptr;         ///< [blocks][2 * block_edges]
  std::int64_t* made = nullptr;      ///< [blocks]
  std::int64_t* counts = nullptr;    ///< [blocks][ranks]

  void operator()(std::int64_t block) const {
    arc<Id>* out = staged + block * 2 * block_edges;
    std::int64_t* count = counts + block * owners.ranks;
    std::fill_n(count, owners.ranks, 0);
    std::int64_t n = 0;
    const std::int64_t begin = first + block * block_edges;
    for (std::int64_t k = begin; k < std::min(last, begin + block_edges); ++k) {
      const generated e = generated_edge(maker, k);
      if (!e.exists) continue;
      out[n++] = {static_cast<Id>(e.source), static_cast<Id>(e.target)};
      ++count[owners.owner(e.source)];
      if (e.source == e.target) continue;
      out[n++] = {static_cast<Id>(e.target), static_cast<Id>(e.source)};
      ++count[owners.owner(e.target)];
    }
    made[block] = n;
  }
};

/// Moves a block's arcs to the bins of their owners, rows by local index.
template <class Id>
struct sort_block {
  ownership_view owners;
  const arc<Id>* staged = nullptr;
  const std::int64_t* made = nullptr;
  std::int64_t* at = nullptr;  ///< [blocks][ranks] where the block's first arc of each owner goes
  arc<Id>* bins = nullptr;     ///< [ranks][capacity]
  std::int64_t capacity = 0;

  void operator()(std::int64_t block) const {
    const arc<Id>* from = staged + block * 2 * block_edges;
    std::int64_t* next = at + block * owners.ranks;
    for (std::int64_t i = 0; i < made[block]; ++i) {
      const int owner = owners.owner(from[i].row);
      bins[owner * capacity + next[owner]++] = {static_cast<Id>(owners.local(from[i].row)),
                                                from[i].column};
    }
  }
};

template <class Id>
class arc_exchange {
 public:
  /// Bytes of the arena that run() takes, once a run of the machine.
  static std::int64_t arena_bytes(int ranks, std::int64_t round_edges) {
    const std::int64_t p = ranks, blocks = blocks_of(round_edges);
    const auto aligned = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
    constexpr std::int64_t size = sizeof(arc<Id>);
    return aligned(blocks * 2 * block_edges * size) + aligned(blocks * 8) +
           aligned(blocks * p * 8) + aligned(p * 2 * round_edges * size) + aligned(p * 8) +
           (p > 1 ? aligned(2 * p * 2 * round_edges * size) + aligned(2 * p * 8) + aligned(p * 8)
                  : 0);
  }

  /// Collective; `owners` must live as long.
  arc_exchange(rank& r, const ownership& owners, const edge_maker& maker, const edge_share& share)
      : rank_(r),
        owners_(owners.view()),
        maker_(maker),
        share_(share),
        capacity_(2 * share.round_edges),
        blocks_(blocks_of(share.round_edges)),
        staged_(r.scratch<arc<Id>>(blocks_ * 2 * block_edges)),
        made_(r.scratch<std::int64_t>(blocks_)),
        at_(r.scratch<std::int64_t>(blocks_ * r.size())),
        bins_(r.scratch<arc<Id>>(r.size() * capacity_)),
        filled_(r.scratch<std::int64_t>(r.size())) {
    if (r.size() == 1) return;
    inbox_ = r.make_window<arc<Id>>(capacity_ * 2 * r.size());
    arrived_ = r.make_window<std::int64_t>(std::size_t{2} * r.size());
    mail_ = r.make_signals(r.size());
  }

  /// Makes and sends the whole part, and calls take(arcs) with what belongs to this rank's rows, in
  /// spans, each self-loop once. `done` is called with the share done after every round.
  template <class Take, class Done>
  void run(const Take& take, const Done& done) {
    for (std::int64_t t = 0; t < share_.rounds; ++t, ++sent_) {
      fill_bins(std::min(share_.last, share_.first + t * share_.round_edges),
                std::min(share_.last, share_.first + (t + 1) * share_.round_edges));
      const std::int64_t parity = static_cast<std::int64_t>(sent_ % 2);
      send(parity);
      take(bin(rank_.id()));
      receive(parity, take);
      for (int q = 0; q < rank_.size(); ++q)
        if (q != rank_.id()) rank_.flush(q);  // bins are filled anew
      done(static_cast<double>(t + 1) / static_cast<double>(share_.rounds));
    }
  }

 private:
  static std::int64_t blocks_of(std::int64_t edges) {
    return (edges + block_edges - 1) / block_edges;
  }
  [[nodiscard]] std::span<const arc<Id>> bin(int owner) const {
    return bins_.subspan(owner * capacity_, filled_[owner]);
  }

  void fill_bins(std::int64_t first, std::int64_t last) {
    const cpu_team team{rank_.dev().threads};
    const std::int64_t blocks = blocks_of(last - first), p = rank_.size();
    for_each(
        team, blocks,
        make_block<Id>{maker_, owners_, first, last, staged_.data(), made_.data(), at_.data()});
    for (std::int64_t q = 0; q < p; ++q) {
      std::int64_t sum = 0;
      for (std::int64_t b = 0; b < blocks; ++b) sum += std::exchange(at_[b * p + q], sum);
      filled_[q] = sum;
    }
    for_each(
        team, blocks,
        sort_block<Id>{owners_, staged_.data(), made_.data(), at_.data(), bins_.data(), capacity_});
  }

  void send(std::int64_t parity) {
    const int p = rank_.size(), me = rank_.id();
    for (int step = 1; step < p; ++step) {
      const int peer = (me + step) % p;
      const auto slot = static_cast<std::size_t>(parity * p + me);
      if (filled_[peer] > 0)
        rank_.put(inbox_, peer, slot * static_cast<std::size_t>(capacity_), bin(peer));
      rank_.put_signal(arrived_, peer, slot, filled_.subspan(peer, 1), mail_[me], sent_ + 1);
    }
  }

  template <class Take>
  void receive(std::int64_t parity, const Take& take) {
    const int p = rank_.size(), me = rank_.id();
    for (int step = 1; step < p; ++step) {
      const int peer = (me - step + p) % p;
      rank_.wait_signal(mail_[peer], sent_ + 1, peer);
      const std::int64_t slot = parity * p + peer;
      take(std::span<const arc<Id>>(
          inbox_.local().subspan(slot * capacity_, arrived_.local()[slot])));
    }
  }

  rank& rank_;
  ownership_view owners_;
  edge_maker maker_;
  edge_share share_;
  std::int64_t capacity_, blocks_;
  std::span<arc<Id>> staged_;
  std::span<std::int64_t> made_, at_;
  std::span<arc<Id>> bins_;
  std::span<std::int64_t> filled_;
  window<arc<Id>> inbox_;         ///< [2 parities][ranks][capacity]
  window<std::int64_t> arrived_;  ///< [2 parities][ranks] arcs in them
  signal_set mail_;               ///< [ranks] rounds that have come from each
  std::uint64_t sent_ = 0;
};

}  // namespace gossamer::placement_detail
