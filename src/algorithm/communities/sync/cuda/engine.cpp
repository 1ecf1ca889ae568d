// Communities on a GPU, host side: rows, weights and strengths are uploaded once. A run goes level
// by level; between two steps the host hears what the next one needs to know.
#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/communities/gpu.hpp"
#include "algorithm/communities/sync/cuda/launch.hpp"
#include "algorithm/communities/sync/strengths.hpp"
#include "algorithm/driver/array_list.hpp"
#include "algorithm/driver/upload.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::communities_detail {

namespace {

using namespace cuda;
using algorithm_detail::array_list, algorithm_detail::counted, algorithm_detail::taken,
    algorithm_detail::upload;

/// A launch ends with the first round behind that. Interrupts wait as long.
constexpr unsigned long long launch_nanoseconds = 20'000'000;

/// In the GPU's memory.
template <class Id, class Sum>
struct gpu_arrays {
  // The caller's graph.
  buffer<edge_offset> offsets;
  buffer<Id> columns;
  buffer<Sum> weights;
  buffer<std::int64_t> strengths;
  // The smaller one, and where it is made. Rows in pieces have their tables there meanwhile.
  buffer<edge_offset> next_offsets;
  buffer<Id> next_columns;
  buffer<Sum> next_weights;
  buffer<std::int64_t> next_strengths[2];  ///< by turns
  buffer<unsigned long long> ends;
  buffer<Sum> sums;
  // Of the caller's vertices.
  buffer<Id> node, labels;
  // level_view.hpp.
  buffer<Id> community, size, target, listed, part, part_size, name;
  buffer<std::int64_t> total, part_total, outward;
  buffer<std::uint8_t> awake;
  buffer<Sum> bond;
  buffer<row_piece<Id>> pieces;
  buffer<choice<Id, Sum>> choices;
  buffer<unsigned> looked;
  buffer<meeting_place> place;
  buffer<move_state> state;
  buffer<unsigned long long> count;
  buffer<label_counts> found;
  buffer<std::byte> work;

  void list(array_list& of, std::int64_t n, std::int64_t m, bool weighted, bool leiden) {
    of.add(offsets, n + 1);
    of.add(columns, m);
    of.add(weights, weighted ? m : 0);
    of.add(strengths, n);
    of.add(next_offsets, n + 1);
    of.add(next_columns, m);
    of.add(next_weights, m);
    for (auto& of_turn : next_strengths) of.add(of_turn, n);
    of.add(ends, 2 * m);
    of.add(sums, 2 * m);
    for (auto* ids : {&node, &labels, &community, &size, &target, &listed}) of.add(*ids, n);
    of.add(name, n + 1);
    of.add(total, n);
    of.add(awake, n);
    const std::int64_t of_leiden = leiden ? n : 0;
    for (auto* ids : {&part, &part_size}) of.add(*ids, of_leiden);
    for (auto* totals : {&part_total, &outward}) of.add(*totals, of_leiden);
    of.add(bond, of_leiden);
    const std::int64_t most = needs<Id, Sum>::pieces(m);
    of.add(pieces, most);
    of.add(choices, most);
    of.add(looked, most);
    of.add(place, 1);
    of.add(state, 1);
    of.add(count, 1);
    of.add(found, 1);
    of.add(work, needs<Id, Sum>::work_bytes(n, m));
  }
};

/// In the host's, until they are uploaded.
template <class Sum>
struct host_arrays {
  shared_array<std::int64_t> strengths;
  shared_array<Sum> weights;

