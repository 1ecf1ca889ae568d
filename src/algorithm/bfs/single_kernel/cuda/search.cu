// Engine `single_kernel`: the host side of a search, from the source to the report.
#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithm/bfs/single_kernel/cuda/phases.hpp"
#include "algorithm/bfs/single_kernel/cuda/single_kernel.hpp"
#include "algorithm/bfs/smallest_parents/cuda/smallest_parents_of.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/fabric/wake_links.hpp"

namespace gossamer::bfs_detail::cuda {

template <class Id>
void single_kernel<Id>::begin(rank& r, std::int64_t source_local) {
  if (result_.none()) result_ = pool_.take();
  view_.parents = result_.parents();
  view_.depths = result_.depths();
  take_scratch(r);
  view_.guard = r.guard();
  view_.phases = trace_phases(r, search_phase_names);
  sent_ = {};
  zero(device_, sums_);
  zero(device_, arrived_);
  search_state s{};
  s.next = way::queue;
  s.source = source_local;
  s.unexplored = static_cast<unsigned long long>(graph_.arcs());
  copy_bytes(state_.data(), &s, sizeof s);
  peers_.source = source_local;
  if (ranks_ > 1) join(r, source_local);
}

/// What other algorithms' runs use between this one's. Nothing has to be in it.
template <class Id>
void single_kernel<Id>::take_scratch(rank& r) {
  const auto words = static_cast<std::size_t>(view_.words);
  view_.seen = r.scratch<std::uint32_t>(words).data();
  for (int i = 0; i < 2; ++i) {
    if (ranks_ == 1) view_.bits[i] = r.scratch<std::uint32_t>(words).data();
    view_.queue[i] = reinterpret_cast<std::int32_t*>(
        r.scratch<std::int64_t>(static_cast<std::size_t>(view_.rows)).data());
  }
}

template <class Id>
void single_kernel<Id>::join(rank& r, std::int64_t source_local) {
  const auto p = static_cast<std::size_t>(ranks_);
  const auto bits = r.make_window<std::uint32_t>(static_cast<std::size_t>(2 * view_.words));
  const auto inbox = r.make_window<message<Id>>(p * static_cast<std::size_t>(view_.rows));
  const auto mail = r.make_window<std::uint64_t>(p);
  wake_links(r, bits);  // the kernels clear them
  zero(device_, posted_);
  zero(device_, sent_there_);
  r.fill(mail.local().data(), 0, mail.local().size_bytes());
  // Who has the source tells the others its placed id. Kernels of another shape know no clusters
  // to run narrow levels with.
  struct card {
    std::int64_t source;
    unsigned blocks, cluster;
  };
  const card mine{source_local < 0 ? -1 : graph_.owners().global(rank_, source_local),
                  shape_.blocks, shape_.cluster};
  std::vector<card> all(p);
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  peers_.source = -1;
  for (const card& c : all) {
    peers_.source = std::max(peers_.source, c.source);
    view_.narrow = view_.narrow && c.blocks == mine.blocks && c.cluster == mine.cluster;
  }
  if (view_.narrow) {
    const auto trade = r.make_window<std::uint64_t>(static_cast<std::size_t>(trade_words(ranks_)));
    r.fill(trade.local().data(), 0, trade.local().size_bytes());
    peers_.trade = device_handle(trade);
  }
  r.synchronize();
  peers_.bits = device_handle(bits);
  peers_.inbox = device_handle(inbox);
  peers_.mail = device_handle(mail);
  peers_.across = make_device_scalar<std::uint64_t>(r);  // ends with a barrier
  for (int i = 0; i < 2; ++i) view_.bits[i] = bits.local().data() + i * view_.words;
}

template <class Id>
void single_kernel<Id>::start(rank& r) {
  if (ranks_ == 1)
    launch<Id, false>(shape_, r.stream().native(), view_, peers_);
  else
    launch<Id, true>(shape_, r.stream().native(), view_, peers_);
}

template <class Id>
void single_kernel<Id>::traverse(rank& r, traversal& out) {
  search_state s{};
  std::uint64_t at = 0;
  out.seconds = 0;
  while (s.next != way::finished) {
    const std::int64_t first = s.level;
    before_.record(r.stream());
    {
      const trace_span span(r, "traverse", r.stream());
      start(r);
    }
    after_.record(r.stream());
    r.synchronize();
    copy_bytes(&s, state_.data(), sizeof s);
    out.seconds += after_.milliseconds_since(before_) * 1e-3;
    if (at == 0) {
      at = s.began;
      if (r.tracing() != nullptr) out.began = r.tracing()->at(at);
    }
    read_log(r, first, s.level, at, out);
  }
  out.seconds -= static_cast<double>(s.waited) * 1e-9;
  out.arcs = slice_.arcs - static_cast<std::int64_t>(s.open_arcs);
  if (ranks_ > 1) count_traffic(r, s, out);
}

/// For the report alone, after the search: what was sent, and the arcs of all ranks.
template <class Id>
void single_kernel<Id>::count_traffic(rank& r, const search_state& s, traversal& out) {
  unsigned long long sent[2];
  copy_bytes(sent, sent_there_.data(), sizeof sent);
  sent_.out.messages = static_cast<std::int64_t>(sent[0]);
  sent_.out.bytes = static_cast<std::int64_t>(sent[1]);
  sent_.out.rounds = static_cast<std::int64_t>(out.levels.size());
  // A block's word is two of 8 bytes.
  sent_.flag.rounds = std::int64_t{s.meetings} + s.traded;
  sent_.flag.messages =
      (std::int64_t{s.meetings} + 2 * std::int64_t{shape_.cluster} * s.traded) * (ranks_ - 1);
  sent_.flag.bytes = 8 * sent_.flag.messages;
  sent_.out.seconds = sent_.flag.seconds = untold;
  std::vector<std::int64_t> all(static_cast<std::size_t>(ranks_));
  r.exchange(std::as_bytes(std::span(&out.arcs, 1)), std::as_writable_bytes(std::span(all)));
  out.arcs = std::accumulate(all.begin(), all.end(), std::int64_t{0});
}

template <class Id>
void single_kernel<Id>::read_log(rank& r, std::int64_t first, std::int64_t last, std::uint64_t& at,
                                 traversal& out) {
  const auto n = static_cast<std::size_t>(last - first);
  if (n == 0) return;
  copy_bytes(log_here_.data(), log_.data(), n * sizeof(level_entry));
  for (std::size_t i = 0; i < n; ++i) {
    const level_entry& e = log_here_[i];
    const auto vertices = static_cast<std::int64_t>(e.frontier / 2);
    out.levels.push_back({vertices, e.frontier % 2 != 0, static_cast<double>(e.ended - at) * 1e-6});
    out.reached += vertices;
    const bool up = out.levels.back().bottom_up;
    trace_kernel_level(r, up ? "bottom-up" : "top-down", first + static_cast<std::int64_t>(i),
                       vertices, at, e.ended);
    at = e.ended;
  }
}

template <class Id>
void single_kernel<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  smallest_parents_of(r, graph_, slice_, view_.parents, view_.depths, all_depths);
}

template class single_kernel<vertex32>;
template class single_kernel<vertex64>;

}  // namespace gossamer::bfs_detail::cuda
