// schedule: a collective operation as data - what each rank puts where, after which signals.
//
// A schedule says everything about a collective except on what fabric it runs: it can be printed
// (text, JSON), checked without running it (check.hpp), run on a fabric (plan.hpp), and replayed
// without payload by a model. One rank's part is made from arithmetic alone, in O(its steps + p)
// memory, so schedules of thousands of ranks cost nothing until a part is asked for.
//
// Meaning of a part: its steps run in order, once per epoch (1, 2, 3, …), in any number of epochs
// back to back with no barrier between them.
//   put     copies `count` elements from `from` here to `to` at `peer`, then, when `signal` >= 0,
//           raises that counter of the peer to the epoch. Asynchronous: the source is being read
//           until a flush of that peer, the end of the epoch, or until the peer is known to have
//           seen the signal. Puts of one pair arrive before a signal that follows them.
//   wait    until the own counter `signal` is >= epoch - lag. Each counter has one writer.
//   copy    `count` elements from `from` to `to`, both here.
//   reduce  to[i] = x_0[i] + x_1[i] + … + x_(parts-1)[i], from left to right, where operand k is
//           `own` when k == own_part and `from` + k * stride otherwise. `to` may be an operand.
//   flush   completes the puts to `peer`.
// The end of an epoch completes all puts of the rank. Between two epochs the caller reads output
// and writes input.
//
// Buffers: `input` and `output` are the caller's; `scratch` is the plan's and exists twice, used by
// odd and even epochs. Others write only scratch, and output when the request says `direct`. Flow
// control is part of the data. Where the next epoch's puts could overtake a slow reader, the reader
// grants credit by an empty put and the writer waits for it (lag 2 for the rotating scratch, lag 0
// for direct output).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer {

enum class collective_op : std::uint8_t {
  broadcast,       ///< root's input (count) to every output (count)
  scatter,         ///< block r of root's input to rank r's output
  gather,          ///< rank r's input to block r of root's output
  reduce,          ///< the reduction of all inputs (count) to root's output
  allgather,       ///< rank r's input to block r of every output
  allreduce,       ///< the reduction of all inputs (count) to every output
  reduce_scatter,  ///< block r of the reduction of all inputs to rank r's output
  all_to_all,      ///< block j of rank i's input to block i of rank j's output
  all_to_all_v,    ///< the same with a count for every pair
  barrier,         ///< nobody leaves before all have entered
};
inline constexpr int collective_ops = 10;
/// "broadcast", …; the parser throws usage_error and lists the names.
std::string_view name_of(collective_op op) noexcept;
collective_op parse_collective_op(std::string_view name);

/// What is asked for. All counts are in elements.
struct collective_request {
  collective_op op = collective_op::barrier;
  int ranks = 1;
  int root = 0;           ///< broadcast, scatter, gather, reduce
  std::size_t count = 0;  ///< elements in all (broadcast, reduce, allreduce) or in each block
  /// Blocks of different sizes, one per rank (scatter, gather, allgather, reduce_scatter); empty =
  /// `count` each. all_to_all_v uses pair_count only.
  std::vector<std::size_t> counts;
  /// all_to_all_v: elements from one rank to another; blocks lie in rank order without gaps.
  std::function<std::size_t(int from, int to)> pair_count;
  std::size_t element = 1;  ///< bytes per element
  /// Input and output are one: broadcast, reduce (root), allreduce and all_to_all(_v): the same
  /// range; allgather, gather (root): input is the own block of output; scatter (root),
  /// reduce_scatter: output is the own block of input.
  bool in_place = false;
  /// Others write straight into `output`, which every rank holds in symmetric memory. Not for
  /// all_to_all(_v) in place.
  bool direct = false;
  /// Positions in patterns: rank mapping[v] takes position v (root's position rotates to 0); a
  /// permutation, empty = identity. The result is the same, who talks to whom changes.
  std::vector<int> mapping;
  /// Everything goes through host memory: inputs are copied into scratch there first, and results
  /// out of it last. Others write only scratch. For memory that networks read slowly.
  bool via_host = false;
  /// The caller keeps epochs apart: nobody starts one before all have done with the output of the
  /// one before. Then outputs written by others need no credit.
  bool apart = false;
  /// Pieces of pipelined algorithms (`ring` of broadcast and reduce, `relay`); 0 = chosen from the
  /// size.
  int segments = 0;
  /// Every step is a call of a GPU's host, at a few microseconds each, so `relay` takes fewer
  /// pieces.
  bool by_calls = false;
  /// Kernels of GPUs that address each other run it, and packed transfers that make one hop or two
  /// may have so many bytes (collective/kernel/packing.hpp).
  std::size_t longest_hop = 0;
};

