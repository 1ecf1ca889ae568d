// Steps on CPU ranks: arrays of all vertices in one memory, each rank's team at its own part.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>

#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/vertex_steps/engine.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::steps_detail {

namespace {

/// Vertices that a thread takes at a time. What they report is joined in their order, so that sums
/// depend neither on threads nor on their luck.
constexpr std::int64_t piece = 2048;

class cpu_engine final : public step_engine {
 public:
  explicit cpu_engine(const step_graph& g) : g_(g), views_(g.own.size()), parts_(g.own.size()) {
    const bool alone = views_.size() == 1 && g.on()[0].threads == 1;
    for (int r = 0; r < g.on().size(); ++r) {
      step_view& v = views_[static_cast<std::size_t>(r)];
      const own_ids& own = g.own[static_cast<std::size_t>(r)];
      v.first = own.first;
      v.last = own.first + own.count;
      v.shift = own.first - own.vertex;
      v.alone = alone;
      weights_.push_back(g.weights(r, 0));
      weights_.push_back(g.source.symmetric ? weights_.back() : g.weights(r, 1));
      visit_slice(*g.placed, r, [&](const auto& slice) {
        v.rows[0] = rows_of(slice.offsets, slice.columns, 2 * static_cast<std::size_t>(r));
        v.rows[1] =
            rows_of(slice.in_offsets, slice.in_columns, 2 * static_cast<std::size_t>(r) + 1);
        if (slice.in_offsets == slice.offsets) v.rows[1] = v.rows[0];
      });
    }
  }

  void add_array(int element, bool) override {
    const auto bytes =
        static_cast<std::size_t>(g_.placed->bounds().back()) * static_cast<std::size_t>(element);
    arrays_.push_back({make_array<std::byte>(bytes), static_cast<std::size_t>(element)});
    std::fill(arrays_.back().data.begin(), arrays_.back().data.end(), std::byte{0});
    places_.push_back(arrays_.back().data.data());
    for (step_view& v : views_) v.arrays = places_.data();
  }
  void write(int array, std::span<const std::byte> from) override {
    const part& a = arrays_.at(static_cast<std::size_t>(array));
    for (const own_ids& own : g_.own) {
      const auto [at, to, bytes] = where(a, own);
      std::memcpy(to, from.data() + at, bytes);
    }
  }
  void read(int array, std::span<std::byte> to) const override {
    const part& a = arrays_.at(static_cast<std::size_t>(array));
    for (const own_ids& own : g_.own) {
      const auto [at, from, bytes] = where(a, own);
      std::memcpy(to.data() + at, from, bytes);
    }
  }
  void add_program(compiled_steps program) override {
    programs_.push_back(static_cast<const step_program*>(program.cpu));
  }

