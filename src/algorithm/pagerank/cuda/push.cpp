// Engine async of PageRank on GPUs, host side. Residuals, ranks and weights have 64 bits whatever
// the result has: two kernels, and the bound of async.hpp needs no room for rounding.
#include "algorithm/pagerank/push.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

#include "algorithm/cuda/worklist/engine.hpp"
#include "algorithm/pagerank/cuda/residuals.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::pagerank_detail {

namespace {

using algorithm_detail::cuda::current_device;
using algorithm_detail::cuda::list_bytes;
using algorithm_detail::cuda::worklist_engine;

template <class Weight>
using engine = worklist_engine<cuda::residuals, Weight, cuda::from_jumps>;

/// A window of halvings; the first two levels, then more where windows hold little.
constexpr double first_window = 1;

/// Arrays of a rank that the operator reads, and the ranks that it makes.
class vertex_arrays {
 public:
  template <class Id, class Weight>
  vertex_arrays(const device& on, const weighted_rows<Id, Weight>& rows, const push_problem& p,
                int self)
      : begin_(p.first[static_cast<std::size_t>(self)]),
        rows_(p.first[static_cast<std::size_t>(self) + 1] - begin_) {
    const current_device here(on.ordinal);
    least_ = make_native_buffer<std::uint8_t>(on, static_cast<std::size_t>(rows.rows));
    share_ = make_native_buffer<double>(on, static_cast<std::size_t>(rows_));
    ranks_ = make_native_buffer<double>(on, static_cast<std::size_t>(rows_));
    upload_least(rows.offsets, rows.rows);
    copy_bytes(share_.data(), p.shares + begin_, own_bytes());
  }
  static std::int64_t bytes(std::int64_t vertices, std::int64_t rows) {
    const auto block = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
    return block(vertices) + 2 * block(rows * 8);
  }

  [[nodiscard]] cuda::residuals by() const { return {least_.data(), share_.data(), ranks_.data()}; }
  [[nodiscard]] cuda::from_jumps start() const { return {begin_, ranks_.data()}; }
  /// Own rows of an array of all vertices, to the GPU and back.
  void upload_jumps(std::span<const double> all) const {
    copy_bytes(ranks_.data(), all.data() + begin_, own_bytes());
  }
  void download_ranks(std::span<double> all) const {
    copy_bytes(all.data() + begin_, ranks_.data(), own_bytes());
  }
  [[nodiscard]] std::span<double> own(std::span<double> all) const {
    return all.subspan(static_cast<std::size_t>(begin_), static_cast<std::size_t>(rows_));
  }
  [[nodiscard]] std::int64_t begin() const { return begin_; }

 private:
  [[nodiscard]] std::size_t own_bytes() const {
    return static_cast<std::size_t>(rows_) * sizeof(double);
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
      copy_bytes(least_.data() + from, some.data(), static_cast<std::size_t>(n));
    }
  }

  std::int64_t begin_, rows_;
  buffer<std::uint8_t> least_;
  buffer<double> share_, ranks_;
};

template <class Weight>
class gpu_push final : public residual_push {
 public:
  template <class Id, class HostWeight>
  gpu_push(const device& on, const weighted_rows<Id, HostWeight>& rows, const push_problem& p,
           int self)
      : arrays_(on, rows, p, self),
        engine_("pagerank", on, arrays_.by(), rows.offsets, rows.columns, rows.weights, p.first,
                self, first_window, false),
        vertices_(rows.rows),
        // What a residual of one share of `allowed` is counted as one.
        scale_((1 - p.damping) / p.allowed *
               static_cast<double>(rows.rows + rows.offsets[rows.rows])) {
    engine_.widen_windows();
  }

  push_outcome run(rank& r, std::span<const double> jumps, std::span<double> ranks) override {
    const std::span<double> own = arrays_.own(ranks);
    const double uniform = scale_ / static_cast<double>(vertices_);
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] =
          jumps.empty() ? uniform : scale_ * jumps[static_cast<std::size_t>(arrays_.begin()) + i];
    arrays_.upload_jumps(ranks);
    engine_.begin(r);
    push_outcome out;
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
  vertex_arrays arrays_;
  engine<Weight> engine_;
  std::int64_t vertices_;
  double scale_;
};

template <class Weight>
using device_weight = std::conditional_t<std::is_same_v<Weight, no_weight>, no_weight, double>;

}  // namespace

template <class Id, class Weight>
std::unique_ptr<residual_push> make_gpu_push(const device& on,
                                             const weighted_rows<Id, Weight>& rows,
                                             const push_problem& p, int self) {
  return std::make_unique<gpu_push<device_weight<Weight>>>(on, rows, p, self);
}

gpu_push_bytes gpu_push_bytes_of(const std::vector<std::int64_t>& first, int self,
                                 std::int64_t arcs, bool weighted) {
  const auto sizes = weighted ? engine<double>::sizes(first, self, arcs)
                              : engine<no_weight>::sizes(first, self, arcs);
  const list_bytes b(sizes);
  return {b.rows, b.work + vertex_arrays::bytes(sizes.vertices(), sizes.rows()), b.windows};
}

#define GOSSAMER_INSTANTIATE(Id, Weight)                 \
  template std::unique_ptr<residual_push> make_gpu_push( \
      const device&, const weighted_rows<Id, Weight>&, const push_problem&, int);

GOSSAMER_INSTANTIATE(vertex32, no_weight)
GOSSAMER_INSTANTIATE(vertex32, std::int32_t)
GOSSAMER_INSTANTIATE(vertex32, float)
GOSSAMER_INSTANTIATE(vertex32, double)
GOSSAMER_INSTANTIATE(vertex64, no_weight)
GOSSAMER_INSTANTIATE(vertex64, std::int32_t)
GOSSAMER_INSTANTIATE(vertex64, float)
GOSSAMER_INSTANTIATE(vertex64, double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::pagerank_detail
