// The steps of cpu_peer: a level expanded top-down and sent to owners, or found bottom-up.
//
// Claims are compare-and-swap on the parent when the rank has several threads; messages are applied
// after every peer's have arrived.
#include <algorithm>
#include <atomic>
#include <utility>

#include "algorithm/bfs/sync/cpu/frontier.hpp"
#include "algorithm/bfs/sync/cpu/peer.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail {

namespace {

constexpr int count_bits = 40;  // of a mail signal
constexpr std::int64_t worth_threads = 16384;

template <class Id>
bool claim(Id& parent, Id by, bool shared) {
  if (!shared) {
    if (parent >= 0) return false;
    parent = by;
    return true;
  }
  std::atomic_ref<Id> slot(parent);
  Id none = -1;
  return slot.load(std::memory_order_relaxed) < 0 &&
         slot.compare_exchange_strong(none, by, std::memory_order_relaxed);
}

}  // namespace

template <class Id>
void cpu_peer<Id>::expand(std::int32_t depth) {
  const bool shared = threads_ > 1 && tail_ - head_ > 64 && frontier().arcs > worth_threads;
  shared_frontier<Id> level(slice_, arrays_.queue.data(), head_, tail_);
  std::atomic<std::int64_t> out{tail_};
  constexpr std::int64_t kept = 512;
#pragma omp parallel num_threads(threads_) if (shared)
  {
    Id mine[kept];
    std::int64_t count = 0;
    const auto flush = [&] {
      std::copy_n(mine, count,
                  arrays_.queue.data() + out.fetch_add(count, std::memory_order_relaxed));
      count = 0;
    };
    level.each([&](Id u) {
      const Id parent = static_cast<Id>(owners_.global(rank_, u));
      for (edge_offset e = slice_.offsets[u], end = slice_.offsets[u + 1]; e < end; ++e) {
        const Id v = slice_.columns[e];
        const int owner = owners_.owner(v);
        const std::int64_t local = owners_.local(v);
        if (owner == rank_) {
          if (!claim(result_.parents[local], parent, shared)) continue;
          result_.depths[local] = depth;
          mine[count++] = static_cast<Id>(local);
          if (count == kept) flush();
        } else if (claim_bit(arrays_.sent.data(), v)) {
          std::atomic_ref<std::int64_t> next(waiting_[owner * line]);
          const std::int64_t at = next.fetch_add(1, std::memory_order_relaxed);
          arrays_.outgoing[segment_[owner] + at] = {static_cast<std::int32_t>(local), parent};
        }
      }
    });
    flush();
  }
  head_ = tail_;
  tail_ = out.load();
}

template <class Id>
void cpu_peer<Id>::send(rank& r, std::int64_t level) {
  const trace_span span(r, "send", trace_class::exchange);
  const double begin = r.clock();
  // Own turn first: ranks that all began with rank 0 would queue up at it.
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + step) % ranks_;
    const std::int64_t count = std::exchange(waiting_[peer * line], 0);
    const auto signal =
        static_cast<std::uint64_t>(level + 1) << count_bits | static_cast<std::uint64_t>(count);
    // My segment at the peer is as long as the peer has rows.
    const std::int64_t rows_there = segment_[peer + 1] - segment_[peer];
    r.put_signal(exchange_->inbox, peer, rank_ * rows_there,
                 std::span<const message<Id>>(arrays_.outgoing.data() + segment_[peer], count),
                 exchange_->mail[rank_], signal);
    if (count > 0) ++sent_to_peers_.messages;  // else it is a signal alone
    sent_to_peers_.bytes += count * static_cast<std::int64_t>(sizeof(message<Id>));
  }
  ++sent_to_peers_.rounds;
  sent_to_peers_.seconds += r.clock() - begin;
}

template <class Id>
void cpu_peer<Id>::receive(rank& r, std::int64_t level) {
  const trace_span span(r, "absorb");
  const std::int32_t depth = static_cast<std::int32_t>(level + 1);
  const auto inbox = exchange_->inbox.local();
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + ranks_ - step) % ranks_;
    const double begin = r.clock();
    r.wait_signal(exchange_->mail[peer], static_cast<std::uint64_t>(level + 1) << count_bits, peer);
    const std::uint64_t signal = r.read_signal(exchange_->mail[peer]);
    sent_to_peers_.seconds += r.clock() - begin;
    const auto count = static_cast<std::int64_t>(signal & ((std::uint64_t{1} << count_bits) - 1));
    const message<Id>* messages = inbox.data() + peer * slice_.rows;
    for (std::int64_t i = 0; i < count; ++i) {
      if (i + 16 < count) __builtin_prefetch(&result_.parents[messages[i + 16].target], 1);
      const auto [target, parent] = messages[i];
      if (!claim(result_.parents[target], parent, false)) continue;
      result_.depths[target] = depth;
      arrays_.queue[tail_++] = static_cast<Id>(target);
    }
  }
}

