// What an engine takes of each rank's memory, declared once: the plan that users see and are
// refused by, and the arenas of a run, come from the same list.
//
//   memory_layout layout(m);
//   layout.own(r, "known labels and worklists", bytes, sure);  // taken when the search is made
//   layout.window(r, "inbox", bytes);                          // taken in a run, from an arena
//   layout.plan(options.memory).check();
//   options.run.arenas = layout.arenas();
//
// "Own" is a rank's own memory, of a GPU or of the host. Lines of no bytes vanish.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::algorithm_detail {

/// Bytes that an arena gives for `bytes`: windows and scratch begin at multiples of 256.
constexpr std::int64_t aligned(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

class memory_layout {
 public:
  /// `agreement`: bytes in each of a rank's arenas for scalars, signals and what alignment takes.
  explicit memory_layout(const machine& m, std::int64_t agreement = 0);

  /// In the rank's own memory, for as long as the search lives.
  void own(int rank, std::string purpose, std::int64_t bytes, certainty sure = certainty::exact);
  /// The same of an array that a GPU's kernels read wherever it lies (memory_kind::spread).
  void rows(int rank, std::string purpose, std::int64_t bytes, certainty sure = certainty::exact);
  /// The same in host memory.
  void host(int rank, std::string purpose, std::int64_t bytes, certainty sure = certainty::exact);
  /// In host memory, once for all ranks of this process.
  void shared(std::string purpose, std::int64_t bytes, certainty sure = certainty::exact);
  /// A window of a run, in the rank's own memory.
  void window(int rank, std::string purpose, std::int64_t bytes, certainty sure = certainty::exact);
  /// The same in host memory.
  void host_window(int rank, std::string purpose, std::int64_t bytes,
                   certainty sure = certainty::exact);
  /// Windows for signals and scalars: few bytes, which the plan shows with the tables.
  void agreement(int rank, std::int64_t own, std::int64_t host);
  /// What a placement takes, or another plan.
  void include(const memory_plan& other);

  /// Of the ranks that are here, with what a run's tables take; without limits.
  [[nodiscard]] memory_plan plan() const;
  /// The same, with the limits that `asked` bytes per device set; rows spill as place_options say.
  [[nodiscard]] memory_plan plan(std::int64_t asked, spilling spill = spilling::none) const;
  /// [ranks] of a run.
  [[nodiscard]] std::vector<arena_plan> arenas() const;

 private:
  enum class place : std::uint8_t { own, host, window, host_window };
  struct line {
    place where = place::own;
    memory_plan::entry what;
  };
  void add(place where, int rank, std::string purpose, std::int64_t bytes, certainty sure);

  const machine& machine_;
  int first_here_ = -1;
  std::vector<line> lines_;
  std::vector<std::pair<std::int64_t, std::int64_t>> agreement_;  ///< [ranks] own, host
  std::vector<memory_plan::entry> included_;
};

}  // namespace gossamer::algorithm_detail
