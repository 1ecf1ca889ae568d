// Core numbers on a GPU, host side: rows and degrees are uploaded once. A run launches the kernel
// until all have left; between two launches it tells of progress and hears of a stop.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/core_numbers/gpu.hpp"
#include "algorithm/core_numbers/sync/cuda/launch.hpp"
#include "algorithm/core_numbers/sync/degrees.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/upload.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::core_numbers_detail {

namespace {

using namespace cuda;
using algorithm_detail::counted, algorithm_detail::simple_degrees;

/// A launch ends with the first level behind that. Interrupts wait as long.
constexpr unsigned long long launch_nanoseconds = 20'000'000;

/// In the GPU's memory.
template <class Id>
struct gpu_arrays {
  buffer<edge_offset> offsets[2];
  buffer<Id> columns[2];
  buffer<std::uint32_t> degrees, words;
  buffer<Id> left, waiting;
  buffer<std::int64_t> left_of;
  buffer<unsigned long long> ends;
  buffer<level_sums> sums;
  buffer<peel_state> state;

  /// arcs: of either direction, the second's is negative where there is none.
  void list(algorithm_detail::array_list& of, std::int64_t vertices,
            const std::array<std::int64_t, 2>& arcs, std::int64_t blocks) {
    for (std::size_t way = 0; way < 2; ++way) {
      if (arcs[way] < 0) continue;
      of.add(offsets[way], vertices + 1);
      of.add(columns[way], arcs[way]);
    }
    of.add(degrees, vertices);
    of.add(words, vertices);
    of.add(left, vertices + gpu_sizes::threads);
    of.add(waiting, vertices);
    of.add(left_of, blocks);
    of.add(ends, 2);
    of.add(sums, 3);
    of.add(state, 1);
  }
};

template <class Id>
class gpu_sync final : public engine {
 public:
  explicit gpu_sync(const preparation& from)
      : on_(from.on), vertices_(from.of.vertices()), counted_(degrees_of(from, counting_)) {
    const device& gpu = on_[0];
    const current_device here(gpu.ordinal);
    blocks_ = prepare_peeling<Id>(std::max(1, gpu.units / std::max(1, gpu.share)));
    const auto rows = counted_->rows<Id>();
    const bool both = !rows[1].offsets.empty();
    algorithm_detail::array_list taken(gpu);
    arrays_.list(taken, vertices_,
                 {std::ssize(rows[0].indices), both ? std::ssize(rows[1].indices) : -1}, blocks_);
    for (std::size_t way = 0; way < (both ? 2U : 1U); ++way) {
      algorithm_detail::upload(arrays_.offsets[way], rows[way].offsets);
      algorithm_detail::upload(arrays_.columns[way], rows[way].indices);
    }
    algorithm_detail::upload(arrays_.degrees, counted_->degrees);
    begun_ = event(gpu.ordinal);
    ended_ = event(gpu.ordinal);
  }

  void run(const run_options& options, core_numbers_result& result) override {
    const auto numbers = make_array<std::int32_t>(static_cast<std::size_t>(vertices_));
    on_.run([&](rank& r) { peel_all(r, numbers, result); }, options);
    result.phases = {{"degrees", std::exchange(counting_, 0)},
                     {"peel", result.milliseconds * 1e-3}};
    result.numbers = numbers;
  }

 private:
  void peel_all(rank& r, const shared_array<std::int32_t>& numbers, core_numbers_result& result) {
    const double begin = r.clock();
    peel_state state{};
    double seconds = 0;
    do {
      begun_.record(r.stream());
      {
        const trace_span span(r, "peel", r.stream());
        if (state.begun == 0) start(r);
        launch_peeling<Id>(r.stream().native(), blocks_, view(r));
      }
      ended_.record(r.stream());
      r.synchronize();
      seconds += ended_.milliseconds_since(begun_) * 1e-3;
      copy_bytes(&state, arrays_.state.data(), sizeof state);
      r.progress(static_cast<double>(state.taken) /
                 static_cast<double>(std::max<std::int64_t>(1, vertices_)));
    } while (state.taken < static_cast<unsigned long long>(vertices_));
    result.milliseconds = seconds * 1e3;
    result.rounds = state.rounds;
    result.degeneracy = state.degeneracy;
    trace_run(r, "core_numbers", begin, seconds);
    if (vertices_ > 0)
      copy_bytes(numbers.data(), arrays_.words.data(), numbers.size() * sizeof(std::int32_t));
  }

  void start(rank& r) {
    const auto n = static_cast<std::size_t>(vertices_);
    copy_bytes(arrays_.words.data(), arrays_.degrees.data(), n * sizeof(std::uint32_t), r.stream());
    r.fill(arrays_.waiting.data(), 0xff, n * sizeof(Id));
    r.fill(arrays_.ends.data(), 0, 2 * sizeof(unsigned long long));
    r.fill(arrays_.state.data(), 0, sizeof(peel_state));
    r.fill(arrays_.sums.data(), 0, arrays_.sums.size() * sizeof(level_sums));
  }

  [[nodiscard]] peel_view<Id> view(const rank& r) const {
    peel_view<Id> v{};
    for (std::size_t way = 0; way < 2; ++way)
      v.rows[way] = {arrays_.offsets[way].data(), arrays_.columns[way].data()};
    v.vertices = vertices_;
    v.words = arrays_.words.data();
    v.left = arrays_.left.data();
    v.left_of = arrays_.left_of.data();
    v.waiting = arrays_.waiting.data();
    v.ends = arrays_.ends.data();
    v.sums = arrays_.sums.data();
    v.state = arrays_.state.data();
    v.pause = launch_nanoseconds;
    v.guard = r.guard();
    return v;
  }

  machine& on_;
  std::int64_t vertices_;
  double counting_ = 0;  ///< seconds that counting degrees took; of the first run
  std::shared_ptr<const simple_degrees> counted_;
  int blocks_ = 1;
  gpu_arrays<Id> arrays_;
  event begun_, ended_;
};

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<gpu_sync<vertex32>>(from);
  return std::make_unique<gpu_sync<vertex64>>(from);
}

void declare_gpu(memory_layout& l, const machine& m, const problem& p) {
  const std::array<std::int64_t, 2> arcs{p.arcs, p.reversing == 0 ? -1 : p.arcs};
  const std::int64_t blocks = std::max(1, m[0].units);
  const auto bytes = [&]<class Id>(Id) {
    return counted<gpu_arrays<Id>>(p.vertices, arcs, blocks).own;
  };
  l.own(0, "rows, degrees and who is left", p.id_width == 4 ? bytes(vertex32{}) : bytes(vertex64{}),
        p.arcs_are);
}

}  // namespace gossamer::core_numbers_detail
