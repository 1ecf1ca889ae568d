// Filter's program: rank 0 feeds and collects between pieces of its own work, all ranks work.
#include <time.h>

#include <algorithm>
#include <memory>

#include "algorithm/filter/gpu.hpp"
#include "algorithm/filter/graph.hpp"
#include "algorithm/filter/kept_blocks.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/flow.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

namespace {

using dataflow::flow;
using dataflow::pending_segment;
using filter_detail::filter_graph;

/// Elements between two looks at the links: some 10 us, so that rank 0 keeps the others fed.
constexpr std::size_t piece = 16384;
/// The same on a modelled machine, for the part of a segment's time that slowdown adds.
constexpr int modelled_pieces = 16;

/// Seconds that the calling thread has computed.
double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Who decides: a function on CPU ranks, a kernel on each GPU rank.
template <class T>
struct deciders {
  filter_function<T> function;
  std::vector<std::unique_ptr<filter_detail::gpu_compactor<T>>> kernels = {};  ///< [ranks]
  std::vector<std::int64_t> room = {};  ///< [ranks] bytes for results that stay on a GPU
};

/// Wherever they lie.
template <class T>
void append(gossamer::rank& r, std::span<const T> from, std::vector<T>& to) {
  if (!r.dev().is_cuda()) {
    to.insert(to.end(), from.begin(), from.end());
    return;
  }
  const std::size_t before = to.size();
  to.resize(before + from.size());
  copy_bytes(to.data() + before, from.data(), from.size_bytes());
}

template <class T>
class worker {
 public:
  worker(flow& f, const filter_graph& graph, const deciders<T>& keep, double slowdown)
      : flow_(f),
        graph_(graph),
        keep_(keep.function),
        kernel_(keep.kernels.empty() ? nullptr
                                     : keep.kernels[static_cast<std::size_t>(f.id())].get()),
        slowdown_(slowdown),
        blocks_(f.rank().dev(),
                keep.room.empty() ? 0 : keep.room[static_cast<std::size_t>(f.id())]) {
    for (auto& s : staging_) s = f.rank().template scratch<T>(graph.packet / sizeof(T));
  }

  /// Until the stream of segments ends.
  void run(double begin, filter_part<T>& part) {
    const auto me = static_cast<std::size_t>(flow_.id());
    auto in = flow_[graph_.down[me]];
    for (auto segment = in.receive().get(); segment; segment = in.receive().get()) {
      const auto at = segment.what().tag + segment.what().offset;
      const auto kept = filter_segment(segment);
      in.release(segment);
      hand_on(kept, at, part);
    }
    share.ended = flow_.rank().clock() - begin;
    part.blocks = blocks_.take();
    if (!graph_.out.empty()) flow_[graph_.out[me]].shutdown();
  }

  filter_share share;

 private:
  [[nodiscard]] bool stays() const { return kernel_ != nullptr && graph_.out.empty(); }
  std::span<const T> filter_segment(const pending_segment& segment) {
    sent_[turn_].wait();  // what was staged there before has left
    const auto in = segment.as<T>();
    auto out = stays() ? blocks_.room_for(in.size()) : std::span<T>();
    in_block_ = !out.empty();
    if (!in_block_) out = staging_[turn_];
    const trace_span traced(flow_.rank(), "predicate");
    const double begin = flow_.rank().clock();
    const std::size_t kept =
        kernel_ == nullptr ? by_function(in, out, begin) : by_kernel(in, out, begin);
    ++share.segments;
    share.elements += static_cast<std::int64_t>(in.size());
    share.matched += static_cast<std::int64_t>(kept);
    share.busy += flow_.rank().clock() - begin;
    return out.first(kept);
  }

