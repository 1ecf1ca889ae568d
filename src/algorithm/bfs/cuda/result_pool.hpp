// Parents and depths of one run, lent to results (lending_pool.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "algorithm/lending_pool.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::bfs_detail::cuda {

template <class Id>
struct result_arrays {
  buffer<Id> parents;
  buffer<std::int32_t> depths;
};

template <class Id>
class result_pool : public algorithm_detail::lending_pool<result_arrays<Id>> {
 public:
  using arrays = result_arrays<Id>;
  result_pool(const device& d, std::int64_t rows)
      : algorithm_detail::lending_pool<arrays>([d, rows] {
          return std::make_unique<arrays>(
              arrays{make_native_buffer<Id>(d, rows), make_native_buffer<std::int32_t>(d, rows)});
        }) {}
};

/// A rank's part of the result. Its arrays return to the pool when it is dropped.
template <class Id>
bfs_result::part lend_part(result_pool<Id>& pool,
                           std::unique_ptr<typename result_pool<Id>::arrays> arrays, int rank,
                           int ordinal, std::int64_t rows) {
  bfs_result::part part{rank,
                        ordinal,
                        arrays->parents.data(),
                        arrays->depths.data(),
                        rows,
                        static_cast<int>(sizeof(Id)),
                        {}};
  part.owner = pool.lend(std::move(arrays));
  return part;
}

}  // namespace gossamer::bfs_detail::cuda
