// A plan's insides: made by plan.cpp, run by runner.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collective/kernel/command_list.hpp"
#include "collective/kernel/packed_hops.hpp"
#include "collective/kernel/packing.hpp"
#include "collective/run/local_work.hpp"
#include "collective/run/nccl.hpp"
#include "gossamer/collective/plan.hpp"

namespace gossamer {

/// A step with its addresses resolved, for one of the two scratch buffers.
struct action {
  /// fork: lanes go on from here; join: the plan's stream goes on when all lanes have come here.
  enum class kind : std::uint8_t {
    put,
    list,
    wait,
    host_wait,
    copy,
    fold,
    flush,
    settle,
    fork,
    join
  };
  kind what = kind::put;
  int lane = -1;  ///< index in state::lanes; -1 = the plan's stream
  int peer = -1;
  int signal = -1;
  int lag = 0;
  std::size_t list = 0;                 ///< index in state::lists
  const window_table* table = nullptr;  ///< put: where it goes, nullptr = nothing but a signal
  std::size_t offset = 0;               ///< put: in elements of that table
  std::size_t count = 0;                ///< put: in elements of that table; copy: bytes
  const void* from = nullptr;
  void* to = nullptr;
  fold_work fold;
  bool hand_back = false;  ///< fold in host memory: the result belongs elsewhere
};

/// What a modelled CPU that reduces for its device has to copy down first.
struct fetched {
  const void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
};

struct collective_plan::state {
  rank* r = nullptr;
  schedule what;
  element_type type = element_type::other;
  reduction op = reduction::sum;
  const stream* on = nullptr;
  std::vector<const stream*> lanes;  ///< beside `on`, for lanes of the steps
  event forked;                      ///< in `on`
  std::vector<event> joined;         ///< by lane
  bool cuda = false;                 ///< a GPU rank
  bool host_work = false;            ///< reductions by the CPU, in host memory
  signal_set signals;
  std::vector<put_list> lists;
  std::array<std::vector<action>, 2> actions;  ///< by parity of the epoch
  std::vector<int> readers;                    ///< peers that this rank puts to
  std::vector<fetched> fetches;                ///< charged at every start
  std::uint64_t epoch = 0;
  std::size_t next = 0;  ///< action to do next
  bool open = false;     ///< started, not yet waited for

  bool one_kernel = false;  ///< runs `kernel` instead of `actions`
  command_list kernel;
  std::unique_ptr<library_call> library;  ///< runs instead of both
  std::optional<packed_hops> hops;        ///< GPU: the same as packed hops, if it is that
  window<std::uint64_t> inbox;

  explicit state(schedule s) : what(std::move(s)) {}
  /// Does actions until one would block (`blocking` = false) or the epoch's end.
  void advance(bool blocking);
  void perform(const action& a);
  void charge_step(const action& a);
  [[nodiscard]] const stream* stream_of(const action& a) const {
    return a.lane < 0 ? on : lanes[static_cast<std::size_t>(a.lane)];
  }
  /// A CPU rank interprets `kernel` by itself.
  void run_commands_here();
  [[nodiscard]] bool would_block(const action& a) const;
};

/// Resolves every step of `part` into actions; collective over r's run (takes windows).
struct plan_places {
  plan_detail::buffers user;
  std::vector<std::size_t> offsets;  ///< of everybody's output in its window, when direct
};
void bind(collective_plan::state& plan, const rank_schedule& part, const plan_places& places);
/// The same for a plan that runs as one kernel: makes `plan.kernel`.
void bind_commands(collective_plan::state& plan, const rank_schedule& part,
                   const plan_places& places);
/// Why a rank cannot run a schedule as one kernel. Told to the others as a number, so that all
/// complain alike.
enum class kernel_obstacle : std::uint8_t {
  none,
  ranks,
  indirect,
  host_reduction,
  pageable,
  in_turn,
};
kernel_obstacle obstacle_to_one_kernel(const rank& r, const algorithm_info& algorithm,
                                       const plan_detail::buffers& where);
std::string describe(kernel_obstacle why);
/// Bytes of a rank's native arena that a plan takes to run as one kernel.
std::size_t command_bytes(const schedule& s, const rank_schedule& part);

inline constexpr std::size_t plan_alignment = 256;
constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + plan_alignment - 1) / plan_alignment * plan_alignment;
}

}  // namespace gossamer