  std::size_t by_function(std::span<const T> in, std::span<T> out, double begin) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < in.size(); i += piece) {
      const auto part = in.subspan(i, std::min(piece, in.size() - i));
      piece_began_ = processor_time();
      kept += keep_(part, out.subspan(kept));
      take_time(begin, i + part.size() == in.size() ? 1.0 * (in.size() + kept) : 0, in.size());
    }
    return kept;
  }

  std::size_t by_kernel(std::span<const T> in, std::span<T> out, double begin) {
    auto& r = flow_.rank();
    kernel_->compact(in, out, r.stream());
    r.synchronize();
    const double end = begin + slowdown_ * (r.clock() - begin);
    while (r.clock() < end) flow_.progress();
    flow_.progress();
    return kernel_->kept();
  }

  /// Makes the work since `begin` last as long as it should, looking at the links meanwhile.
  /// `moved`: at a segment's end, elements read and written; a modelled machine is charged for it.
  void take_time(double begin, double moved, std::size_t elements) {
    auto& r = flow_.rank();
    if (r.dev().model != nullptr) {
      if (moved == 0) return;
      r.charge(moved * sizeof(T), static_cast<double>(elements));
      const double more = (slowdown_ - 1) * (r.clock() - begin);
      for (int i = 0; i < modelled_pieces && more > 0; ++i) {
        flow_.progress();
        r.charge(more / modelled_pieces);
      }
    } else if (slowdown_ > 1) {
      // By the thread's own time: what a core gives to others must not be multiplied, too.
      const double end = piece_began_ + slowdown_ * (processor_time() - piece_began_);
      while (processor_time() < end) flow_.progress();
    }
    flow_.progress();
  }

  void hand_on(std::span<const T> kept, std::uint64_t at, filter_part<T>& part) {
    if (kept.empty()) return;
    if (graph_.out.empty()) {
      const auto begin = in_block_ ? blocks_.keep(kept.size()) : part.values.size();
      part.pieces.push_back(
          {static_cast<std::int64_t>(at / sizeof(T)), static_cast<std::int64_t>(begin),
           static_cast<std::int64_t>(kept.size()), in_block_ ? blocks_.last() : -1});
      if (!in_block_) append(flow_.rank(), kept, part.values);
      return;
    }
    auto out = flow_[graph_.out[static_cast<std::size_t>(flow_.id())]];
    sent_[turn_] = out.send(kept, {.tag = at});
    turn_ = 1 - turn_;
  }

  flow& flow_;
  const filter_graph& graph_;
  const filter_function<T>& keep_;
  filter_detail::gpu_compactor<T>* kernel_;  ///< of a GPU rank
  const double slowdown_;
  std::span<T> staging_[2];
  dataflow::send_future sent_[2];
  int turn_ = 0;
  double piece_began_ = 0;
  filter_detail::kept_blocks<T> blocks_;  ///< of a GPU rank whose results stay
  bool in_block_ = false;                 ///< the last segment's
};

/// The host's side, on rank 0: everything is queued at once, results are taken by a callback.
template <class T>
void begin_host(flow& f, const filter_graph& graph, std::span<const T> input,
                const filter_options& options, filter_part<T>& collected) {
  if (options.gather)
    f[graph.collect].on_receive([&collected, &f](const pending_segment& s) {
      const auto values = s.as<T>();
      collected.pieces.push_back({static_cast<std::int64_t>(s.what().tag / sizeof(T)),
                                  static_cast<std::int64_t>(collected.values.size()),
                                  static_cast<std::int64_t>(values.size())});
      append<T>(f.rank(), values, collected.values);
    });
  auto up = f[graph.up];
  if (options.split == filter_split::first_available) {
    if (!input.empty()) up.send(input);
  } else {
    const auto p = graph.workers.size();
    const std::size_t part = (input.size() + p - 1) / p;
    for (std::size_t r = 0; r < p; ++r) {
      const std::size_t begin = std::min(input.size(), r * part);
      const auto mine = input.subspan(begin, std::min(part, input.size() - begin));
      if (!mine.empty()) up.send(mine, {.tag = begin * sizeof(T), .to = graph.workers[r]});
    }
  }
  up.shutdown();
}

/// Pieces in the order of the input.
template <class T>
shared_array<T> in_order(filter_part<T>& part) {
  std::sort(part.pieces.begin(), part.pieces.end(),
            [](const auto& a, const auto& b) { return a.input < b.input; });
  shared_array<T> values(part.values.size());
  auto* at = values.data();
  for (const auto& p : part.pieces) at = std::copy_n(part.values.data() + p.begin, p.length, at);
  return values;
}

template <class T>
void sum_up(std::size_t n, double seconds, filter_result<T>& result) {
  double rate = 0;
  for (const auto& s : result.shares) {
    result.matched += s.matched;
    if (s.busy > 0) rate += static_cast<double>(s.elements) / s.busy;
  }
  result.milliseconds = 1e3 * seconds;
  result.ideal_milliseconds = rate > 0 ? 1e3 * static_cast<double>(n) / rate : 0;
}

