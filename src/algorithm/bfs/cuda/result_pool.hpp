// Parents and depths of one run, lent to results (result_blocks.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "algorithm/driver/result_blocks.hpp"
#include "gossamer/algorithm/bfs.hpp"

namespace gossamer::bfs_detail::cuda {

/// None: as it is made, and when it was lent.
template <class Id>
class result_arrays {
 public:
  using block = algorithm_detail::result_blocks::block;
  [[nodiscard]] bool none() const { return parents_ == nullptr; }
  [[nodiscard]] Id* parents() const { return algorithm_detail::values_in<Id>(parents_); }
  [[nodiscard]] std::int32_t* depths() const {
    return algorithm_detail::values_in<std::int32_t>(depths_);
  }

 private:
  template <class>
  friend class result_pool;
  block parents_, depths_;
};

template <class Id>
class result_pool {
 public:
  using arrays = result_arrays<Id>;
  result_pool() = default;
  result_pool(const device& on, int rank, std::int64_t rows)
      : parents_(on, rank, rows, sizeof(Id), sizeof(Id) == sizeof(std::int32_t) ? 2 : 1),
        depths_(on, rank, rows, sizeof(std::int32_t)),
        ordinal_(on.ordinal),
        rank_(rank),
        rows_(rows) {}

  [[nodiscard]] arrays take() const {
    arrays a;
    a.parents_ = parents_.take();
    a.depths_ = depths_.take();
    return a;
  }
  /// A rank's part of the result. Its arrays return to the pool when it is dropped.
  [[nodiscard]] bfs_result::part lend(arrays& a) const {
    using memory = std::shared_ptr<algorithm_detail::result_blocks::memory>;
    bfs_result::part part{
        rank_, ordinal_, a.parents(), a.depths(), rows_, static_cast<int>(sizeof(Id)), {}};
    part.owner = std::make_shared<std::pair<memory, memory>>(parents_.lend(std::move(a.parents_)),
                                                             depths_.lend(std::move(a.depths_)));
    return part;
  }

 private:
  algorithm_detail::result_blocks parents_, depths_;
  int ordinal_ = 0, rank_ = 0;
  std::int64_t rows_ = 0;
};

}  // namespace gossamer::bfs_detail::cuda
