// Result arrays of CPU engines, which return to their engine when the result is dropped, so that a
// second source touches no new page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::bfs_detail {

/// Parents and depths of one run.
template <class Id>
struct result_arrays {
  shared_array<Id> parents;
  shared_array<std::int32_t> depths;
};

/// Result arrays that nobody uses at the moment. One pair is kept; results may outlive the engine.
template <class Id>
class result_pool {
 public:
  explicit result_pool(std::size_t rows) : shelf_(std::make_shared<shelf>()) {
    shelf_->rows = rows;
    give_back(*shelf_, {make_array<Id>(rows), make_array<std::int32_t>(rows)});
  }
  result_arrays<Id> take() {
    std::lock_guard lock(shelf_->mutex);
    if (shelf_->kept.empty()) {
      return {make_array<Id>(shelf_->rows), make_array<std::int32_t>(shelf_->rows)};
    }
    auto arrays = std::move(shelf_->kept.back());
    shelf_->kept.pop_back();
    return arrays;
  }
  /// An owner for `arrays` whose end brings them back.
  std::shared_ptr<void> lend(result_arrays<Id> arrays) {
    auto* held = new result_arrays<Id>(std::move(arrays));
    return {static_cast<void*>(held), [shelf = shelf_, held](void*) {
              give_back(*shelf, std::move(*held));
              delete held;
            }};
  }

 private:
  struct shelf {
    std::mutex mutex;
    std::size_t rows = 0;
    std::vector<result_arrays<Id>> kept;
  };
  static void give_back(shelf& s, result_arrays<Id> arrays) {
    std::lock_guard lock(s.mutex);
    if (s.kept.empty()) s.kept.push_back(std::move(arrays));
  }
  std::shared_ptr<shelf> shelf_;
};

/// Before a search: nothing found but `source` (local index; -1 = another rank's), its own parent
/// by placed id.
template <class Id>
void begin_result(result_arrays<Id>& result, std::int64_t rows, std::int64_t source, Id placed) {
  std::fill_n(result.parents.data(), rows, Id{-1});
  std::fill_n(result.depths.data(), rows, -1);
  if (source < 0) return;
  result.parents[source] = placed;
  result.depths[source] = 0;
}

/// After a search: a rank's part of the result. Its arrays return to the pool when it is dropped.
template <class Id>
bfs_result::part lend_part(result_pool<Id>& pool, result_arrays<Id>& result, int rank,
                           std::int64_t rows) {
  bfs_result::part part{
      rank, -1, result.parents.data(), result.depths.data(), rows, static_cast<int>(sizeof(Id)),
      {}};
  part.owner = pool.lend(std::exchange(result, {}));
  return part;
}

}  // namespace gossamer::bfs_detail
