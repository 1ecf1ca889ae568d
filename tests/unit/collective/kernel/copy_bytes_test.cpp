// Copies of a command list's team: every offset of both places, so that all widths of words occur,
// and what comes before the first and behind the last.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "collective/kernel/command_list.hpp"

namespace gossamer {
namespace {

/// One of three threads.
struct one_of_three {
  std::size_t self;
  [[nodiscard]] std::size_t index() const { return self; }
  [[nodiscard]] std::size_t size() const { return 3; }
};

TEST(copy_bytes, from_any_place_to_any_place) {
  constexpr std::size_t room = 400;
  alignas(16) std::uint8_t from[room], to[room], right[room];
  for (std::size_t i = 0; i < room; ++i) from[i] = static_cast<std::uint8_t>(i * 37 + 11);
  for (const std::size_t bytes : {0, 1, 3, 7, 15, 16, 17, 31, 64, 250, 333})
    for (std::size_t a = 0; a < 20; ++a)
      for (std::size_t b = 0; b < 20; ++b) {
        std::memset(to, 0xee, room);
        std::memset(right, 0xee, room);
        std::memcpy(right + a, from + b, bytes);
        for (std::size_t thread = 0; thread < 3; ++thread)
          command_detail::copy_bytes(one_of_three{thread}, to + a, from + b, bytes);
        ASSERT_EQ(std::memcmp(to, right, room), 0) << bytes << " bytes, " << b << " -> " << a;
      }
}

TEST(fold_words, any_number_of_operands_of_any_length) {
  for (const int parts : {2, 3, 4, 5, 6, 7, 8, 9})
    for (const std::size_t count : {1, 2, 5, 8, 64, 333}) {
      std::vector<std::int32_t> from(count * static_cast<std::size_t>(parts)), to(count),
          own(count);
      for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = static_cast<std::int32_t>(i * i % 991);
      for (std::size_t i = 0; i < count; ++i) own[i] = static_cast<std::int32_t>(i % 13);
      const int own_part = parts / 2;
      const fold_work work{to.data(), from.data(), own.data(), own_part, parts, count, count};
      for (std::size_t thread = 0; thread < 3; ++thread)
        command_detail::fold<std::int32_t>(one_of_three{thread}, work, reduction::sum);
      for (std::size_t i = 0; i < count; ++i) {
        std::int32_t sum = 0;
        for (int k = 0; k < parts; ++k)
          sum += k == own_part ? own[i] : from[static_cast<std::size_t>(k) * count + i];
        ASSERT_EQ(to[i], sum) << parts << " operands, " << i << " of " << count;
      }
    }
}

}  // namespace
}  // namespace gossamer