  steps_outcome run(int which, std::span<std::int64_t> numbers, const run_options& how) override {
    const step_program& program = *programs_.at(static_cast<std::size_t>(which));
    std::vector<step_word> known(numbers.size() + 1);
    for (std::size_t i = 0; i < numbers.size(); ++i) known[i].whole = numbers[i];
    line_ = static_cast<std::size_t>(program.words) + 1;
    told_.assign(2 * views_.size() * line_, step_word{});
    steps_outcome out;
    for (int stage = 0; stage >= 0;) {
      std::vector<turn> turns(views_.size());
      g_.on().run(
          [&](rank& r) {
            turns[static_cast<std::size_t>(r.id())] = take_turn(r, program, stage, known);
          },
          how);
      out.milliseconds += 1e3 * algorithm_detail::slowest_rank(turns).seconds;
      out.stages += turns[0].stages;
      stage = turns[0].stage;
      known = std::move(turns[0].numbers);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = known[i].whole;
    return out;
  }

 private:
  struct part {
    shared_array<std::byte> data;
    std::size_t element;
  };
  struct turn {
    int stage = -1;  ///< the next
    std::int64_t stages = 0;
    std::vector<step_word> numbers;
    double seconds = 0;
  };

  step_rows rows_of(const edge_offset* offsets, const void* columns, std::size_t which) const {
    return {reinterpret_cast<const long long*>(offsets), columns, weights_[which].get()};
  }
  /// Of the caller's array, of this one, and bytes.
  static std::tuple<std::size_t, std::byte*, std::size_t> where(const part& a, const own_ids& own) {
    const auto size = a.element;
    return {static_cast<std::size_t>(own.vertex) * size,
            a.data.data() + static_cast<std::size_t>(own.first) * size,
            static_cast<std::size_t>(own.count) * size};
  }

  turn take_turn(rank& r, const step_program& program, int stage,
                 const std::vector<step_word>& known) {
    const double begin = r.clock();
    turn t{stage, 0, known, 0};
    std::vector<step_word> all(line_);
    bool over = false;
    while (t.stage >= 0 && !over) {
      r.progress();
      run_stage(r, program, t, all);
      all.back().whole = r.clock() - begin > turn_seconds ? 1 : 0;
      over = tell(r, program, t, all);
      t.stage = program.next(t.stage, all.data(), t.numbers.data());
      ++t.stages;
    }
    t.seconds = r.clock() - begin;
    trace_run(r, "steps", begin, t.seconds);
    return t;
  }

  void run_stage(rank& r, const step_program& program, const turn& t, std::vector<step_word>& all) {
    step_view view = views_[static_cast<std::size_t>(r.id())];
    view.numbers = t.numbers.data();
    const std::int64_t own = view.last - view.first;
    const std::int64_t pieces = std::max<std::int64_t>(1, (own + piece - 1) / piece);
    auto& parts = parts_[static_cast<std::size_t>(r.id())];
    parts.resize(static_cast<std::size_t>(pieces) * line_);
    // A rank without rows has a part, too.
    for_pieces({r.dev().threads}, std::max<std::int64_t>(1, own), piece,
               [&](std::int64_t begin, std::int64_t) {
                 program.run(t.stage, view, view.first + begin,
                             std::min(view.last, view.first + begin + piece),
                             parts.data() + static_cast<std::size_t>(begin / piece) * line_);
               });
    std::copy_n(parts.begin(), program.words, all.begin());
    for (std::int64_t i = 1; program.words > 0 && i < pieces; ++i)
      program.join(t.stage, all.data(), parts.data() + static_cast<std::size_t>(i) * line_);
  }

  /// Collective: `all` becomes what all ranks report. Whether the turn is over, as rank 0 has it.
  bool tell(rank& r, const step_program& program, const turn& t, std::vector<step_word>& all) {
    const auto ranks = views_.size();
    if (ranks == 1) return all.back().whole != 0;
    // Two sides: who is through the barrier may tell of the next stage while others still read.
    step_word* const side = told_.data() + static_cast<std::size_t>(t.stages & 1) * ranks * line_;
    std::copy(all.begin(), all.end(), side + static_cast<std::size_t>(r.id()) * line_);
    r.barrier();
    const bool over = side[line_ - 1].whole != 0;
    std::copy_n(side, program.words, all.begin());
    for (std::size_t q = 1; program.words > 0 && q < ranks; ++q)
      program.join(t.stage, all.data(), side + q * line_);
    return over;
  }

  const step_graph& g_;
  std::vector<step_view> views_;
  std::vector<std::shared_ptr<const void>> weights_;  ///< [ranks x 2]
  std::vector<part> arrays_;
  std::vector<void*> places_;
  std::vector<const step_program*> programs_;
  std::size_t line_ = 1;                       ///< words of a report, and one
  std::vector<step_word> told_;                ///< [2 x ranks x line]
  std::vector<std::vector<step_word>> parts_;  ///< by rank, [pieces x line]
};

}  // namespace

std::unique_ptr<step_engine> make_cpu_steps(const step_graph& g) {
  return std::make_unique<cpu_engine>(g);
}

}  // namespace gossamer::steps_detail
