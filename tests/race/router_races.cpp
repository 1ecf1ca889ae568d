// The words of a device router's buffers between threads, for ThreadSanitizer: what lies in the
// buffers is plain memory, which the words alone order.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "gossamer/base/atomics.hpp"
#include "gossamer/dataflow/router/buffer_words.hpp"

namespace gossamer {
namespace {

using namespace dataflow::router_detail;

TEST(router_races, each_segment_is_taken_once_and_before_the_end) {
  constexpr std::size_t buffers = 3, senders = 2, receivers = 2, length = 7;
  constexpr std::uint32_t of_each = 3000;
  buffer_words words{};
  words.free.bits = (1u << buffers) - 1;
  std::array<std::array<std::uint32_t, length>, buffers> data{};
  std::vector<std::vector<int>> seen(receivers, std::vector<int>(senders * of_each));
  std::atomic<int> torn = 0;
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t s = 0; s < senders; ++s)
      threads.emplace_back([&, s] {
        for (std::uint32_t i = s * of_each; i < (s + 1) * of_each; ++i) {
          int buffer = nothing_there;
          while ((buffer = take_buffer<std_atomics>(words.free.bits)) < 0)
            std::this_thread::yield();
          data[static_cast<std::size_t>(buffer)].fill(i);
          give_buffer<std_atomics>(words.full.bits, buffer);
        }
        end_source<std_atomics>(words);
      });
    for (std::size_t r = 0; r < receivers; ++r)
      threads.emplace_back([&, r] {
        int buffer = nothing_there;
        while ((buffer = take_segment<std_atomics>(words, senders)) != stream_over) {
          if (buffer < 0) {
            std::this_thread::yield();
            continue;
          }
          auto& segment = data[static_cast<std::size_t>(buffer)];
          if (std::ranges::count(segment, segment[0]) != length) ++torn;
          ++seen[r][segment[0]];
          segment.fill(0);  // receivers may write, too
          give_buffer<std_atomics>(words.free.bits, buffer);
        }
      });
  }
  EXPECT_EQ(torn, 0);
  for (std::size_t i = 0; i < seen[0].size(); ++i) ASSERT_EQ(seen[0][i] + seen[1][i], 1) << i;
  EXPECT_EQ(words.free.bits, (1u << buffers) - 1);
  EXPECT_EQ(words.full.bits, 0u);
}

}  // namespace
}  // namespace gossamer
