// Which command lists are packed hops, and that nothing is lost in translation. That the kernel
// does what it is told is tested with every plan on GPUs (plans_gpu_test.cpp).
#include "collective/kernel/packed_hops.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "collective/kernel/packing.hpp"

namespace gossamer {
namespace {

using kind = command::kind;

/// Steps of one epoch, repeated for every turn with inboxes that follow each other.
class packed_hops_test : public ::testing::Test {
 protected:
  static constexpr int turns = 4;
  static constexpr std::size_t inbox = 64;  ///< words
  std::array<std::uint64_t, turns * inbox> theirs_{}, mine_{};
  std::array<std::uint64_t, 4> counters_{};
  std::array<double, 16> in_{}, out_{};

  command pack(const void* from, std::size_t bytes) {
    command s;
    s.what = kind::pack;
    s.from = from;
    s.bytes = bytes;
    s.words = theirs_.data();
    s.peer = 1;
    return s;
  }
  command unpack(void* to, std::size_t bytes, std::size_t at = 0) {
    command s;
    s.what = kind::unpack;
    s.to = to;
    s.bytes = bytes;
    s.words = mine_.data() + at;
    s.peer = 2;
    return s;
  }
  command copy(const void* from, void* to, std::size_t bytes) {
    command s;
    s.what = kind::copy;
    s.from = from;
    s.to = to;
    s.bytes = bytes;
    return s;
  }
  command counter(kind what, int lag) {
    command s;
    s.what = what;
    s.lag = lag;
    s.counter = counters_.data();
    s.peer = 1;
    s.signal = 3;
    return s;
  }
  command fold_packed(int parts, int own) {
    command s;
    s.what = kind::fold_packed;
    s.words = mine_.data();
    s.fold = {out_.data(), nullptr, in_.data(), own, parts, 0, 2};
    return s;
  }
  static std::optional<packed_hops> translated(const std::vector<command>& steps) {
    std::vector<command> all;
    for (int turn = 0; turn < turns; ++turn)
      for (auto s : steps) {
        if (s.words != nullptr) s.words += static_cast<std::size_t>(turn) * inbox;
        if (s.what == kind::raise && turn % (turns / 2) != 0) s.what = kind::none;
        all.push_back(s);
      }
    command_list p;
    p.turns = turns;
    p.count = static_cast<int>(steps.size());
    return as_packed_hops(p, all, sizeof(double));
  }
};

TEST_F(packed_hops_test, root_of_a_broadcast) {
  const auto hop = translated({counter(kind::wait, turns), pack(in_.data(), 128),
                               pack(in_.data(), 128), copy(in_.data(), out_.data(), 128)});
  ASSERT_TRUE(hop);
  EXPECT_EQ(hop->credit_count, 1);
  EXPECT_EQ(hop->credits[0].counter, counters_.data());
  EXPECT_EQ(hop->credits[0].signal, 3);
  EXPECT_EQ(hop->send_count, 2);
  EXPECT_EQ(static_cast<const void*>(hop->sends[1].from), in_.data());
  EXPECT_EQ(hop->sends[1].words, theirs_.data());
  EXPECT_EQ(hop->sends[1].bytes, 128u);
  EXPECT_EQ(hop->sends[1].stride, inbox);
  EXPECT_EQ(static_cast<void*>(hop->kept_to), out_.data());
  EXPECT_EQ(hop->kept_bytes, 128u);
  EXPECT_EQ(hop->receive_count, 0);
  EXPECT_EQ(hop->turns, turns);
}

TEST_F(packed_hops_test, leaf_of_a_broadcast) {
  const auto hop = translated({counter(kind::raise, 1), unpack(out_.data(), 12)});
  ASSERT_TRUE(hop);
  EXPECT_EQ(hop->grant_count, 1);
  EXPECT_EQ(hop->receive_count, 1);
  EXPECT_EQ(hop->receives[0].peer, 2);
  EXPECT_EQ(hop->stride, inbox);
  EXPECT_EQ(hop->threads, 32);
}

TEST_F(packed_hops_test, sum_in_the_order_of_ranks) {
  const auto hop = translated({pack(in_.data(), 16), fold_packed(3, 1)});
  ASSERT_TRUE(hop);
  EXPECT_EQ(hop->own_part, 1);
  EXPECT_EQ(hop->receive_count, 2);
  EXPECT_EQ(hop->receives[1].words, mine_.data() + packed_words(16));
  EXPECT_EQ(hop->receives[1].to, nullptr);
  EXPECT_EQ(hop->sum_bytes, 16u);
  EXPECT_EQ(static_cast<const void*>(hop->kept), in_.data());
  EXPECT_EQ(hop->kept_to, nullptr);
}

TEST_F(packed_hops_test, has_a_thread_for_every_pair) {
  std::vector<double> most(longest_hop / 8), more(longest_hop / 8 + 1);
  const auto shape = [&](std::size_t n) {
    const auto hop = translated({pack(most.data(), 8 * n)});
    return std::pair(hop->blocks, hop->threads);
  };
  EXPECT_EQ(shape(512), std::pair(1, 512));
  EXPECT_EQ(shape(513), std::pair(2, 512));
  EXPECT_EQ(shape(5 * 512), std::pair(8, 512));
  EXPECT_EQ(shape(most.size()), std::pair(static_cast<int>(most.size() / 512), 512));
  EXPECT_FALSE(translated({pack(more.data(), 8 * more.size())}));
}

/// A thread may write its own pair of a message that is sent from there, nobody else's.
TEST_F(packed_hops_test, has_blocks_that_leave_each_others_words_alone) {
  std::vector<double> many(1024);
  const std::size_t bytes = 8 * 600;
  EXPECT_TRUE(translated({pack(many.data(), bytes), unpack(many.data(), bytes)}));
  EXPECT_FALSE(translated({pack(many.data(), bytes), unpack(many.data() + 400, bytes)}));
  EXPECT_TRUE(translated({pack(many.data(), bytes), unpack(many.data() + 600, 8 * 400)}));
  // One block reads all before it writes.
  EXPECT_TRUE(translated({pack(many.data(), 800), unpack(many.data() + 50, 800)}));
}

TEST_F(packed_hops_test, second_hop_of_what_came_first) {
  const auto hops = translated({unpack(out_.data(), 24), pack(out_.data(), 24),
                                pack(out_.data(), 24), unpack(out_.data() + 4, 16, 6)});
  ASSERT_TRUE(hops);
  EXPECT_EQ(hops->send_count, 0);
  EXPECT_EQ(hops->receive_count, 1);
  EXPECT_EQ(hops->relay_count, 2);
  EXPECT_EQ(hops->relays[1].words, theirs_.data());
  EXPECT_EQ(hops->relays[1].stride, inbox);
  EXPECT_EQ(hops->relay_bytes, 24u);
  ASSERT_EQ(hops->later_count, 1);
  EXPECT_EQ(static_cast<void*>(hops->later[0].to), out_.data() + 4);
  EXPECT_EQ(hops->later[0].words, mine_.data() + 6);
}

TEST_F(packed_hops_test, second_hop_of_a_sum) {
  const auto hops = translated({pack(in_.data() + 2, 16), fold_packed(3, 1), pack(out_.data(), 16),
                                unpack(out_.data() + 2, 16, 8)});
  ASSERT_TRUE(hops);
  EXPECT_EQ(hops->send_count, 1);
  EXPECT_EQ(hops->receive_count, 2);
  EXPECT_EQ(hops->relay_count, 1);
  EXPECT_EQ(hops->relay_bytes, 16u);
  EXPECT_EQ(hops->later_count, 1);
  EXPECT_EQ(static_cast<void*>(hops->sum_to), out_.data());
}

/// In place, output is a stage of which each turn has its own.
TEST_F(packed_hops_test, comes_to_its_place_at_once) {
  std::array<double, 4> stage{};
  const auto hops =
      translated({unpack(stage.data(), 16), pack(stage.data(), 16), unpack(stage.data() + 2, 16, 8),
                  copy(stage.data(), out_.data(), 32)});
  ASSERT_TRUE(hops);
  EXPECT_EQ(static_cast<void*>(hops->receives[0].to), out_.data());
  EXPECT_EQ(static_cast<void*>(hops->later[0].to), out_.data() + 2);
  EXPECT_EQ(hops->relay_count, 1);
  EXPECT_EQ(hops->kept, nullptr);
  // Not what was there before, and not if the stage is read otherwise.
  EXPECT_FALSE(translated({unpack(stage.data(), 16), copy(stage.data(), out_.data(), 32)}));
  EXPECT_FALSE(translated({unpack(stage.data(), 16), unpack(stage.data() + 2, 16, 8),
                           pack(stage.data() + 2, 16), copy(stage.data(), out_.data(), 32)}));
}

TEST_F(packed_hops_test, is_not_what_passes_on_more) {
  EXPECT_FALSE(translated({unpack(out_.data(), 16), pack(out_.data(), 8)}));
  EXPECT_FALSE(translated(
      {unpack(out_.data(), 8), unpack(out_.data() + 1, 8, 2), pack(out_.data() + 1, 8)}));
  EXPECT_FALSE(translated({unpack(out_.data(), 16), copy(in_.data(), out_.data() + 1, 8)}));
  EXPECT_FALSE(translated({fold_packed(2, 0), pack(out_.data(), 16), fold_packed(2, 0)}));
}

/// The root of a broadcast in parts keeps all of it.
TEST_F(packed_hops_test, keeps_more_than_a_message) {
  std::vector<double> from(4096), to(4096);
  const auto hops =
      translated({pack(from.data(), 8 * 1024), copy(from.data(), to.data(), 8 * 4096)});
  ASSERT_TRUE(hops);
  EXPECT_EQ(hops->blocks * hops->threads, 1024);
  EXPECT_EQ(hops->kept_bytes, 8u * 4096);
  EXPECT_FALSE(translated({pack(from.data(), 800), copy(from.data(), from.data() + 50, 8 * 1024)}));
}

TEST_F(packed_hops_test, is_not_what_needs_more_than_packed_words) {
  auto put = copy(in_.data(), out_.data(), 8);
  put.what = kind::put;
  EXPECT_FALSE(translated({put}));
  EXPECT_FALSE(translated({counter(kind::wait, 0)}));   // for data
  EXPECT_FALSE(translated({counter(kind::raise, 0)}));  // after data
  EXPECT_FALSE(translated({pack(in_.data(), 8), fold_packed(2, -1)}));
}

TEST_F(packed_hops_test, is_for_whole_words_and_few_peers) {
  EXPECT_FALSE(translated({pack(in_.data(), 7)}));
  EXPECT_FALSE(translated({pack(reinterpret_cast<const std::byte*>(in_.data()) + 2, 8)}));
  std::vector<command> sends(packed_hops::most_peers, pack(in_.data(), 8));
  EXPECT_TRUE(translated(sends));
  sends.push_back(sends.back());
  EXPECT_FALSE(translated(sends));
}

}  // namespace
}  // namespace gossamer