  void list(array_list& of, std::int64_t n, std::int64_t m, bool weighted) {
    of.add(strengths, n);
    of.add(weights, weighted ? m : 0);
  }
};

template <class Id, class Sum>
class gpu_sync final : public engine {
 public:
  explicit gpu_sync(const preparation& from)
      : on_(from.on),
        vertices_(from.of.vertices()),
        arcs_(from.of.arcs()),
        weighted_(!std::holds_alternative<std::monostate>(from.of.weights)),
        leiden_(from.options.method == "leiden"),
        resolution_(from.options.resolution),
        seed_(static_cast<std::uint64_t>(from.options.seed)),
        iterations_(from.options.iterations) {
    const device& gpu = on_[0];
    const current_device here(gpu.ordinal);
    const auto added = taken<host_arrays<Sum>>(device(), vertices_, arcs_, weighted_);
    whole_ = weigh<Id>(from.of, added.strengths.data(), added.weights.data(), host().cores,
                       from.options.run.cancel);
    array_list list(gpu);
    arrays_.list(list, vertices_, arcs_, weighted_, leiden_);
    const auto rows = from.of.view<Id>();
    upload(arrays_.offsets, rows.offsets);
    upload(arrays_.columns, rows.indices);
    upload(arrays_.weights, added.weights, arrays_.weights.size());
    upload(arrays_.strengths, added.strengths);
    units_ = std::max(1, gpu.units / std::max(1, gpu.share));
    resident_ = launches<Id, Sum>::prepare();
    begun_ = event(gpu.ordinal);
    ended_ = event(gpu.ordinal);
  }

  void run(const run_options& options, communities_result& result) override {
    const auto labels = make_array<Id>(static_cast<std::size_t>(vertices_));
    on_.run([&](rank& r) { run_rank(r, labels, result); }, options);
    result.labels = labels;
  }

 private:
  /// Of a run.
  struct course {
    rank& r;
    launches<Id, Sum> does;
    level_view<Id, Sum> level;
    int turn = 0;  ///< of the smaller graphs' strengths
    std::int64_t draws = 0, levels = 0, rounds = 0, steps = 0;
    double before = 0, moving = 0, refining = 0, contracting = 0;

    /// Waits, tells of progress, and hears of a stop. How much is to come is a guess.
    void wait() {
      r.synchronize();
      const auto done = static_cast<double>(++steps);
      r.progress(done / (done + 16));
    }
    double lap() {
      const double now = r.clock();
      return now - std::exchange(before, now);
    }
  };

  void run_rank(rank& r, const shared_array<Id>& labels, communities_result& result) {
    const double begin = r.clock();
    course c{r,
             {{r.stream().native(), units_, resident_},
              arrays_.work.data(),
              static_cast<std::int64_t>(arrays_.work.size())},
             {}};
    c.before = begin;
    begun_.record(r.stream());
    for (std::int64_t i = 0; i < iterations_; ++i)
      if (!iterate(c, i == 0)) break;
    c.does.tally(c.level, arrays_.labels.data(), arrays_.size.data(), vertices_,
                 arrays_.found.data());
    ended_.record(r.stream());
    r.synchronize();
    const double seconds = ended_.milliseconds_since(begun_) * 1e-3;
    const auto found = download(arrays_.found.data());
    if (vertices_ > 0) copy_bytes(labels.data(), arrays_.labels.data(), labels.size() * sizeof(Id));
    result.count = static_cast<std::int64_t>(found.count);
    result.largest = static_cast<std::int64_t>(found.largest);
    result.largest_label = vertices_ > 0 ? static_cast<std::int64_t>(found.largest_label) : 0;
    result.levels = c.levels;
    result.rounds = c.rounds;
    result.milliseconds = seconds * 1e3;
    result.phases = {{"move", c.moving}, {"refine", c.refining}, {"contract", c.contracting}};
    trace_run(r, "communities", begin, seconds);
    r.progress(1);
  }

  /// From single vertices, or from the communities so far; whether that has changed them.
  bool iterate(course& c, bool alone) {
    c.level = whole_graph();
    c.does.begin(c.level, arrays_.node.data(), alone ? nullptr : arrays_.labels.data());
    c.does.seat(c.level, alone);
    while (climb(c)) {
    }
    const label_counts nothing{0, 0, 0, ~0ULL};
    copy_bytes(arrays_.found.data(), &nothing, sizeof nothing);
    c.does.name(c.level, arrays_.node.data(), arrays_.listed.data(), arrays_.labels.data(),
                vertices_, alone, arrays_.found.data());
    c.wait();
    return download(arrays_.found.data()).changed > 0;
  }

