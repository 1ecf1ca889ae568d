// Filter: the elements of an array that a predicate keeps, over every rank of a machine.
//
// Paper C's example (predicate-based filtering): the array lies in rank 0's host memory and may be
// larger than any device's. It is sent through a router in segments, each to the first rank with a
// free buffer, so that faster ranks get more of it; results come back through a second router, or
// stay where they are. The static split beside it gives every rank the same number of elements.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/shared_array.hpp"
#include "gossamer/dataflow/wiring.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// Keeps x when low <= x <= high, or, with `outside`, all others. NaN lies outside every interval.
template <class T>
struct filter_interval {
  T low{}, high{};
  bool outside = false;
  [[nodiscard]] bool operator()(T x) const noexcept { return (low <= x && x <= high) != outside; }
};

/// "<V", "<=V", ">V", ">=V", "==V", "!=V" or "A..B" (both ends kept). As NumPy's comparisons have
/// it, NaN is kept by "!=V" alone. Throws usage_error with the text on anything else.
template <class T>
filter_interval<T> parse_filter(std::string_view text);

/// What else may decide: copies what it keeps of `in` to `out`, which has room for all, in order;
/// returns how many. Called on every rank's own thread, for a piece of a segment at a time.
template <class T>
using filter_function = std::function<std::size_t(std::span<const T> in, std::span<T> out)>;

enum class filter_split : std::uint8_t {
  first_available,  ///< segments go to whoever has a free buffer
  even,             ///< equal numbers of elements, fixed before (the paper's static schedule)
};

struct filter_options {
  filter_split split = filter_split::first_available;
  bool gather = true;  ///< false: results stay on the ranks that found them
  /// Bytes of a segment. 0 = lane_packet, but at most a 128th of a rank's even share (and at least
  /// 16 KiB), since all wait for the last segment of the slowest rank.
  std::size_t packet = 0;
  /// Of each link; 0 = 8, on modelled machines 3. Rank 0 feeds the others between pieces of its own
  /// work, and may lose its core for milliseconds.
  int buffers = 0;
  /// By rank, at least 1: its work takes so many times as long. For experiments with unequal ranks;
  /// empty = all alike.
  std::vector<double> slowdown;
  std::int64_t memory = 0;  ///< bytes per device, 0 = configuration / device
  run_options run;
};

/// What one rank did.
struct filter_share {
  std::int64_t segments = 0, elements = 0, matched = 0;
  double busy = 0;   ///< s in the predicate, slowdown included
  double ended = 0;  ///< s from the beginning until its last segment was done
};

/// Elements kept of one segment of the input.
struct filter_piece {
  std::int64_t input = 0;   ///< first element of the segment in the input
  std::int64_t begin = 0;   ///< where its kept elements begin in `values` or in the block
  std::int64_t length = 0;  ///< how many
  int block = -1;           ///< of filter_part::blocks; -1: in `values`
};

/// A GPU rank's results stay in its memory as far as there is room, else in `values`.
template <class T>
struct filter_part {
  std::vector<T> values;             ///< in the order in which segments came
  std::vector<filter_piece> pieces;  ///< in the same order
  /// Of a GPU's memory; copies of the part share them.
  std::vector<std::shared_ptr<const buffer<T>>> blocks;
  /// A copy of all pieces, one behind the other.
  [[nodiscard]] std::vector<T> to_host() const;
};

template <class T>
struct filter_result {
  /// What was kept, in the input's order; in the process of rank 0. Empty when not gathered.
  shared_array<T> values;
  /// By rank, when not gathered; of other processes' ranks empty.
  std::vector<filter_part<T>> parts;
  std::int64_t matched = 0;  ///< on all ranks
  double milliseconds = 0;   ///< first send to last result; slowest rank
  /// What it would be if every rank worked without pause until the end: elements over the sum of
  /// the ranks' own rates (elements / busy).
  double ideal_milliseconds = 0;
  std::size_t packet = 0;  ///< bytes, as used
  std::vector<filter_share> shares;
};

/// T: int32, int64, float, double. `input` is read on rank 0; other processes give one of the same
/// size, with any contents. GPU ranks take intervals, which they select by a kernel: a function on
/// a machine with a GPU throws usage_error, and so do options out of range. GPUs of MPI processes
/// throw not_compiled; capacity_error comes with the plan.
template <class T>
filter_result<T> filter(machine& m, std::span<const T> input, const filter_function<T>& keep,
                        const filter_options& options = {});
template <class T>
filter_result<T> filter(machine& m, std::span<const T> input, const filter_interval<T>& keep,
                        const filter_options& options = {});

/// What filter takes on each rank for n elements of `element` bytes; results are upper bounds.
memory_plan plan_filter(const machine& m, std::int64_t n, std::size_t element,
                        const filter_options& options = {});
/// The graph of endpoints that filter makes for so many elements.
dataflow::wiring filter_wiring(const machine& m, std::int64_t n, std::size_t element,
                               const filter_options& options = {});

struct filter_verification {
  bool ok = true;
  std::string reason;  ///< the first difference, in words
};
/// Compares with a sequential pass over the input; gathered results, and parts in any order.
template <class T>
filter_verification verify_filter(std::span<const T> input, const filter_interval<T>& keep,
                                  const filter_result<T>& result);

}  // namespace gossamer
