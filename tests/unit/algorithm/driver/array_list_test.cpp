// Arrays that are listed once: what is counted is what is taken, of a device and in a run.
#include "algorithm/driver/array_list.hpp"

#include <gtest/gtest.h>

namespace gossamer::algorithm_detail {
namespace {

struct all_kinds {
  buffer<std::uint32_t> words;
  shared_array<std::int64_t> numbers;
  std::vector<std::uint8_t> bytes;
  window<double> inbox, on_host;
  signal_set arrived;
  std::span<float> scratch;

  void list(array_list& of, std::int64_t rows, bool sends) {
    of.add(words, rows);
    of.add(numbers, rows);
    of.add(bytes, rows);
    if (!sends) return;
    of.add(inbox, 2 * rows);
    of.add(on_host, rows, home::host);
    of.add(arrived, 3);
    of.add(scratch, rows);
  }
};

TEST(ArrayList, counts) {
  constexpr std::int64_t rows = 100;
  const auto alone = counted<all_kinds>(rows, false);
  EXPECT_EQ(alone.own, aligned(rows * 4) + rows * 8 + rows);
  EXPECT_EQ(alone.window + alone.host_window, 0);
  const auto sending = counted<all_kinds>(rows, true);
  EXPECT_EQ(sending.own, alone.own);
  EXPECT_EQ(sending.window, aligned(2 * rows * 8) + aligned(3 * 8) + aligned(rows * 4));
  EXPECT_EQ(sending.host_window, aligned(rows * 8));
}

TEST(ArrayList, takes_of_a_device) {
  const auto taken_here = taken<all_kinds>(device(), std::int64_t{100}, true);
  EXPECT_EQ(taken_here.words.size(), 100);
  EXPECT_EQ(taken_here.numbers.size(), 100);
  EXPECT_EQ(taken_here.bytes, std::vector<std::uint8_t>(100));
  EXPECT_TRUE(taken_here.scratch.empty());
}

/// An arena of so many bytes has room for what was counted.
TEST(ArrayList, takes_in_a_run_what_was_counted) {
  machine m = machine::open("cpu:2x1");
  const auto counted_bytes = counted<all_kinds>(std::int64_t{1000}, true);
  run_options how;
  how.arenas.assign(2, {static_cast<std::size_t>(counted_bytes.window),
                        static_cast<std::size_t>(counted_bytes.host_window)});
  m.run(
      [](rank& r) {
        const auto mine = taken<all_kinds>(r, std::int64_t{1000}, true);
        EXPECT_EQ(mine.inbox.local().size(), 2000);
        EXPECT_EQ(mine.on_host.local().size(), 1000);
        EXPECT_EQ(mine.scratch.size(), 1000);
        EXPECT_TRUE(mine.numbers.empty());
      },
      how);
}

}  // namespace
}  // namespace gossamer::algorithm_detail
