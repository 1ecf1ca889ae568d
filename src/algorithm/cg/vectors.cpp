// Carves the vectors out of the rank's arena. Without a preconditioner z is r itself, and is not
// stored.
#include "algorithm/cg/vectors.hpp"

#include "algorithm/cg/layout.hpp"

namespace gossamer::cg_detail {

vectors vectors::take(rank& from, std::int64_t rows, bool jacobi, double* direction) {
  algorithm_detail::array_list taken(from);
  stored_vectors of;
  of.list(taken, rows, jacobi);
  return {of.x.data(), of.r.data(), jacobi ? of.z.data() : of.r.data(),
          direction,   of.q.data(), of.best.data()};
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

std::int64_t engine_bytes(const local_matrix& part, bool jacobi, const device& on) {
  using algorithm_detail::aligned;
  constexpr auto sums = static_cast<std::int64_t>(gpu_partial_sums * sizeof(double));
  return algorithm_detail::counted<stored_vectors>(part.rows, jacobi).window +
         (on.is_cuda() ? aligned(sums) : 0);
}

}  // namespace gossamer::cg_detail