enum class buffer_id : std::uint8_t { input, output, scratch };
/// A place in a buffer of one rank, in elements.
struct buffer_place {
  buffer_id in = buffer_id::input;
  std::size_t offset = 0;
  friend bool operator==(const buffer_place&, const buffer_place&) = default;
};

enum class step_kind : std::uint8_t { put, wait, copy, reduce, flush };
struct step {
  step_kind kind = step_kind::put;
  int peer = -1;    ///< put, flush: target; wait: who raises
  int signal = -1;  ///< index of a counter: the peer's (put, -1 = none) or the own one (wait)
  int lag = 0;      ///< wait: how many epochs behind the counter may be
  int round = 0;    ///< round of the pattern; credits have -1
  int chain = -1;   ///< puts of one chain follow each other and may be started by one command
  /// Steps of different lanes of a rank touch no common memory, and the puts of a lane are told by
  /// its own signals. So lanes may run side by side. Waits without a lane hold for all of them. -1
  /// = no lane.
  int lane = -1;
  buffer_place from;
  buffer_place to;
  std::size_t count = 0;
  // reduce only
  buffer_place own;
  int own_part = -1;  ///< which operand is `own`; -1 = none
  int parts = 0;
  std::size_t stride = 0;
};

/// One rank's part.
struct rank_schedule {
  int rank = 0;
  std::size_t scratch = 0;  ///< elements of ONE of the two scratch buffers
  int signals = 0;          ///< counters; the same on every rank
  std::vector<step> steps;
};

/// What is known about an algorithm without making a schedule.
struct algorithm_info {
  collective_op op;
  std::string_view name;
  std::string_view summary;  ///< one line, with its cost
  /// Floats: every rank gets the same bits. (A run repeats bit for bit with every algorithm.)
  bool same_bits = true;
  bool host_scratch = false;  ///< scratch and reductions live in host memory on every rank
  /// Long messages go in so many pieces that the cost of a step decides: best as one kernel.
  bool many_pieces = false;
};
/// Every algorithm of steps, grouped by operation; the first of each is a plain one.
std::span<const algorithm_info> collective_algorithms();
/// Those that a library runs on the GPUs of one process (`nccl`). Rules and plans take their names,
/// too, but a schedule of one has no parts. Defaults name one only among more than two GPUs.
std::span<const algorithm_info> library_algorithms();

class schedule {
 public:
  /// Throws usage_error: unknown algorithm (the message lists the names), a root or mapping that
  /// does not fit, counts of the wrong length.
  schedule(collective_request request, std::string_view algorithm);
  [[nodiscard]] const collective_request& request() const noexcept;
  [[nodiscard]] const algorithm_info& algorithm() const noexcept;
  [[nodiscard]] int ranks() const noexcept { return request().ranks; }
  /// Scratch and reductions live in host memory on every rank.
  [[nodiscard]] bool host_scratch() const noexcept {
    return algorithm().host_scratch || request().via_host;
  }
  /// Elements of a rank's buffers (output of a rank that receives nothing: 0).
  [[nodiscard]] std::size_t input_size(int rank) const;
  [[nodiscard]] std::size_t output_size(int rank) const;
  /// Where input begins inside output, or output inside input, when the request is in place.
  [[nodiscard]] std::size_t in_place_offset(int rank) const;
  /// usage_error for an algorithm that a library runs.
  [[nodiscard]] rank_schedule of(int rank) const;
  /// "allreduce ring: 4 ranks, 16 elements of 8 bytes" and one line a step, rank by rank.
  [[nodiscard]] std::string text() const;
  /// One object: the request, and "parts" with every step.
  [[nodiscard]] std::string json() const;

  struct state;  ///< opaque

 private:
  std::shared_ptr<const state> state_;
};

/// One step as in schedule::text().
std::string to_text(const step& s);

}  // namespace gossamer
