// Carves the vectors out of the rank's arena. Without a preconditioner z is r itself, and is not
// stored.
#include "algorithm/cg/vectors.hpp"

#include "algorithm/cg/layout.hpp"

namespace gossamer::cg_detail {

namespace {

constexpr std::size_t alignment = 256;  // the arena's: at most so much is lost before each piece

std::size_t carved(std::size_t doubles) {
  return doubles * sizeof(double) + alignment;
}

}  // namespace

vectors vectors::take(rank& from, std::int64_t rows, bool jacobi, double* direction) {
  const auto next = [&] { return from.scratch<double>(static_cast<std::size_t>(rows)).data(); };
  vectors v;
  v.x = next();
  v.r = next();
  v.q = next();
  v.best = next();
  v.z = jacobi ? next() : v.r;
  v.p = direction;
  return v;
}

std::size_t vectors::bytes(std::int64_t rows, bool jacobi) {
  return (jacobi ? 5 : 4) * carved(static_cast<std::size_t>(rows));
}

double* vectors::operator[](vector_name name) const {
  switch (name) {
    case vector_name::x:
      return x;
    case vector_name::r:
      return r;
    case vector_name::z:
      return z;
    case vector_name::p:
      return p;
    case vector_name::q:
      break;
  }
  return q;
}

std::size_t engine_bytes(const local_matrix& part, bool jacobi, const device& on) {
  return vectors::bytes(part.rows, jacobi) + (on.is_cuda() ? carved(gpu_partial_sums) : 0);
}

}  // namespace gossamer::cg_detail
