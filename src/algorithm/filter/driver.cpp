// Filter's program: rank 0 feeds and collects between pieces of its own work, all ranks work.
#include <algorithm>
#include <type_traits>

#include "algorithm/driver/common_terms.hpp"
#include "algorithm/filter/types.hpp"
#include "algorithm/filter/worker.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

using dataflow::flow;
using dataflow::pending_segment;
using filter_detail::append;
using filter_detail::deciders;
using filter_detail::filter_graph;

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

/// The elements are rank 0's alone.
template <class T>
std::vector<run_term> terms_of(const machine& m, std::size_t n, const filter_graph& graph,
                               const deciders<T>& keep, const filter_options& options) {
  return algorithm_detail::common_terms(m, "filter", options.run.cancel)
      .add("elements", n)
      .add("type",
           std::string(std::is_integral_v<T> ? "int" : "float") + std::to_string(8 * sizeof(T)))
      .add("predicate", keep.text)
      .add("split", static_cast<int>(options.split))
      .add("gather", options.gather)
      .add("packet", graph.packet)
      .add("buffers", options.buffers)
      .all();
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
  run.terms = terms_of(m, input.size(), graph, keep, options);
  dataflow::run(
      m, graph.wires,
      [&](flow& f) {
        auto& r = f.rank();
        const auto me = static_cast<std::size_t>(r.id());
        filter_detail::worker<T> work(f, graph, keep,
                                      options.slowdown.empty() ? 1 : options.slowdown[me]);
        r.barrier();
        const double begin = r.clock();
        if (r.id() == 0) begin_host(f, graph, input, options, collected);
        work.run(begin, parts[me]);
        f.finish();
        struct report {
          filter_share share;
          double seconds = 0;
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
  require(keep != nullptr, "filter: no function to decide by");
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
  // No branch on the data: every element is written, and its place is taken when it is kept.
  deciders<T> by{[keep](std::span<const T> in, std::span<T> out) {
    std::size_t kept = 0;
    for (const T x : in) {
      out[kept] = x;
      kept += keep(x) ? 1 : 0;
    }
    return kept;
  }};
  by.text = algorithm_detail::term_text(keep.low) + ".." + algorithm_detail::term_text(keep.high) +
            (keep.outside ? " outside" : "");
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
GOSSAMER_FILTER_TYPES(GOSSAMER_FILTER)
#undef GOSSAMER_FILTER

}  // namespace gossamer
