// Makes a plan's command list (command_list.hpp): takes what it needs of the arena, decides how
// many threads the team has, and puts the steps of all turns (turn_steps.hpp) one behind the other.
#include "collective/kernel/command_list.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "collective/kernel/turn_steps.hpp"
#include "collective/run/plan_state.hpp"
#include "collective/schedule/slices.hpp"

namespace gossamer {

namespace {

using kind = command::kind;

/// Threads of a block.
constexpr int most_threads = 1024;
class command_binder {
 public:
  command_binder(collective_plan::state& plan, const rank_schedule& part, const plan_places& places)
      : plan_(plan), from_(plan, part, places) {
    auto& r = *plan.r;
    for (int i = 0; i < r.size(); ++i) from_.parts.push_back(plan.what.of(i));
    from_.scratch = r.make_window<std::byte>(2 * rounded(bytes_for(part.scratch, from_.element)));
    from_.slices = slices_of(r.owner(), plan.what, from_.parts, from_.packed);
    plan.signals = r.make_signals(static_cast<std::size_t>(std::max(part.signals, 1)) *
                                  static_cast<std::size_t>(from_.slices));
    // Counters, because these are zero before anyone can write to them.
    plan.inbox = window<std::uint64_t>(
        &r.make_signals(static_cast<std::size_t>(from_.packed.turns()) * from_.packed.words(r.id()))
             .table());
  }

  void run() {
    auto& r = *plan_.r;
    auto& k = plan_.kernel;
    const auto all = bound();
    k.slices = from_.slices;
    k.turns = from_.packed.turns();
    k.count = static_cast<int>(all.size()) / k.turns;
    k.signals = plan_.signals.table().id;
    k.inbox = plan_.inbox.table().id;
    const auto steps = r.scratch<command>(all.size());
    if (!all.empty()) copy_bytes(steps.data(), all.data(), steps.size_bytes());
    k.steps = steps.data();
    if (!plan_.cuda) return;
    k.blocks = from_.slices > 1 ? from_.slices : blocks(all);
    k.threads = k.blocks > 1 ? most_threads : threads(all);
    k.epoch = zeroed<std::uint64_t>(1);
    k.arrivals = zeroed<std::uint32_t>(all.size());
    k.barrier = zeroed<std::uint32_t>(2);
    if (from_.slices == 1) plan_.hops = as_packed_hops(k, all, from_.element);
    r.synchronize();
  }

 private:
  /// The steps of all turns.
  [[nodiscard]] std::vector<command> bound() const {
    std::vector<std::vector<command>> turns;
    std::size_t longest = 0;
    for (int turn = 0; turn < from_.packed.turns(); ++turn) {
      turns.push_back(steps_of_turn(from_, turn));
      longest = std::max(longest, turns.back().size());
    }
    std::vector<command> all;
    for (auto& steps : turns) {
      steps.resize(longest);
      all.insert(all.end(), steps.begin(), steps.end());
    }
    return all;
  }

  template <class T>
  T* zeroed(std::size_t n) {
    const auto words = plan_.r->scratch<T>(n);
    plan_.r->fill(words.data(), 0, words.size_bytes());
    return words.data();
  }

  [[nodiscard]] int blocks(const std::vector<command>& steps) const {
    std::size_t most = 0;
    for (const auto& s : steps) most = std::max({most, s.bytes, fold_bytes(s)});
    return blocks_for(most, plan_.r->dev().share);
  }
  /// Of one block: a thread for each pair of words that may be in flight together, because barriers
  /// of few warps are cheaper, and polling costs a trip a pair.
  [[nodiscard]] int threads(const std::vector<command>& steps) const {
    std::size_t most = 32, together = 0;
    kind before = kind::wait;
    for (const auto& s : steps) {
      const bool packed = s.what == kind::pack || s.what == kind::unpack;
      if (s.what != before) together = 0;
      if (packed) together += ((s.bytes + 7) / 8 + 31) / 32 * 32;
      most =
          std::max({most, together, packed ? 0 : s.bytes / 16, s.fold.count * from_.element / 8});
      before = s.what;
    }
    return static_cast<int>(std::bit_ceil(std::min<std::size_t>(most, most_threads)));
  }
  [[nodiscard]] std::size_t fold_bytes(const command& s) const {
    return s.what == kind::fold || s.what == kind::fold_packed ? s.fold.count * from_.element : 0;
  }

  collective_plan::state& plan_;
  command_source from_;
};

}  // namespace

void bind_commands(collective_plan::state& plan, const rank_schedule& part,
                   const plan_places& places) {
  command_binder(plan, part, places).run();
}

}  // namespace gossamer
