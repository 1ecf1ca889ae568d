// One rank's side of a compiled program, on a CPU (worklist.cpp) or a GPU (cuda/rounds.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gossamer/algorithm/compiled_program.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::program_detail {

/// The graph's rows as they lie in host memory, weights converted to the program's type.
template <class Id>
struct program_rows {
  std::int64_t vertices;
  const edge_offset* offsets;
  const Id* columns;
  const void* weights;  ///< null: the expression has none
};

/// What a rank brings back.
struct program_outcome {
  worklist_counters work;
  std::int64_t arcs = 0, rounds = 0;
  double seconds = 0, exchange = 0, agree = 0;
};

template <class Key>
class program_rank {
 public:
  virtual ~program_rank() = default;
  /// Collective. `initial`: [vertices]; fills the own rows of `keys` [vertices].
  virtual program_outcome run(rank& r, const Key* initial, std::span<const std::int64_t> active,
                              Key* keys) = 0;
};

/// `first`: [ranks + 1] row ranges, which must live as long.
template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_worklist(const compiled_program& program,
                                                 const program_rows<Id>& rows,
                                                 const std::vector<std::int64_t>& first, int self,
                                                 double delta);
/// In cuda, else absent: not_compiled. Uploads the own rows.
template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_rounds(const device& on, const compiled_program& program,
                                               const program_rows<Id>& rows,
                                               const std::vector<std::int64_t>& first, int self);

/// What they take of a rank, in bytes.
struct program_bytes {
  std::int64_t rows = 0;     ///< of a GPU
  std::int64_t work = 0;     ///< of a CPU rank: known values and lists
  std::int64_t windows = 0;  ///< in the native arena
};
program_bytes worklist_bytes(const std::vector<std::int64_t>& first, int self, int id_width,
                             int key_bytes);
program_bytes rounds_bytes(std::int64_t rows, std::int64_t arcs, int key_bytes, bool weighted);

}  // namespace gossamer::program_detail
