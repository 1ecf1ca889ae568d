// Parents and depths of one run, lent to results and taken back for later runs.
//
// The pool outlives the engine: every lent pair of arrays holds a reference to it. Arrays that come
// back after the engine has gone, or while enough lie ready, are freed at once.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::bfs_detail::cuda {

template <class Id>
class result_pool : public std::enable_shared_from_this<result_pool<Id>> {
 public:
  struct arrays {
    buffer<Id> parents;
    buffer<std::int32_t> depths;
  };

  /// Takes the memory of one run now.
  result_pool(const device& d, std::int64_t rows) : device_(d), rows_(rows) {
    idle_.reserve(kept);
    idle_.push_back(fresh());
  }

  /// Recycled arrays, or new ones when results of earlier runs are still held.
  std::unique_ptr<arrays> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    return fresh();
  }

  /// Shared ownership of `a` that ends in this pool.
  std::shared_ptr<arrays> lend(std::unique_ptr<arrays> a) {
    return std::shared_ptr<arrays>(a.release(), [pool = this->shared_from_this()](arrays* back) {
      pool->give(std::unique_ptr<arrays>(back));
    });
  }

  /// The engine is going: nothing is kept from now on.
  void close() noexcept {
    std::vector<std::unique_ptr<arrays>> last;
    const std::lock_guard lock(mutex_);
    open_ = false;
    last.swap(idle_);
  }

 private:
  static constexpr std::size_t kept = 2;

  std::unique_ptr<arrays> fresh() const {
    return std::make_unique<arrays>(arrays{make_native_buffer<Id>(device_, rows_),
                                           make_native_buffer<std::int32_t>(device_, rows_)});
  }
  void give(std::unique_ptr<arrays> back) noexcept {
    const std::lock_guard lock(mutex_);
    if (open_ && idle_.size() < kept) idle_.push_back(std::move(back));
  }

  const device device_;
  const std::int64_t rows_;
  std::mutex mutex_;
  bool open_ = true;
  std::vector<std::unique_ptr<arrays>> idle_;
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
