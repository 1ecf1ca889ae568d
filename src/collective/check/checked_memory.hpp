// Memory of the schedule checker: symbolic values, and who touched each element last.
//
// Order is judged by vector clocks, one component a rank. Local accesses carry their own rank's
// time. A put is asynchronous, so what it did counts as done only at events that prove it:
//   its write     when the target's wait for a later signal of this pair has passed there;
//   its reading   then, or when the source flushed the pair.
// Memory of both kinds is O(1) per element, reads apart.
#pragma once

#include <cstdint>
#include <vector>

#include "gossamer/collective/schedule.hpp"

namespace gossamer::checker {

using vector_clock = std::vector<std::uint32_t>;

/// Element `index` of the inputs of the ranks in `ranks`, as they were in `epoch`.
struct value {
  std::uint64_t ranks = 0;  ///< 0 = never written
  std::size_t index = 0;
  int epoch = 0;
  /// Adds the ranks of `other`; false when it is of another element or epoch, or a rank is in both.
  bool combine(const value& other) {
    if (epoch != other.epoch || index != other.index || (ranks & other.ranks) != 0) return false;
    ranks |= other.ranks;
    return true;
  }
  friend bool operator==(const value&, const value&) = default;
};

/// Who did something, and when: step -1 is the caller, between epochs.
struct access {
  int rank = -1;
  int step = 0;
  std::uint32_t time = 0;
  int put = -1;  ///< index of the put, -1 = a local access
};

struct cell {
  value now;
  access written;
  std::vector<access> read;
};

/// One rank's buffers. In place, input and output share memory.
class memory {
 public:
  memory(const schedule& s, const rank_schedule& part);
  /// Elements of a buffer.
  [[nodiscard]] std::size_t size(buffer_id in) const;
  cell& at(buffer_id in, std::size_t offset, int epoch);

 private:
  std::vector<cell> user_[2], scratch_[2];
  std::size_t input_at_ = 0, output_at_ = 0, input_size_, output_size_;
  int input_in_ = 1, output_in_ = 0;
};

/// What the operation promises for element i of rank r's output, computed from the request alone.
value expected(const collective_request& q, int rank, std::size_t i, int epoch);
std::string to_text(const value& v);

}  // namespace gossamer::checker
