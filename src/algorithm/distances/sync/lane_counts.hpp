// Counters of 64 searches: in how many words each one's bit was set.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace gossamer::distances_detail {

/// Numbers lie across words, a binary digit of all 64 in each. Two words of a digit's weight wait
/// for a third, and a full adder makes one of them and a carry (Harley and Seal's way to count
/// bits): five operations a word, whatever the words are.
class lane_counts {
 public:
  void add(std::uint64_t word) {
    std::uint64_t carries = words_++;
    std::size_t digit = 0;
    for (; (carries & 1) != 0; carries >>= 1, ++digit) {
      const std::uint64_t a = sum_[digit], b = waiting_[digit], either = a ^ b;
      sum_[digit] = either ^ word;
      word = (a & b) | (either & word);
    }
    waiting_[digit] = word;
  }

  /// Words added.
  [[nodiscard]] std::uint64_t words() const { return words_; }

  /// Calls f(lane, count) for each lane that was set in any; begins again.
  template <class F>
  void take(const F& f) {
    std::array<std::int64_t, 64> counts{};
    const auto digits = static_cast<int>(std::bit_width(words_));
    std::uint64_t any = 0;
    const auto add = [&](std::uint64_t word, int digit) {
      any |= word;
      for (; word != 0; word &= word - 1)
        counts[static_cast<std::size_t>(std::countr_zero(word))] += std::int64_t{1} << digit;
    };
    for (int digit = 0; digit < digits; ++digit) {
      const auto d = static_cast<std::size_t>(digit);
      add(sum_[d], digit);
      if ((words_ >> digit & 1) != 0) add(waiting_[d], digit);
      sum_[d] = 0;
    }
    words_ = 0;
    for (; any != 0; any &= any - 1) {
      const int lane = std::countr_zero(any);
      f(lane, counts[static_cast<std::size_t>(lane)]);
    }
  }

 private:
  std::uint64_t words_ = 0;
  std::array<std::uint64_t, 64> sum_{}, waiting_{};
};

}  // namespace gossamer::distances_detail
