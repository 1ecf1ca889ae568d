// What can be asked of an algorithm: its engines and its options, as tables that are declared once.
// Checks, keys of kept searches, what processes agree on, bindings, and the command line with its
// reference are all made from them.
//
// An engine is asked for by name, and with values of its own options behind it:
//
//   sssp_options options;
//   options.engine = "async:balance=steal,priority=none";
//
// The same options are members of `sssp_options`, for programs in C++.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gossamer {

/// As users give it: nothing, yes or no, a whole number, a number, a name.
using option_value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

enum class option_type : std::uint8_t { flag, integer, number, name };

struct option_info {
  std::string name;  ///< as in Python; a command has dashes in place of underscores
  option_type type = option_type::name;
  bool optional = false;                        ///< may be nothing
  option_value standard = {};                   ///< when it is not given
  std::vector<std::string> choices = {};        ///< of a name; empty: any
  std::optional<double> least = {}, most = {};  ///< of a number, both included
  std::string unit = {};                        ///< empty: none
  std::string meaning = {};                     ///< one sentence, without a full stop
  std::vector<std::string> engines = {};        ///< whose option it is; empty: every engine's
  std::vector<std::string> cpus_only = {};      ///< of these, those that lack it on GPUs
};

struct engine_info {
  std::string name;
  std::string meaning = {};        ///< what it is, one sentence without a full stop
  std::string chosen = {};         ///< when `auto` takes it; empty: never
  bool cpus = true;                ///< runs on CPU ranks and modelled ones
  bool gpus = true;                ///< on GPUs of one process
  bool mixed = false;              ///< on CPU ranks and GPUs together
  bool gpus_of_processes = false;  ///< on GPUs of MPI processes
};

struct algorithm_table {
  std::string name;  ///< of the function, the command and the folder
  std::vector<engine_info> engines;
  std::vector<option_info> options;
};

/// All that have engines to choose from, in the order of their names.
const std::vector<algorithm_table>& algorithms();

/// The options of one of them, such as bfs_options, with the named values, and everything else as
/// it is by default. usage_error for a name that there is not, and for a value of another type.
template <class Options>
Options options_from(std::span<const std::pair<std::string, option_value>> named);

}  // namespace gossamer
