// global_heap: arrays spread over the ranks of a run, allocated by all of them together.
//
//   gossamer::global_heap heap(r);                           // on every rank
//   auto table = heap.allocate<std::uint64_t>(n, 512);       // blocks of 512, dealt out in turn
//   auto lists = heap.allocate_owned<node>(mine);            // `mine` elements here, one range
//   table.for_each_local([](std::int64_t i, std::uint64_t& x) { x = i; });
//
// Symmetric: every rank calls allocate in the same order with the same arguments, and the same
// addresses then mean the same everywhere. Elements begin as T() and live until the run ends. Their
// memory comes from the run's arena (bytes() says how much).
//
// Only the owner touches an element: its own tasks directly, others by delegates
// (global_tasks.hpp). Therefore T need not be trivially copyable: words with a full/empty bit are
// possible.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gossamer/fabric/rank.hpp"
#include "gossamer/task/global_address.hpp"
#include "gossamer/task/global_layout.hpp"

namespace gossamer {

/// One array, as one rank sees it.
struct global_allocation {
  std::uint16_t id = 0;
  std::size_t element = 1;  ///< bytes
  int rank = 0;             ///< this one
  global_layout layout;
  std::byte* data = nullptr;  ///< this rank's elements
};

/// A view of an allocation; cheap to copy, valid on its rank until the heap ends.
template <class T>
class global_array {
 public:
  global_array() = default;
  explicit global_array(const global_allocation& a) : all_(&a) {}

  [[nodiscard]] std::int64_t size() const { return all_->layout.size(); }
  [[nodiscard]] const global_layout& layout() const { return all_->layout; }
  [[nodiscard]] global_address<T> begin() const { return {all_->id, 0}; }
  [[nodiscard]] global_address<T> end() const { return begin() + size(); }
  /// Unchecked: following an address is what is checked.
  [[nodiscard]] global_address<T> operator[](std::int64_t i) const { return begin() + i; }

  /// This rank's elements, in the order of their indices.
  [[nodiscard]] std::span<T> local() const {
    return {reinterpret_cast<T*>(all_->data),
            static_cast<std::size_t>(all_->layout.count(all_->rank))};
  }
  /// Calls body(index, element) for this rank's elements with first <= index < last: when every
  /// rank does so, a loop over the range that runs where the data is.
  template <class Body>
  void for_each_local(std::int64_t first, std::int64_t last, Body&& body) const {
    all_->layout.for_each_run(all_->rank, first, last,
                              [&](std::int64_t i, std::int64_t at, std::int64_t n) {
                                T* element = reinterpret_cast<T*>(all_->data) + at;
                                for (const std::int64_t end = i + n; i < end; ++i, ++element)
                                  body(i, *element);
                              });
  }
  template <class Body>
  void for_each_local(Body&& body) const {
    for_each_local(0, size(), body);
  }

 private:
  const global_allocation* all_ = nullptr;
};

class global_heap {
 public:
  using place = global_layout::place;
  /// Inside a run, on CPU and modelled ranks.
  explicit global_heap(rank& r);
  global_heap(const global_heap&) = delete;
  global_heap& operator=(const global_heap&) = delete;

  /// Collective: `size` elements in blocks of `block`, dealt out to the ranks in turn. usage_error
  /// on every rank when they ask for different things; capacity_error when the arena is too small.
  template <class T>
  global_array<T> allocate(std::int64_t size, std::int64_t block = 1) {
    return made<T>(allocate_cyclic(size, block, sizeof(T)));
  }
  /// Collective: `here` elements on this rank, which may be another number on each.
  template <class T>
  global_array<T> allocate_owned(std::int64_t here) {
    return made<T>(allocate_ranges(here, sizeof(T)));
  }
  /// Bytes of native memory that `elements` of one rank take, for the run's arena.
  [[nodiscard]] static std::int64_t bytes(std::int64_t elements, std::size_t element) {
    return (elements * static_cast<std::int64_t>(element) + 255) / 256 * 256;
  }

  /// Who owns the element, and which of that rank's elements it is. usage_error for an address that
  /// leads to none.
  template <class T>
  [[nodiscard]] place find(global_address<T> a) const {
    return allocation_of(a.allocation(), a.index()).layout.find(a.index());
  }
  template <class T>
  [[nodiscard]] int owner(global_address<T> a) const {
    return find(a).rank;
  }
  /// The array that `a` lies in.
  template <class T>
  [[nodiscard]] global_array<T> array_of(global_address<T> a) const {
    return global_array<T>(allocation_of(a.allocation(), 0, 0));
  }
  /// Element `local` of this rank in an allocation; unchecked, for what find() has said.
  template <class T>
  [[nodiscard]] T& element(std::uint16_t allocation, std::int64_t local) const {
    return reinterpret_cast<T*>(allocations_[allocation - std::size_t{1}]->data)[local];
  }

 private:
  static constexpr std::size_t alignment = 64;
  /// usage_error unless there is such an allocation, and first_past says index < size.
  const global_allocation& allocation_of(std::uint16_t id, std::int64_t index,
                                         std::int64_t past = 1) const {
    if (id == 0 || id > allocations_.size() ||
        index + past > allocations_[id - std::size_t{1}]->layout.size()) [[unlikely]]
      leads_nowhere(id, index);
    return *allocations_[id - std::size_t{1}];
  }
  [[noreturn]] void leads_nowhere(std::uint16_t id, std::int64_t index) const;
  global_allocation& allocate_cyclic(std::int64_t size, std::int64_t block, std::size_t element);
  global_allocation& allocate_ranges(std::int64_t here, std::size_t element);
  global_allocation& add(global_layout layout, std::size_t element);
  template <class T>
  global_array<T> made(global_allocation& a) {
    static_assert(std::is_nothrow_default_constructible_v<T> &&
                  std::is_trivially_destructible_v<T> && alignof(T) <= alignment);
    const global_array<T> array(a);
    for (T& x : array.local()) new (&x) T();
    return array;
  }

  rank* rank_;
  std::vector<std::unique_ptr<global_allocation>> allocations_;
};

}  // namespace gossamer
