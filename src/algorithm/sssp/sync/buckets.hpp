// Buckets of width delta that are used round and round: what waits is never further ahead than the
// largest weight, so that a fixed number of them is enough.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "algorithm/sssp/sync/counted_vector.hpp"
#include "algorithm/sssp/sync/open_list.hpp"
#include "algorithm/sssp/weights.hpp"

namespace gossamer::sssp_detail {

/// A vertex and the distance that it was queued with: when that is no longer the vertex's, a
/// shorter path has been queued since, and this entry is dropped unread.
template <class Id, class Distance>
struct bucket_entry {
  Distance distance;
  Id vertex;
};

/// Which bucket a distance belongs to, and how many are needed.
struct bucket_width {
  double inverse = 1;
  std::int64_t count = 4;  ///< power of two
  int shift = -1;          ///< log2 of a width that is a power of two, 1 or more; else -1

  bucket_width() = default;
  /// A sum rounded to a float exceeds the exact one by less than the weight, hence the 2.
  bucket_width(double delta, double largest)
      : inverse(1 / delta),
        count(static_cast<std::int64_t>(
            std::bit_ceil(static_cast<std::uint64_t>(std::max(1.0, 2 * largest * inverse + 3))))) {
    int exponent = 0;
    if (delta >= 1 && delta < 0x1p31 && std::frexp(delta, &exponent) == 0.5) shift = exponent - 1;
  }
  /// Smallest delta that buckets are made for.
  static double smallest(double largest) { return largest / (1 << 16); }

  template <class Distance>
  [[nodiscard]] std::int64_t of(Distance d) const {
    if constexpr (std::is_integral_v<Distance>)
      if (shift >= 0) return static_cast<std::int64_t>(d >> shift);
    return static_cast<std::int64_t>(static_cast<double>(d) * inverse);
  }
};

template <class Id, class Distance>
class buckets {
 public:
  using entry = bucket_entry<Id, Distance>;
  using list = algorithm_detail::open_list<entry>;

  explicit buckets(bucket_width width)
      : width_(width), lists_(static_cast<std::size_t>(width.count)) {}

  void push(Distance d, Id v) { push_if(true, d, v); }
  /// The same where `shorter`, else nothing, without a branch: whether an arc shortens a distance
  /// cannot be predicted, and a wrong guess costs as much as an arc. (So does a call.)
  [[gnu::always_inline]] void push_if(bool shorter, Distance d, Id v) {
    at(width_.of(shorter ? d : Distance{0})).push_if(shorter, {d, v});
    waiting_ += static_cast<std::size_t>(shorter);
  }
  /// Exchanges what waits in a bucket for `into`, which must be empty.
  void take(std::int64_t bucket, list& into) {
    at(bucket).swap(into);
    waiting_ -= into.size();
  }
  /// In all buckets.
  [[nodiscard]] std::size_t waiting() const { return waiting_; }
  [[nodiscard]] std::size_t size(std::int64_t bucket) { return at(bucket).size(); }
  /// The first bucket from `from` on with an entry, -1 when there is none.
  [[nodiscard]] std::int64_t next(std::int64_t from) {
    if (waiting_ == 0) return -1;
    while (at(from).empty()) ++from;
    return from;
  }
  /// Gives the lists' room back: take() hands it round, so that from search to search every list
  /// would come to have that of the largest.
  void clear() {
    for (list& l : lists_) {
      if (l.capacity() > 1) l = list();
      l.clear();
    }
    waiting_ = 0;
  }

 private:
  [[nodiscard]] list& at(std::int64_t bucket) {
    return lists_[static_cast<std::size_t>(bucket & (width_.count - 1))];
  }

  bucket_width width_;
  algorithm_detail::counted_vector<list> lists_;
  std::size_t waiting_ = 0;  ///< entries of all lists
};

}  // namespace gossamer::sssp_detail
