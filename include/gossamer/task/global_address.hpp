// global_address: an element of memory that is spread over the ranks, in eight bytes.
//
// It names an allocation of the global_heap and an index into it, not a place in some process's
// memory. So it means the same on every rank of a run, can be stored in global memory and sent in
// messages. The heap, which knows each allocation's layout, says who owns the element and where.
//
// Arithmetic counts elements in the order of indices, across ranks: a + 1 may belong to another
// rank. As with pointers, the caller has to stay between the first element and one past the last.
// Following an address outside of that is a usage_error.
#pragma once

#include <compare>
#include <cstdint>

namespace gossamer {

/// Of an element of type T; all bits zero: null.
template <class T>
class global_address {
 public:
  static constexpr int index_bits = 48;
  static constexpr std::uint64_t index_mask = (std::uint64_t{1} << index_bits) - 1;

  constexpr global_address() = default;
  constexpr global_address(std::uint16_t allocation, std::int64_t index)
      : word_((std::uint64_t{allocation} << index_bits) | static_cast<std::uint64_t>(index)) {}

  /// 1, 2, … in the order of allocation; 0 of null.
  [[nodiscard]] constexpr std::uint16_t allocation() const {
    return static_cast<std::uint16_t>(word_ >> index_bits);
  }
  [[nodiscard]] constexpr std::int64_t index() const {
    return static_cast<std::int64_t>(word_ & index_mask);
  }
  constexpr explicit operator bool() const { return word_ != 0; }

  constexpr global_address& operator+=(std::int64_t n) {
    word_ += static_cast<std::uint64_t>(n);
    return *this;
  }
  constexpr global_address& operator-=(std::int64_t n) { return *this += -n; }
  constexpr global_address& operator++() { return *this += 1; }
  constexpr global_address& operator--() { return *this += -1; }
  friend constexpr global_address operator+(global_address a, std::int64_t n) { return a += n; }
  friend constexpr global_address operator+(std::int64_t n, global_address a) { return a += n; }
  friend constexpr global_address operator-(global_address a, std::int64_t n) { return a -= n; }
  /// Elements from b to a, of one allocation.
  friend constexpr std::int64_t operator-(global_address a, global_address b) {
    return static_cast<std::int64_t>(a.word_ - b.word_);
  }
  friend constexpr auto operator<=>(const global_address&, const global_address&) = default;

 private:
  std::uint64_t word_ = 0;
};

}  // namespace gossamer
