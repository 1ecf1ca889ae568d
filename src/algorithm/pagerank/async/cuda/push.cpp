// Engines async and host of PageRank on GPUs, host side. Residuals, ranks and weights have 64 bits
// whatever the result has: two kernels, and the bound of async.hpp needs no room for rounding.
#include "algorithm/pagerank/async/push.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/host_driven/cuda/driven_list.hpp"
#include "algorithm/pagerank/async/cuda/residuals.hpp"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::pagerank_detail {

namespace {

using algorithm_detail::list_drive;
using dataflow::cuda::slice_arcs;

template <class Weight>
using engine = algorithm_detail::cuda::driven_list<cuda::residuals, Weight, cuda::from_jumps>;

/// Arrays of a rank that the operator reads, and the ranks that it makes.
struct vertex_arrays {
  buffer<std::uint8_t> least;
  buffer<double> share, ranks;

  void list(algorithm_detail::array_list& of, std::int64_t ids, std::int64_t rows) {
    of.add(least, ids);
    of.add(share, rows);
    of.add(ranks, rows);
  }
};

/// The same, filled.
class filled_arrays {
 public:
  filled_arrays(const device& on, const placed_graph& g, int self, const push_problem& p)
      : begin_(g.bounds()[static_cast<std::size_t>(self)]),
        rows_(g.bounds()[static_cast<std::size_t>(self) + 1] - begin_) {
    const current_device here(on.ordinal);
    const std::int64_t ids = g.bounds().back();
    algorithm_detail::array_list taken(on);
    arrays_.list(taken, ids, rows_);
    if (p.by_residual())
      fill_least();
    else
      upload_least(p.offsets, ids);
    copy_bytes(arrays_.share.data(), p.shares + begin_, own_bytes());
  }

  [[nodiscard]] cuda::residuals by() const {
    return {arrays_.least.data(), arrays_.share.data(), arrays_.ranks.data(), base_};
  }
  [[nodiscard]] cuda::from_jumps start() const { return {begin_, arrays_.ranks.data()}; }
  /// Own rows of an array of all vertices, to the GPU and back.
  void upload_jumps(std::span<const double> all) const {
    copy_bytes(arrays_.ranks.data(), all.data() + begin_, own_bytes());
  }
  void download_ranks(std::span<double> all) const {
    copy_bytes(all.data() + begin_, arrays_.ranks.data(), own_bytes());
  }
  [[nodiscard]] std::span<double> own(std::span<double> all) const {
    return all.subspan(static_cast<std::size_t>(begin_), static_cast<std::size_t>(rows_));
  }
  [[nodiscard]] std::int64_t begin() const { return begin_; }

 private:
  [[nodiscard]] std::size_t own_bytes() const {
    return static_cast<std::size_t>(rows_) * sizeof(double);
  }
  /// The same for each own vertex, and next to nothing for others.
  void fill_least() {
    const auto fill = [&](std::int64_t from, std::int64_t n, std::uint8_t with) {
      fill_bytes(arrays_.least.kind(), arrays_.least.ordinal(), arrays_.least.data() + from, with,
                 static_cast<std::size_t>(n));
    };
    fill(0, static_cast<std::int64_t>(arrays_.least.size()), 0);
    fill(begin_, rows_, cuda::residuals::own_least);
    base_ = cuda::residuals::base_for_own;
  }
  void upload_least(const edge_offset* offsets, std::int64_t vertices) {
    constexpr std::int64_t piece = std::int64_t{1} << 20;
    std::vector<std::uint8_t> some(static_cast<std::size_t>(std::min(vertices, piece)));
    for (std::int64_t from = 0; from < vertices; from += piece) {
      const std::int64_t n = std::min(piece, vertices - from);
      for (std::int64_t i = 0; i < n; ++i) {
        const auto degree = static_cast<std::uint64_t>(offsets[from + i + 1] - offsets[from + i]);
        some[static_cast<std::size_t>(i)] =
            static_cast<std::uint8_t>(std::bit_width(degree + 1) - 1);
      }
      copy_bytes(arrays_.least.data() + from, some.data(), static_cast<std::size_t>(n));
    }
  }

  std::int64_t begin_, rows_;
  vertex_arrays arrays_;
  int base_ = cuda::residuals::below_one;
};

template <class Weight>
class gpu_push final : public residual_push {
 public:
  template <class Id, class HostWeight>
  gpu_push(const placed_graph& g, int self, const graph_slice<Id>& slice, const HostWeight* weights,
           const push_problem& p, const list_drive& how)
      : arrays_(g.on()[self], g, self, p),
        arcs_(g.on()[self], slice, weights),
        engine_(how, g.on(), arrays_.by(), arcs_.rows(), g.bounds(), self, false),
        vertices_(p.vertices),
        // What a residual must come to, or one share of `allowed`, is counted as one.
        scale_((1 - p.damping) / p.least()) {
    if (auto* kernel = engine_.kernel()) kernel->widen_windows();
  }

  algorithm_detail::worklist_outcome run(rank& r, std::span<const double> jumps,
                                         std::span<double> ranks) override {
    const std::span<double> own = arrays_.own(ranks);
    const double uniform = scale_ / static_cast<double>(vertices_);
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] =
          jumps.empty() ? uniform : scale_ * jumps[static_cast<std::size_t>(arrays_.begin()) + i];
    arrays_.upload_jumps(ranks);
    engine_.begin(r);
    algorithm_detail::worklist_outcome out;
    {
      const trace_span span(r, "push", r.stream());
      out.seconds = engine_.run(r, arrays_.start());
    }
    arrays_.download_ranks(ranks);
    out.work = engine_.counters();
    out.left = engine_.left();
    out.sum = std::accumulate(own.begin(), own.end(), 0.0);
    return out;
  }

 private:
  filled_arrays arrays_;
  slice_arcs<Weight> arcs_;
  engine<Weight> engine_;
  std::int64_t vertices_;
  double scale_;
};

template <class Weight>
using device_weight = std::conditional_t<std::is_same_v<Weight, no_weight>, no_weight, double>;

}  // namespace

template <class Id, class Weight>
std::unique_ptr<residual_push> make_gpu_push(const placed_graph& g, int self, const Weight* weights,
                                             const push_problem& p, const list_drive& how) {
  const current_device here(g.on()[self].ordinal);
  return std::make_unique<gpu_push<device_weight<Weight>>>(g, self, g.slice<Id>(self), weights, p,
                                                           how);
}

void declare_gpu_push(memory_layout& l, const machine& m, const problem& p, int self,
                      const pagerank_options& o) {
  const std::int64_t arcs = p.rows.arcs[static_cast<std::size_t>(self)];
  const auto memory = o.weighted ? &engine<double>::memory : &engine<no_weight>::memory;
  auto lists = memory(m, p.rows.bounds, self, arcs,
                      algorithm_detail::drive_of("pagerank", o, o.engine, first_window));
  lists.work += algorithm_detail::counted<vertex_arrays>(p.rows.ids(), p.rows.ids(self)).own;
  l.own(self, "arcs with weights",
        o.weighted ? slice_arcs<double>::bytes(arcs, p.id_width)
                   : slice_arcs<no_weight>::bytes(arcs, p.id_width),
        p.rows.arcs_are);
  declare_list(l, self, lists, "ranks, residuals, lists and marks", p.rows.rows_are);
}

GOSSAMER_GPU_PUSHES

}  // namespace gossamer::pagerank_detail
