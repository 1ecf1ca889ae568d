// Strong components on a GPU, host side: rows are uploaded once. The kernel runs to its end; whom
// it leaves without a label a depth-first search of each part finds here.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/upload.hpp"
#include "algorithm/layouts/reversed_arcs.hpp"
#include "algorithm/strong_components/gpu.hpp"
#include "algorithm/strong_components/sync/cuda/launch.hpp"
#include "algorithm/strong_components/sync/depth_first.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::strong_components_detail {

namespace {

using namespace cuda;
using algorithm_detail::array_list, algorithm_detail::counted, algorithm_detail::taken;

/// Arcs or vertices between two asks whether to stop: well below a millisecond.
constexpr std::int64_t between_asks = 1 << 16;
/// `apart`, `reached` and `reaching`, who are left to search.
constexpr std::uint8_t parts_left = 3;

/// In the GPU's memory.
template <class Id>
struct gpu_arrays {
  buffer<edge_offset> offsets[2];
  buffer<Id> columns[2], queue[2][2], left[2], color, labels;
  buffer<std::uint32_t> met[2], stamp, sizes, arrived;
  buffer<std::uint8_t> parts;
  buffer<step_sums> sums;
  buffer<search_outcome> outcome;

  void list(array_list& of, std::int64_t vertices, std::int64_t arcs, bool symmetric) {
    for (int way = 0; way < (symmetric ? 1 : 2); ++way) {
      of.add(offsets[way], vertices + 1);
      of.add(columns[way], arcs);
    }
    for (auto& bits : met) of.add(bits, (vertices + 31) / 32);
    for (auto& both : queue)
      for (auto& ids : both) of.add(ids, vertices);
    for (auto& ids : left) of.add(ids, vertices);
    of.add(color, vertices);
    of.add(labels, vertices);
    of.add(stamp, vertices);
    of.add(sizes, vertices);
    of.add(parts, vertices);
    of.add(arrived, 2);
    of.add(sums, 3);
    of.add(outcome, 1);
  }
};

/// In the host's memory, of who is left.
template <class Id>
struct rest_arrays {
  shared_array<std::uint8_t> parts;
  shared_array<Id> left, number, low, open, calls;
  shared_array<edge_offset> at;

  void list(array_list& of, std::int64_t vertices) {
    of.add(parts, vertices);
    for (auto* ids : {&left, &number, &low, &open, &calls}) of.add(*ids, vertices);
    of.add(at, vertices);
  }
};

template <class T>
void download(T* to, const buffer<T>& from, std::size_t n) {
  if (n > 0) copy_bytes(to, from.data(), n * sizeof(T));
}

/// Of most arcs, those in times those out; -1 without vertices.
std::int64_t pivot_of(const graph& out, const graph& in) {
  std::int64_t pivot = -1;
  double most = -1;
  for (std::int64_t v = 0; v < out.vertices(); ++v) {
    const double arcs = static_cast<double>(out.offsets[v + 1] - out.offsets[v]) *
                        static_cast<double>(in.offsets[v + 1] - in.offsets[v]);
    if (arcs > most) {
      most = arcs;
      pivot = v;
    }
  }
  return pivot;
}

template <class Id>
class gpu_sync final : public engine {
 public:
  explicit gpu_sync(const preparation& from)
      : on_(from.on),
        of_(from.of),
        vertices_(of_.vertices()),
        reversed_(algorithm_detail::reversed_arcs(from.of, from.options.run.cancel, reversing_)),
        pivot_(pivot_of(of_, of_.symmetric ? of_ : *reversed_)),
        rest_(taken<rest_arrays<Id>>(device(), vertices_)) {
    const device& gpu = on_[0];
    const current_device here(gpu.ordinal);
    array_list list(gpu);
    arrays_.list(list, vertices_, of_.arcs(), of_.symmetric);
    const auto rows = of_.view<Id>();
    algorithm_detail::upload(arrays_.offsets[0], rows.offsets);
    algorithm_detail::upload(arrays_.columns[0], rows.indices);
    if (!of_.symmetric) {
      const auto against = reversed_->view<Id>();
      algorithm_detail::upload(arrays_.offsets[1], against.offsets);
      algorithm_detail::upload(arrays_.columns[1], against.indices);
    }
    blocks_ = std::max(1, gpu.units / std::max(1, gpu.share));
    begun_ = event(gpu.ordinal);
    ended_ = event(gpu.ordinal);
  }

  void run(const run_options& options, strong_components_result& result) override {
    const auto labels = make_array<Id>(static_cast<std::size_t>(vertices_));
    on_.run([&](rank& r) { run_rank(r, labels, result); }, options);
    result.labels = labels;
  }