  /// One level: vertices move, and a smaller graph is made if any are together.
  bool climb(course& c) {
    move(c);
    std::int64_t kept = number(c, c.level.size);
    c.moving += c.lap();
    bool more = kept < c.level.vertices;
    if (more && leiden_) {
      refine(c);
      kept = number(c, c.level.part_size);
      if (kept == c.level.vertices) {
        c.does.split(c.level, arrays_.target.data());
        more = false;
      }
      c.refining += c.lap();
    }
    if (more) {
      contract(c, kept);
      c.contracting += c.lap();
    }
    return more;
  }

  void move(course& c) {
    const trace_span span(c.r, "move", c.r.stream());
    const auto fill = [&](void* at, int byte, std::int64_t count, std::size_t each) {
      if (count > 0) c.r.fill(at, byte, static_cast<std::size_t>(count) * each);
    };
    if (const std::int64_t pieces = needs<Id, Sum>::pieces(c.level.arcs); pieces > 0) {
      fill(c.level.keys, 0xff, 2 * c.level.arcs, sizeof(Id));
      fill(c.level.sums, 0, 2 * c.level.arcs, sizeof(Sum));
      fill(c.level.looked, 0, pieces, sizeof(unsigned));
    }
    move_view<Id, Sum> v = moves(c);
    ++c.levels;
    while (true) {
      c.r.fill(v.place, 0, sizeof(meeting_place));
      c.does.move(v);
      c.wait();
      const auto state = download(arrays_.state.data());
      c.rounds += state.rounds - v.rounds;
      c.draws = v.draws = state.draws;
      v.rounds = state.rounds;
      if (state.done) return;
    }
  }

  void refine(course& c) {
    const trace_span span(c.r, "refine", c.r.stream());
    const move_view<Id, Sum> v = moves(c);
    c.r.fill(v.place, 0, sizeof(meeting_place));
    c.does.refine(v);
    ++c.draws;
    c.wait();
  }

  /// Names communities, or parts, that have vertices; how many they are.
  std::int64_t number(course& c, const Id* sizes) {
    c.does.number(c.level, sizes, arrays_.name.data());
    c.wait();
    return static_cast<std::int64_t>(download(arrays_.name.data() + c.level.vertices));
  }

