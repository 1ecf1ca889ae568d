// One rank's vectors, whatever executes the passes over them: which there are, where they lie in
// the rank's arena, and what they take of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "algorithm/driver/array_list.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::cg_detail {

struct local_matrix;

/// x: solution; r: residual; z: preconditioned residual, r itself without Jacobi; p: direction, the
/// own part of the extended vector; q: A p.
enum class vector_name { x, r, z, p, q };

/// All but p, of own rows, in the rank's arena.
struct stored_vectors {
  std::span<double> x, r, q, best, z;

  void list(algorithm_detail::array_list& of, std::int64_t rows, bool jacobi) {
    for (auto* v : {&x, &r, &q, &best}) of.add(*v, rows);
    if (jacobi) of.add(z, rows);
  }
};

/// Own rows of each, in the rank's native memory.
struct vectors {
  double *x = nullptr, *r = nullptr, *z = nullptr, *p = nullptr, *q = nullptr;
  double* best = nullptr;  ///< the kept iterate

  /// All but p, which is `direction`, from the rank's arena; contents are undefined. capacity_error
  /// when the arena was planned with less.
  static vectors take(rank& from, std::int64_t rows, bool jacobi, double* direction);

  [[nodiscard]] double* operator[](vector_name name) const;
  /// False where z is r.
  [[nodiscard]] bool preconditioned() const { return z != r; }
};

/// Doubles of native memory where a GPU's blocks leave the partial sums of a pass: two sets of at
/// most 2048 blocks.
inline constexpr std::size_t gpu_partial_sums = 2 * std::size_t{2048};

/// What cuBLAS and cuSPARSE take of a GPU beside the matrix: a workspace and a buffer.
inline constexpr std::size_t library_workspace = std::size_t{64} << 20;

/// Bytes of its native arena that the engine of a rank on `on` takes.
std::int64_t engine_bytes(const local_matrix& part, bool jacobi, const device& on);

}  // namespace gossamer::cg_detail