 private:
  void run_rank(rank& r, const shared_array<Id>& labels, strong_components_result& result) {
    const double begin = r.clock();
    begun_.record(r.stream());
    {
      const trace_span span(r, "search", r.stream());
      start(r);
      launch_search<Id>(r.stream().native(), blocks_, view(r));
    }
    ended_.record(r.stream());
    r.synchronize();
    const double seconds = ended_.milliseconds_since(begun_) * 1e-3;
    const double before = r.clock();
    search_outcome found{};
    download(&found, arrays_.outcome, 1);
    download(labels.data(), arrays_.labels, labels.size());
    result.count = static_cast<std::int64_t>(found.count);
    result.trimmed = static_cast<std::int64_t>(found.trimmed);
    component_size largest{static_cast<std::int64_t>(found.largest),
                           static_cast<std::int64_t>(found.largest_label)};
    r.progress(0.5);
    if (found.left > 0) search_rest(r, found, labels, largest, result);
    result.largest = largest.vertices;
    result.largest_label = largest.vertices > 0 ? largest.label : 0;
    const double rest = found.left > 0 ? r.clock() - before : 0;
    result.milliseconds = (seconds + rest) * 1e3;
    result.phases = {
        {"reverse", std::exchange(reversing_, 0)}, {"search", seconds}, {"rest", rest}};
    trace_run(r, "strong_components", begin, seconds + rest);
    r.progress(1);
  }

  /// Depth first, part by part.
  void search_rest(rank& r, const search_outcome& found, const shared_array<Id>& labels,
                   component_size& largest, strong_components_result& result) {
    const auto left = static_cast<std::size_t>(found.left);
    download(rest_.parts.data(), arrays_.parts, rest_.parts.size());
    download(rest_.left.data(), arrays_.left[found.which], left);
    const std::span<const Id> ids = rest_.left.span().first(left);
    for (const Id v : ids) rest_.number[static_cast<std::size_t>(v)] = 0;
    for (std::uint8_t part = 0; part < parts_left; ++part) {
      depth_first<Id> of_part(of_.view<Id>(), rest_.parts.data(), part,
                              {rest_.number.data(), rest_.low.data(), rest_.at.data(),
                               rest_.open.data(), rest_.calls.data()},
                              labels.data());
      for (const Id v : ids)
        if (rest_.parts[static_cast<std::size_t>(v)] == part)
          of_part.from(v, between_asks, [&] {
            r.progress(0.5);
            return true;
          });
      result.count += of_part.count;
      largest.take(of_part.largest);
    }
  }

  void start(rank& r) {
    const auto clear = [&](const auto& array) {
      r.fill(array.data(), 0, array.size() * sizeof(*array.data()));
    };
    for (const auto& bits : arrays_.met) clear(bits);
    clear(arrays_.stamp);
    clear(arrays_.sizes);
    clear(arrays_.arrived);
    r.synchronize();
    const step_sums nothing{{0, 0}, 0, ~0ULL};
    const std::array<step_sums, 3> all{nothing, nothing, nothing};
    copy_bytes(arrays_.sums.data(), all.data(), sizeof all);
    if (pivot_ < 0) return;
    const auto pivot = static_cast<Id>(pivot_);
    const std::uint32_t bit = 1U << (pivot_ % 32);
    for (int way = 0; way < 2; ++way) {
      copy_bytes(arrays_.queue[way][0].data(), &pivot, sizeof pivot);
      copy_bytes(arrays_.met[way].data() + pivot_ / 32, &bit, sizeof bit);
    }
  }

  [[nodiscard]] search_view<Id> view(const rank& r) const {
    search_view<Id> v{};
    for (int way = 0; way < 2; ++way) {
      const int from = of_.symmetric ? 0 : way;
      v.rows[way] = {arrays_.offsets[from].data(), arrays_.columns[from].data()};
      v.met[way] = arrays_.met[way].data();
      v.left[way] = arrays_.left[way].data();
      for (int turn = 0; turn < 2; ++turn) v.queue[way][turn] = arrays_.queue[way][turn].data();
    }
    v.vertices = vertices_;
    v.symmetric = of_.symmetric;
    v.most_levels = most_levels();
    v.parts = arrays_.parts.data();
    v.color = arrays_.color.data();
    v.stamp = arrays_.stamp.data();
    v.labels = arrays_.labels.data();
    v.sizes = arrays_.sizes.data();
    v.sums = arrays_.sums.data();
    v.outcome = arrays_.outcome.data();
    v.arrived = arrays_.arrived.data();
    v.guard = r.guard();
    return v;
  }

  machine& on_;
  const graph of_;
  std::int64_t vertices_;
  double reversing_ = 0;  ///< seconds that reversing arcs took; of the first run
  std::shared_ptr<const graph> reversed_;
  std::int64_t pivot_;
  rest_arrays<Id> rest_;
  int blocks_ = 1;
  gpu_arrays<Id> arrays_;
  event begun_, ended_;
};

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  if (from.of.id_width() == 4) return std::make_unique<gpu_sync<vertex32>>(from);
  return std::make_unique<gpu_sync<vertex64>>(from);
}

void declare_gpu(memory_layout& l, const problem& p) {
  const bool symmetric = p.reversing == 0;
  const auto bytes = [&]<class Id>(Id) {
    return std::pair{counted<gpu_arrays<Id>>(p.vertices, p.arcs, symmetric).own,
                     counted<rest_arrays<Id>>(p.vertices).own};
  };
  const auto [there, here] = p.id_width == 4 ? bytes(vertex32{}) : bytes(vertex64{});
  l.own(0, "rows, lists, colours and labels", there, p.arcs_are);
  l.shared("who is left to the host, and stacks", here, p.vertices_are);
}

}  // namespace gossamer::strong_components_detail
