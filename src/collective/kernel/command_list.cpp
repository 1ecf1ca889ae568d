// Runs a plan's command list (command_list.hpp) on a CPU rank, and tells what cannot run as one.
#include "collective/kernel/command_list.hpp"

#include <string>

#include "collective/run/plan_state.hpp"
#include "collective/schedule/with_type.hpp"
#include "gossamer/base/atomics.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer {

namespace {

/// A CPU rank's thread: a team of one, whose waits are the rank's.
class one_thread {
 public:
  explicit one_thread(collective_plan::state& plan) : plan_(plan) {}
  [[nodiscard]] std::size_t index() const { return 0; }
  [[nodiscard]] std::size_t size() const { return 1; }
  [[nodiscard]] std::size_t from(int) const { return 0; }
  [[nodiscard]] bool sync(bool alive) const { return alive; }
  [[nodiscard]] bool end(bool alive) const { return alive; }
  void raise(const command& s, int, std::uint64_t epoch) const {
    plan_.r->raise(plan_.signals[static_cast<std::size_t>(s.signal)], s.peer, epoch);
  }
  bool await(const command* s, int n, std::uint64_t epoch) const {
    for (; n > 0; --n, ++s)
      plan_.r->wait_signal(plan_.signals[static_cast<std::size_t>(s->signal)], awaited(*s, epoch),
                           s->peer);
    return true;
  }
  void store_pair(const command& s, std::size_t j, const word_pair& words) const {
    std_atomics::store_relaxed(s.words[2 * j], words.low);
    std_atomics::store_relaxed(s.words[2 * j + 1], words.high);
    if (8 * (j + 1) >= s.bytes) plan_.r->nudge(s.peer);
  }
  [[nodiscard]] std::uint64_t source(const command& s, std::size_t j) const {
    return command_detail::load_eight(s.from, j, s.bytes);
  }
  template <int N>
  bool load_pairs(command_detail::awaited_pairs<N>& pairs, std::uint64_t tag) const {
    for (int i = 0; i < N; ++i) {
      if (pairs.at[i] == nullptr) continue;
      const auto index = static_cast<std::size_t>(pairs.at[i] - plan_.inbox.local().data());
      const int peer = pairs.step[i]->peer;
      pairs.seen[i].low = plan_.r->wait_word(plan_.inbox.table(), index, tag, peer);
      pairs.seen[i].high = plan_.r->wait_word(plan_.inbox.table(), index + 1, tag, peer);
    }
    return true;
  }

 private:
  collective_plan::state& plan_;
};

}  // namespace

void collective_plan::state::run_commands_here() {
  const one_thread team(*this);
  const auto* steps = kernel.steps + (epoch % static_cast<unsigned>(kernel.turns)) *
                                         static_cast<std::size_t>(kernel.count);
  with_type(type, [&]<class T>(T) { run_commands<T>(team, steps, kernel.count, epoch, op); });
}

kernel_obstacle obstacle_to_one_kernel(const rank& r, const algorithm_info& algorithm,
                                       const plan_detail::buffers& where) {
  if (r.size() > most_packed_ranks) return kernel_obstacle::ranks;
  if (!r.owner().all_direct()) return kernel_obstacle::indirect;
  if (algorithm.host_scratch) return kernel_obstacle::host_reduction;
  if (where.table != nullptr)
    for (const auto& part : where.table->parts)
      if (!part.direct) return kernel_obstacle::indirect;
  if (!r.dev().is_cuda()) return kernel_obstacle::none;
  const auto pageable = [](const void* data, std::size_t n) {
    return n != 0 && collective_gpu::kind_of(data) == memory_kind::host;
  };
  if (pageable(where.input, where.input_count) || pageable(where.output, where.output_count))
    return kernel_obstacle::pageable;
  return shared_kernels(r.dev()) == sharing::in_turn ? kernel_obstacle::in_turn
                                                     : kernel_obstacle::none;
}

std::string describe(kernel_obstacle why) {
  switch (why) {
    case kernel_obstacle::none:
      break;
    case kernel_obstacle::ranks:
      return "there are more than " + std::to_string(most_packed_ranks) + " ranks";
    case kernel_obstacle::indirect:
      return "not every pair of ranks can address each other's memory";
    case kernel_obstacle::host_reduction:
      return "the algorithm reduces in host memory";
    case kernel_obstacle::pageable:
      return "a buffer is in pageable host memory";
    case kernel_obstacle::in_turn:
      return "the GPU runs the kernels of its ranks in turn";
  }
  return "nothing stands in the way";
}

}  // namespace gossamer
