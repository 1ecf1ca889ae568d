// rules: which algorithm runs at which size, as text that people read, write and compare.
//
//   allreduce:0-4k:@one_shot,4k-inf:@ring; broadcast:0-inf:@binomial
//
// An operation, then ranges of message size [from, to) without gaps from 0 to inf, each with the
// algorithm for it. Operations are separated by `;` or line ends, `#` starts a comment, sizes take
// k, m, g (powers of 1024). The message size is the bytes of `count` elements: the vector of
// broadcast, reduce and allreduce, else the largest block of one rank.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {

class machine;

/// Whether plans leave an operation to a modelled system's own software, where the description says
/// what that does (model::system::collectives). They do not if GOSSAMER_COLLECTIVES is given, or if
/// the file that `gossamer tune` wrote for the machine names the operation.
bool left_to_system(const machine& m, collective_op op);

class selection_rules {
 public:
  /// One range of an operation: from the end of the one before to `end`.
  struct range {
    std::size_t end;  ///< exclusive; no_end for the last
    std::string algorithm;
    friend bool operator==(const range&, const range&) = default;
  };
  static constexpr std::size_t no_end = static_cast<std::size_t>(-1);

  /// Compiled in, one rule per operation.
  static const selection_rules& defaults();
  /// Throws usage_error "SOURCE:LINE:COLUMN: what was expected, what is there".
  static selection_rules parse(std::string_view text, std::string_view source = "rules");
  /// Parses a file; input_error when it cannot be read.
  static selection_rules read(const std::string& path);
  /// What holds on a machine, each replacing the ones before: the defaults; the file that `gossamer
  /// tune` wrote for it; GOSSAMER_COLLECTIVES (rules, or the name of a file with rules). A few GPUs
  /// that address each other have defaults of their own. With `libraries`, more than two of them
  /// leave long vectors to NCCL where it is there.
  static selection_rules of(const machine& m, bool libraries = true);
  /// Where `of` looks for a tuned file: $XDG_CONFIG_HOME/gossamer/collectives/SPEC.rules; for P
  /// MPI processes of T threads SPEC is mpi_PxT.
  static std::string file_of(const machine& m);

  /// parse(text()) == *this; one line per operation.
  [[nodiscard]] std::string text() const;
  /// The algorithm for a message of `bytes`; empty when no rule names the operation.
  [[nodiscard]] std::string_view algorithm(collective_op op, std::size_t bytes) const;
  /// Replaces an operation's ranges; usage_error unless they rise and end at no_end.
  void set(collective_op op, std::vector<range> ranges);
  /// Takes over the operations that `over` has.
  void override_with(const selection_rules& over);
  friend bool operator==(const selection_rules&, const selection_rules&) = default;

 private:
  std::vector<range> ranges_[collective_ops];
};

}  // namespace gossamer
