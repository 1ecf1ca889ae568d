// Compares the time that several GPUs save on the bytes of an iteration with the 3 us that
// agreement costs for each doubling of their number.
#include "algorithm/cg/ranks.hpp"

#include <cmath>

namespace gossamer::cg_detail {

std::int64_t iteration_bytes(std::int64_t rows, std::int64_t entries) {
  constexpr std::int64_t vectors = 9;  // read or written once an iteration
  return 12 * entries + (8 + 8 * vectors) * rows;
}

bool several_gpus_pay(std::int64_t bytes, int ranks) {
  constexpr double bytes_per_us = 4e6, us_per_doubling = 3;
  const double saved = static_cast<double>(bytes) / bytes_per_us * (1 - 1.0 / ranks);
  return saved > us_per_doubling * std::log2(ranks);
}

std::string why_one_gpu(const machine& m, const graph& matrix, bool single_kernel) {
  const std::int64_t bytes = iteration_bytes(matrix.vertices(), matrix.arcs());
  if (!single_kernel || several_gpus_pay(bytes, m.size())) return "";
  return "to agree takes several longer than one takes to read the " + std::to_string(bytes) +
         " bytes of an iteration";
}

}  // namespace gossamer::cg_detail