template <class Id>
step_result cpu_peer<Id>::top_down(rank& r, std::int64_t level) {
  {
    const trace_span span(r, "expand");
    if (bitmap_) gather_frontier();
    // An arc moves its column and a sector of what it leads to.
    r.charge(static_cast<double>(frontier().arcs) * (sizeof(Id) + sector), 0);
    expand(static_cast<std::int32_t>(level + 1));
  }
  send(r, level);
  const std::int64_t found_here = tail_;
  receive(r, level);
  const trace_span span(r, "count");
  r.charge(static_cast<double>(tail_ - found_here) * (sizeof(message<Id>) + sector), 0);
  r.quiet();
  return frontier();
}

template <class Id>
void cpu_peer<Id>::gather_frontier() {
  bitmap_ = false;
  head_ = tail_;
  for (std::int64_t w = 0; w < slice_.rows / 64; ++w) {
    each_bit(arrays_.found[w],
             [&](int b) { arrays_.queue[tail_++] = static_cast<Id>(w * 64 + b); });
  }
}

template <class Id>
void cpu_peer<Id>::scatter_frontier(std::uint64_t* all) {
  // The local frontier into this rank's words of a bitmap over placed ids.
  for (const word_run& run : runs_) {
    if (bitmap_) {
      std::copy_n(arrays_.found.data() + run.local, run.count, all + run.placed);
    } else {
      std::fill_n(all + run.placed, run.count, 0);
    }
  }
  if (bitmap_) return;
  for (std::int64_t i = head_; i < tail_; ++i)
    set_bit(all, owners_.global(rank_, arrays_.queue[i]));
  for (std::int64_t w = 0; w < slice_.rows / 64; ++w) {
    std::uint64_t seen = arrays_.tables.unlinked[w];
    for (std::int64_t b = 0; b < 64; ++b) {
      seen |= static_cast<std::uint64_t>(result_.parents[w * 64 + b] >= 0) << b;
    }
    arrays_.visited[w] = seen;
  }
}

template <class Id>
void cpu_peer<Id>::exchange_bits(rank& r, std::int64_t level, std::int64_t buffer) {
  const trace_span span(r, "exchange", trace_class::exchange);
  const std::uint64_t* bits = exchange_->bits.local().data() + buffer;
  const double begin = r.clock();
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (rank_ + step) % ranks_;
    for (const word_run& run : runs_) {
      r.put(exchange_->bits, peer, buffer + run.placed,
            std::span<const std::uint64_t>(bits + run.placed, run.count));
      ++sent_to_peers_.messages;
      sent_to_peers_.bytes += run.count * static_cast<std::int64_t>(sizeof(std::uint64_t));
    }
    r.raise(exchange_->bits_seen[rank_], peer, static_cast<std::uint64_t>(level + 1));
  }
  for (int peer = 0; peer < ranks_; ++peer) {
    if (peer == rank_) continue;
    r.wait_signal(exchange_->bits_seen[peer], static_cast<std::uint64_t>(level + 1), peer);
  }
  ++sent_to_peers_.rounds;
  sent_to_peers_.seconds += r.clock() - begin;
}

template <class Id>
step_result cpu_peer<Id>::bottom_up(rank& r, std::int64_t level) {
  const std::int64_t all_words = graph_.owners().placed() / 64;
  const std::int64_t buffer = (level & 1) * all_words;
  std::uint64_t* bits = exchange_->bits.local().data() + buffer;
  {
    const trace_span span(r, "scatter");
    scatter_frontier(bits);
    bitmap_ = true;
  }
  exchange_bits(r, level, buffer);
  const trace_span span(r, "search");
  // A row's offsets, a bit and one arc of each row: at least that.
  r.charge(static_cast<double>(slice_.rows) * (16 + sizeof(Id) + sector), 0);
  const bottom_up_step<Id> step{slice_,
                                arrays_.tables,
                                bits,
                                arrays_.visited.data(),
                                arrays_.found.data(),
                                result_.parents.data(),
                                result_.depths.data(),
                                static_cast<std::int32_t>(level + 1)};
  static_cast<void>(step.all(threads_));
  r.quiet();
  return frontier();
}

#define GOSSAMER_PEER_STEPS(Id)                                     \
  template step_result cpu_peer<Id>::top_down(rank&, std::int64_t); \
  template step_result cpu_peer<Id>::bottom_up(rank&, std::int64_t);

GOSSAMER_PEER_STEPS(vertex32)
GOSSAMER_PEER_STEPS(vertex64)
#undef GOSSAMER_PEER_STEPS

}  // namespace gossamer::bfs_detail