template <class T>
filter_result<T> filter_by(machine& m, std::span<const T> input, const filter_graph& graph,
                           const deciders<T>& keep, const filter_options& options) {
  filter_result<T> result;
  result.packet = graph.packet;
  result.shares.resize(static_cast<std::size_t>(m.size()));
  std::vector<filter_part<T>> parts(result.shares.size());
  filter_part<T> collected;
  if (options.gather && m.here(0)) collected.values.reserve(input.size());
  std::vector<double> seconds(result.shares.size());
  auto run = options.run;
  run.arenas = filter_detail::make_arenas(graph);
  dataflow::run(
      m, graph.wires,
      [&](flow& f) {
        auto& r = f.rank();
        const auto me = static_cast<std::size_t>(r.id());
        worker<T> work(f, graph, keep, options.slowdown.empty() ? 1 : options.slowdown[me]);
        r.barrier();
        const double begin = r.clock();
        if (r.id() == 0) begin_host(f, graph, input, options, collected);
        work.run(begin, parts[me]);
        f.finish();
        struct report {
          filter_share share;
          double seconds;
        };
        const report mine{work.share, r.clock() - begin};
        trace_run(r, "filter", begin, mine.seconds);
        std::vector<report> all(result.shares.size());
        r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
        int first_here = 0;
        while (!m.here(first_here)) ++first_here;
        for (std::size_t i = 0; r.id() == first_here && i < all.size(); ++i) {
          result.shares[i] = all[i].share;
          seconds[i] = all[i].seconds;
        }
      },
      run);
  sum_up(input.size(), *std::max_element(seconds.begin(), seconds.end()), result);
  if (run.trace) run.trace->describe("filter", result.milliseconds, {{"matched", result.matched}});
  if (options.gather)
    result.values = in_order(collected);
  else
    result.parts = std::move(parts);
  return result;
}

template <class T>
memory_plan checked_plan(const machine& m, std::span<const T> input,
                         const filter_options& options) {
  memory_plan plan = plan_filter(m, static_cast<std::int64_t>(input.size()), sizeof(T), options);
  plan.check();
  return plan;
}
template <class T>
filter_graph graph_of(const machine& m, std::span<const T> input, const filter_options& options) {
  return {m, static_cast<std::int64_t>(input.size()), sizeof(T), options};
}

}  // namespace

template <class T>
filter_result<T> filter(machine& m, std::span<const T> input, const filter_function<T>& keep,
                        const filter_options& options) {
  for (int r = 0; r < m.size(); ++r)
    if (m[r].is_cuda())
      throw usage_error("filter: rank " + std::to_string(r) + " is " + m[r].name +
                        "; a function decides on CPU ranks only, an interval on GPUs too");
  const filter_graph graph = graph_of(m, input, options);
  checked_plan(m, input, options);
  return filter_by(m, input, graph, {keep}, options);
}

template <class T>
filter_result<T> filter(machine& m, std::span<const T> input, const filter_interval<T>& keep,
                        const filter_options& options) {
  const filter_graph graph = graph_of(m, input, options);
  const memory_plan plan = checked_plan(m, input, options);
  // No branch on the data: the place is written always, and taken when the element is kept.
  deciders<T> by{[keep](std::span<const T> in, std::span<T> out) {
    std::size_t kept = 0;
    for (const T x : in) {
      out[kept] = x;
      kept += keep(x) ? 1 : 0;
    }
    return kept;
  }};
  by.kernels.resize(static_cast<std::size_t>(m.size()));
  for (int r = 0; r < m.size(); ++r) by.room.push_back(filter_detail::room_for_results(plan, r));
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r) && m[r].is_cuda())
      by.kernels[static_cast<std::size_t>(r)] =
          filter_detail::make_gpu_compactor(m[r], graph.packet / sizeof(T), keep);
  return filter_by(m, input, graph, by, options);
}

#define GOSSAMER_FILTER(T)                                                                  \
  template filter_result<T> filter(machine&, std::span<const T>, const filter_function<T>&, \
                                   const filter_options&);                                  \
  template filter_result<T> filter(machine&, std::span<const T>, const filter_interval<T>&, \
                                   const filter_options&);
GOSSAMER_FILTER(std::int32_t)
GOSSAMER_FILTER(std::int64_t)
GOSSAMER_FILTER(float)
GOSSAMER_FILTER(double)
#undef GOSSAMER_FILTER

}  // namespace gossamer
