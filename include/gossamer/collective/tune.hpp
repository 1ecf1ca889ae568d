// The tuner: measures every algorithm on a machine and writes the rules that choose the fastest.
//
// Sizes are powers of 8 from 8 bytes on. For each operation and size, every algorithm that gives
// all ranks the same bits is planned as a user would, with both buffers in the rank's own memory.
// It is started many times in a row; the time of one start is the slowest rank's, best of several
// rounds. Measured sizes decide for the range around them (borders in the geometric middle). The
// algorithm of the size below is kept unless another is at least 5 % faster, which keeps noise out
// of the rules.
//
// What takes more of the host than host_memory_limit() is refused: capacity_error.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/collective/rules.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer {

struct tune_measurement {
  collective_op op;
  std::string algorithm;
  std::size_t bytes;  ///< message size as in rules
  double seconds;     ///< of one start and wait
};

struct tune_options {
  std::vector<collective_op> ops;                  ///< empty = all
  std::size_t max_bytes = std::size_t{16} << 20;   ///< largest message
  std::size_t arena_limit = std::size_t{2} << 30;  ///< per rank; what needs more is not measured
  double seconds_per_case = 2e-3;                  ///< about how long one round of one case lasts
  int rounds = 3;
  /// Called after each measurement.
  std::function<void(const tune_measurement&)> progress;
  run_options run;  ///< deadline and cancellation; arenas are the tuner's
};

/// One case, measured as the tuner does: `bytes` are those of rules, rounded down to whole numbers
/// of 8. `algorithm` empty: the one that the rules in effect choose. usage_error for an algorithm
/// that the operation does not have.
tune_measurement measure_collective(machine& m, collective_op op, std::size_t bytes,
                                    std::string_view algorithm, const tune_options& options = {});

/// What such a case brings, on the machine itself: every element of every rank's output against the
/// operation's definition, in two runs with different inputs. Empty, or the first that is wrong.
/// Collective where ranks are processes. Errors as those of measure_collective().
std::string verify_collective(machine& m, collective_op op, std::size_t bytes,
                              std::string_view algorithm, const tune_options& options = {});

struct tune_result {
  selection_rules rules;  ///< of the operations asked for
  std::vector<tune_measurement> measured;
  /// The rules as a file, with machine and measurements as comments.
  [[nodiscard]] std::string text(const machine& m) const;
};

/// usage_error when max_bytes is 0.
tune_result tune(machine& m, const tune_options& options = {});

}  // namespace gossamer
