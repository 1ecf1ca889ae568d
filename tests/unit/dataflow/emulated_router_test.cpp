// A device router's kernels without a GPU (tests/emulated_gpu): blocks of several ranks are
// processes that share memory. Each number that a block sends arrives once, at a rank that the
// policy allows, as it was sent.
#include <gtest/gtest.h>

#include "device.hpp"

// The kernels' headers, as the emulated compiler takes them.
#include "unit/dataflow/routed_numbers.cuh"

#include <memory>

namespace gossamer::dataflow {
namespace {

using namespace testing_router;
using device_policy::round_robin;
using to_any = device_policy::any_device;
using router_detail::rank_memory, router_detail::router_places;

struct settings {
  int ranks = 1;
  std::vector<int> sources = {0}, destinations = {0};
  int sending = 1, receiving = 1;  ///< blocks of a source, of a destination
  std::size_t segment = 128, buffers = 2;
  std::uint32_t numbers = 600, message = 50;  ///< of a source
  bool held = false;                          ///< rank 0 receives when it has sent
};

struct outcome {
  bool ended = true;                           ///< all blocks, by themselves
  std::vector<std::uint32_t> seen;             ///< by number, at all ranks together
  std::vector<std::uint32_t> segments;         ///< by rank
  std::vector<std::vector<std::uint32_t>> at;  ///< the same by number, of each rank
};

bool names(const std::vector<int>& ranks, int rank) {
  return std::ranges::count(ranks, rank) != 0;
}

template <class Policy>
outcome run_blocks(const settings& how) {
  const router_places places{how.segment, how.buffers};
  rank_list destinations;
  for (const int d : how.destinations) destinations.push(d);
  const auto all = how.numbers * static_cast<std::uint32_t>(how.sources.size());
  std::vector<std::byte*> windows;
  std::vector<number_work> work;
  for (int r = 0; r < how.ranks; ++r) {
    windows.push_back(emulated::shared<std::byte>(places.bytes()));
    if (names(how.destinations, r))
      reinterpret_cast<rank_memory*>(windows.back())->words.free.bits = places.all_free();
    const bool sends = names(how.sources, r);
    const auto before =
        static_cast<std::uint32_t>(std::ranges::find(how.sources, r) - how.sources.begin());
    work.push_back({.first = before * how.numbers,
                    .count = sends ? how.numbers : 0,
                    .message = how.message,
                    .sending = sends ? static_cast<unsigned>(how.sending) : 0,
                    .after_own = how.held && r == 0,
                    .seen = emulated::shared<std::uint32_t>(all),
                    .segments = emulated::shared<std::uint32_t>(3)});
  }
  emulated::blocks running;
  for (int r = 0; r < how.ranks; ++r) {
    const number_work& mine = work[static_cast<std::size_t>(r)];
    device_guard guard;
    guard.rank = r;
    guard.ranks = how.ranks;
    device_router_view<Policy> view({}, places, guard, 0, destinations,
                                    static_cast<int>(how.sources.size()), mine.sending);
    for (int q = 0; q < how.ranks; ++q) view.reach(q, windows[static_cast<std::size_t>(q)]);
    running.launch(
        mine.sending + (names(how.destinations, r) ? how.receiving : 0),
        [&] { route_numbers(view, mine); }, static_cast<unsigned>(r));
  }
  outcome found;
  found.ended = running.end();
  found.seen.resize(all);
  for (int r = 0; r < how.ranks; ++r) {
    const number_work& mine = work[static_cast<std::size_t>(r)];
    EXPECT_EQ(mine.segments[1], 0u) << "numbers that were others at rank " << r;
    found.segments.push_back(mine.segments[0]);
    found.at.emplace_back(mine.seen, mine.seen + all);
    for (std::uint32_t i = 0; i < all; ++i) found.seen[i] += mine.seen[i];
    const auto& memory = *reinterpret_cast<rank_memory*>(windows[static_cast<std::size_t>(r)]);
    EXPECT_EQ(memory.words.full.bits, 0u);
    EXPECT_EQ(memory.words.free.bits, names(how.destinations, r) ? places.all_free() : 0u);
  }
  return found;
}

template <class Policy>
outcome run_and_check(const settings& how) {
  outcome found = run_blocks<Policy>(how);
  EXPECT_TRUE(found.ended);
  EXPECT_EQ(std::ranges::count(found.seen, 1u), std::ranges::distance(found.seen));
  return found;
}

TEST(EmulatedRouter, one_rank) {
  run_and_check<to_any>({});
  run_and_check<to_any>({.sending = 2, .receiving = 2, .buffers = 1});
}
TEST(EmulatedRouter, several_ranks) {
  run_and_check<to_any>({.ranks = 3,
                         .sources = {0, 1, 2},
                         .destinations = {0, 1, 2},
                         .sending = 2,
                         .receiving = 2,
                         .buffers = 3});
}
TEST(EmulatedRouter, one_buffer_for_all) {
  run_and_check<to_any>(
      {.ranks = 3, .sources = {1, 2}, .destinations = {0}, .sending = 2, .buffers = 1});
}
TEST(EmulatedRouter, all_buffers_of_a_word) {
  run_and_check<to_any>(
      {.ranks = 2, .sources = {0, 1}, .destinations = {1}, .receiving = 2, .buffers = 64});
}
TEST(EmulatedRouter, turns_are_kept) {
  const settings how{.ranks = 3, .sources = {0, 1}, .destinations = {0, 1, 2}, .sending = 2};
  const auto found = run_and_check<round_robin>(how);
  // Messages of 50 numbers in segments of 32 and 18: 24 of each source.
  EXPECT_EQ(found.segments, std::vector<std::uint32_t>(3, 16));
}
TEST(EmulatedRouter, policies_leave_destinations_out) {
  const settings how{.ranks = 2, .sources = {0, 1}, .destinations = {0, 1}};
  const auto found = run_and_check<to_others>(how);
  for (std::uint32_t i = 0; i < how.numbers; ++i) {
    EXPECT_EQ(found.at[0][i], 0u);
    EXPECT_EQ(found.at[1][how.numbers + i], 0u);
  }
}
TEST(EmulatedRouter, who_is_not_free_gets_no_more) {
  const settings how{.ranks = 2, .sources = {0}, .destinations = {0, 1}, .held = true};
  const auto found = run_and_check<to_any>(how);
  EXPECT_EQ(found.segments[0], how.buffers);
  EXPECT_EQ(found.segments[1], 24 - how.buffers);
}
TEST(EmulatedRouter, nothing_is_a_message_and_none_are_too) {
  EXPECT_EQ(run_and_check<to_any>({.numbers = 0}).segments[0], 0u);
}

}  // namespace
}  // namespace gossamer::dataflow
