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
  zero(device_, arrays_.sums);
  zero(device_, arrays_.arrived);
  search_state s{};
  s.next = way::queue;
  s.source = source_local;
  s.unexplored = static_cast<unsigned long long>(graph_.arcs());
  copy_bytes(arrays_.state.data(), &s, sizeof s);
  peers_.source = source_local;
  if (ranks_ > 1) join(r, source_local);
}

/// What other algorithms' runs use between this one's. Nothing has to be in it.
template <class Id>
void single_kernel<Id>::take_scratch(rank& r) {
  algorithm_detail::array_list taken(r);
  scratch_.list(taken, view_.rows, graph_.owners().placed(), ranks_);
  view_.seen = scratch_.seen.data();
  for (int i = 0; i < 2; ++i) {
    view_.bits[i] = scratch_.bits[i].data();
    view_.queue[i] = reinterpret_cast<std::int32_t*>(scratch_.queue[i].data());
  }
}

template <class Id>
void single_kernel<Id>::join(rank& r, std::int64_t source_local) {
  const auto p = static_cast<std::size_t>(ranks_);
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
  algorithm_detail::array_list taken(r);
  windows_.list(taken, view_.rows, graph_.owners().placed(), ranks_, view_.narrow);
  wake_links(r, windows_.bits);  // the kernels clear them
  zero(device_, arrays_.posted);
  zero(device_, arrays_.sent);
  const auto zero_window = [&](const window<std::uint64_t>& w) {
    r.fill(w.local().data(), 0, w.local().size_bytes());
    return device_handle(w);
  };
  peers_.bits = device_handle(windows_.bits);
  peers_.inbox = device_handle(windows_.inbox);
  peers_.mail = zero_window(windows_.mail);
  if (view_.narrow) peers_.trade = zero_window(windows_.trade);
  r.synchronize();
  peers_.across = make_device_scalar<std::uint64_t>(r);  // ends with a barrier
  for (int i = 0; i < 2; ++i) view_.bits[i] = windows_.bits.local().data() + i * view_.words;
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
    copy_bytes(&s, arrays_.state.data(), sizeof s);
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
  copy_bytes(sent, arrays_.sent.data(), sizeof sent);
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
  copy_bytes(log_here_.data(), arrays_.log.data(), n * sizeof(level_entry));
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