  void contract(course& c, std::int64_t kept) {
    const trace_span span(c.r, "contract", c.r.stream());
    auto& level = c.level;
    Id* const label = leiden_ ? level.part : level.community;
    const Id* const name = arrays_.name.data();
    Id* const lowest = leiden_ ? level.size : nullptr;  // seats are taken anew
    std::int64_t* const strengths = arrays_.next_strengths[c.turn].data();
    c.turn = 1 - c.turn;
    c.does.rename(level, name, leiden_ ? level.part_size : level.size,
                  leiden_ ? level.part_total : level.total, strengths, lowest);
    c.does.relabel(level, label, name, lowest);
    if (leiden_) c.does.keep(level, label, lowest, level.target);
    c.does.follow(level, arrays_.node.data(), label, vertices_);
    const arc_list<Sum> list{
        arrays_.ends.data(), level.weights == nullptr ? nullptr : level.sums, arrays_.count.data(),
        static_cast<unsigned>(
            std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, kept - 1))))};
    c.r.fill(list.count, 0, sizeof(unsigned long long));
    if (level.arcs > 0) c.does.list_arcs(level, label, list);
    c.wait();
    auto arcs = static_cast<std::int64_t>(download(list.count));
    arc_list<Sum> merged = list;
    if (arcs > 0) {
      merged.ends = c.does.merge_arcs(list, arcs, arcs_, arrays_.next_weights.data());
      c.wait();
      arcs = static_cast<std::int64_t>(download(list.count));
    }
    c.does.make_rows(level, merged, arcs, kept, arrays_.next_offsets.data(),
                     arrays_.next_columns.data());
    if (leiden_) std::swap(level.community, level.target);
    level.vertices = kept;
    level.arcs = arcs;
    level.offsets = arrays_.next_offsets.data();
    level.columns = arrays_.next_columns.data();
    level.weights = arrays_.next_weights.data();
    level.strengths = strengths;
    c.does.seat(level, !leiden_);
  }

  /// Synchronous; nothing is queued.
  template <class T>
  static T download(const T* from) {
    T to{};
    copy_bytes(&to, from, sizeof to);
    return to;
  }

  [[nodiscard]] level_view<Id, Sum> whole_graph() const {
    level_view<Id, Sum> v{};
    v.vertices = vertices_;
    v.arcs = arcs_;
    v.offsets = arrays_.offsets.data();
    v.columns = arrays_.columns.data();
    v.weights = weighted_ ? arrays_.weights.data() : nullptr;
    v.strengths = arrays_.strengths.data();
    v.whole = static_cast<double>(whole_);
    v.resolution = resolution_;
    v.seed = seed_;
    v.community = arrays_.community.data();
    v.total = arrays_.total.data();
    v.size = arrays_.size.data();
    v.awake = arrays_.awake.data();
    v.target = arrays_.target.data();
    v.part = arrays_.part.data();
    v.part_total = arrays_.part_total.data();
    v.part_size = arrays_.part_size.data();
    v.outward = arrays_.outward.data();
    v.bond = arrays_.bond.data();
    v.listed = arrays_.listed.data();
    v.pieces = arrays_.pieces.data();
    v.choices = arrays_.choices.data();
    v.looked = arrays_.looked.data();
    v.keys = reinterpret_cast<Id*>(arrays_.ends.data());
    v.sums = arrays_.sums.data();
    return v;
  }
  [[nodiscard]] move_view<Id, Sum> moves(const course& c) const {
    return {c.level, arrays_.place.data(), arrays_.state.data(), c.draws,
            0,       launch_nanoseconds,   c.r.guard()};
  }

  machine& on_;
  std::int64_t vertices_, arcs_;
  bool weighted_, leiden_;
  double resolution_;
  std::uint64_t seed_;
  std::int64_t iterations_, whole_ = 0;
  int units_ = 1, resident_ = 1;
  gpu_arrays<Id, Sum> arrays_;
  event begun_, ended_;
};

/// f(Id, Sum): of ids, and sums of weights.
template <class F>
auto by_widths(const problem& p, const F& f) {
  const bool narrow = is_narrow(p);
  if (p.id_width == 4)
    return narrow ? f(vertex32{}, std::uint32_t{}) : f(vertex32{}, std::int64_t{});
  return narrow ? f(vertex64{}, std::uint32_t{}) : f(vertex64{}, std::int64_t{});
}

}  // namespace

std::unique_ptr<engine> make_gpu(const preparation& from) {
  return by_widths(problem_of(from.of),
                   [&]<class Id, class Sum>(Id, Sum) -> std::unique_ptr<engine> {
                     return std::make_unique<gpu_sync<Id, Sum>>(from);
                   });
}

void declare_gpu(memory_layout& l, const machine& m, const problem& p,
                 const communities_options& options) {
  const current_device current(m[0].ordinal);  // CUB asks the GPU how much it sorts with
  const auto [there, here] = by_widths(p, [&]<class Id, class Sum>(Id, Sum) {
    return std::pair{
        counted<gpu_arrays<Id, Sum>>(p.vertices, p.arcs, p.weighted, options.method == "leiden")
            .own,
        counted<host_arrays<Sum>>(p.vertices, p.arcs, p.weighted).own};
  });
  l.own(0, "rows, smaller graphs and communities", there, p.arcs_are);
  l.shared("strengths and weights as integers", here, p.arcs_are);
}

}  // namespace gossamer::communities_detail
