// Pieces: every byte once, whatever the block's size, and the first failure comes back.
#include "gossamer/machine/pieces.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gossamer/machine/memory.hpp"

namespace gossamer {
namespace {

constexpr std::size_t each = piece_bytes / sizeof(std::uint32_t);

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> made(n);
  std::iota(made.begin(), made.end(), 7U);
  return made;
}

/// Sizes around pieces and around what is copied in one go.
const std::vector<std::size_t> sizes = {
    0, 1, each - 1, each, each + 1, 3 * each + 5, 40 * each + 3};

/// The same on the host and on a GPU.
void every_element_once(memory_kind kind, int ordinal) {
  for (const std::size_t n : sizes) {
    const buffer<std::uint32_t> block(kind, ordinal, n);
    write_elements(block.data(), n, [](std::size_t first, std::span<std::uint32_t> some) {
      for (std::size_t i = 0; i < some.size(); ++i)
        some[i] = 7U + static_cast<std::uint32_t>(first + i);
    });
    std::vector<std::uint32_t> copied(n), read(n);
    std::vector<std::atomic<int>> times(n);
    copy_bytes(copied.data(), block.data(), n * sizeof(std::uint32_t));
    read_elements(static_cast<const std::uint32_t*>(block.data()), n,
                  [&](std::size_t first, std::span<const std::uint32_t> some) {
                    for (std::size_t i = 0; i < some.size(); ++i) {
                      read[first + i] = some[i];
                      ++times[first + i];
                    }
                  });
    EXPECT_EQ(copied, numbers(n)) << n;
    EXPECT_EQ(read, numbers(n)) << n;
    for (const auto& t : times) ASSERT_EQ(t, 1) << n;
    const auto other = numbers(n + 1);
    copy_bytes(block.data(), other.data() + (n > 0 ? 1 : 0), n * sizeof(std::uint32_t));
    copy_bytes(copied.data(), block.data(), n * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(copied[i], 8U + i) << n;
  }
}

void a_failure_comes_back(memory_kind kind, int ordinal) {
  const std::size_t n = 20 * each;
  const buffer<std::uint32_t> block(kind, ordinal, n);
  for (int again = 0; again < 3; ++again)
    EXPECT_THROW(write_elements(block.data(), n,
                                [&](std::size_t first, std::span<std::uint32_t>) {
                                  if (first == 3 * each) throw std::runtime_error("no more");
                                }),
                 std::runtime_error);
  every_element_once(kind, ordinal);  // nothing is left busy
}

TEST(Pieces, EveryElementOnce) {
  every_element_once(memory_kind::host, -1);
}

TEST(Pieces, AFailureComesBack) {
  a_failure_comes_back(memory_kind::host, -1);
}

TEST(PiecesGpu, EveryElementOnce) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  every_element_once(memory_kind::device, 0);
}

TEST(PiecesGpu, AFailureComesBack) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  a_failure_comes_back(memory_kind::device, 0);
}

TEST(PiecesGpu, SeveralThreadsAtATime) {
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] { every_element_once(memory_kind::device, 0); });
}

}  // namespace
}  // namespace gossamer
