// The words of a device router's buffers under every interleaving of small programs (explorer.hpp
// has the model): a buffer has one owner, its data is there when it is taken, and the end of a
// stream comes behind all of it.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "gossamer/dataflow/router/buffer_words.hpp"
#include "race/explorer.hpp"

namespace gossamer {
namespace {

using namespace dataflow::router_detail;
using testing_races::current, testing_races::explored, testing_races::explorer;

class router_interleavings : public ::testing::Test {
 protected:
  void SetUp() override { current = &all_; }
  void TearDown() override { current = nullptr; }

  [[nodiscard]] std::vector<explorer::word> words(std::uint64_t free) const {
    return {{&words_.free.bits, free},
            {&words_.full.bits},
            {&words_.ended.bits},
            {&data_[0]},
            {&data_[1]},
            {&shut_down_}};
  }
  /// One try; the buffer's data is the value.
  bool send(std::uint64_t value) {
    const int buffer = take_buffer<explored>(words_.free.bits);
    if (buffer < 0) return false;
    explored::store_relaxed(data_[static_cast<std::size_t>(buffer)], value);
    give_buffer<explored>(words_.full.bits, buffer);
    return true;
  }
  void shut_down(std::uint64_t blocks) {
    if (explored::fetch_add(shut_down_, std::uint64_t{1}) + 1 == blocks)
      end_source<explored>(words_);
  }
  /// What one block has got, set anew each time it runs.
  struct taken {
    std::array<std::uint64_t, 4> values{};
    std::size_t n = 0;
    bool over = false;
  };
  void receive(taken& got, std::uint64_t sources, int tries) {
    got = {};
    for (int i = 0; i < tries && !got.over; ++i) {
      const int buffer = take_segment<explored>(words_, sources);
      got.over = buffer == stream_over;
      if (buffer < 0) continue;
      got.values[got.n++] = explored::load_relaxed(data_[static_cast<std::size_t>(buffer)]);
      give_buffer<explored>(words_.free.bits, buffer);
    }
  }

  explorer all_;
  buffer_words words_{};
  std::array<std::uint64_t, 2> data_{};
  std::uint64_t shut_down_ = 0;
};

TEST_F(router_interleavings, two_senders_and_one_buffer) {
  // The second to come finds it taken, unless the consumer has given it back by then.
  std::array<bool, 2> sent{};
  taken got;
  int wrong = 0, refused = 0, both = 0;
  const auto sender = [&](std::size_t who) { return [&, who] { sent[who] = send(who + 7); }; };
  const auto found =
      all_.explore_states(words(1), {sender(0), sender(1), [&] { receive(got, 2, 2); }}, [&] {
        wrong += got.over || got.n > static_cast<std::size_t>(sent[0] + sent[1]);
        for (std::size_t i = 0; i < got.n; ++i)
          wrong += got.values[i] < 7 || got.values[i] > 8 || !sent[got.values[i] - 7];
        wrong += got.n == 2 && got.values[0] == got.values[1];
        refused += sent[0] + sent[1] == 1;
        both += got.n == 2;
      });
  EXPECT_GT(found.ends, 10u);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(refused, 0);
  EXPECT_GT(both, 0);
}

TEST_F(router_interleavings, two_blocks_take_each_segment_once) {
  std::array<bool, 2> sent{};
  std::array<taken, 2> got;
  int wrong = 0, shared = 0;
  const auto found =
      all_.explore_states(words(3),
                          {[&] {
                             sent[0] = send(7);
                             sent[1] = send(8);
                           },
                           [&] { receive(got[0], 1, 2); }, [&] { receive(got[1], 1, 1); }},
                          [&] {
                            wrong += !sent[0] || !sent[1];
                            std::array<int, 9> times{};
                            for (const taken& block : got)
                              for (std::size_t i = 0; i < block.n; ++i) ++times.at(block.values[i]);
                            wrong += times[0] != 0 || times[7] > 1 || times[8] > 1;
                            shared += got[0].n == 1 && got[1].n == 1;
                          });
  EXPECT_GT(found.ends, 20u);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(shared, 0);
}

TEST_F(router_interleavings, the_end_comes_behind_all_segments) {
  // Two blocks of one source; whoever shuts down last tells, also of the other's segment.
  std::array<bool, 2> sent{};
  taken got;
  int wrong = 0, ends = 0;
  const auto sender = [&](std::size_t who) {
    return [&, who] {
      sent[who] = send(who + 7);
      shut_down(2);
    };
  };
  all_.explore_states(words(3), {sender(0), sender(1), [&] { receive(got, 1, 3); }}, [&] {
    wrong += !sent[0] || !sent[1] || (got.over && got.n != 2);
    for (std::size_t i = 0; i < got.n; ++i) wrong += got.values[i] != 7 && got.values[i] != 8;
    ends += got.over;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(ends, 0);
}

TEST_F(router_interleavings, every_block_sees_the_end_of_two_sources) {
  std::array<taken, 2> got;
  int wrong = 0, ends = 0;
  all_.explore_states(words(1),
                      {[&] {
                         send(7);
                         end_source<explored>(words_);
                       },
                       [&] { end_source<explored>(words_); }, [&] { receive(got[0], 2, 2); },
                       [&] { receive(got[1], 2, 1); }},
                      [&] {
                        const std::size_t n = got[0].n + got[1].n;
                        wrong += n > 1 || ((got[0].over || got[1].over) && n != 1);
                        ends += got[0].over && got[1].over;
                      });
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(ends, 0);
}

TEST_F(router_interleavings, the_model_finds_an_end_that_is_looked_at_last) {
  bool over = false;
  int lost = 0, got = 0;
  all_.explore_states(words(1),
                      {[&] {
                         send(7);
                         end_source<explored>(words_);
                       },
                       [&] {
                         got = take_buffer<explored>(words_.full.bits);
                         over = explored::load_acquire(words_.ended.bits) == 1;
                       }},
                      [&] { lost += got < 0 && over; });
  EXPECT_GT(lost, 0);
}

TEST_F(router_interleavings, the_model_finds_a_take_that_is_no_atomic) {
  std::array<bool, 2> took{};
  int both = 0;
  const auto taker = [&](std::size_t who) {
    return [&, who] {
      took[who] = explored::load_acquire(words_.full.bits) == 1;
      if (took[who]) explored::store_release(words_.full.bits, std::uint64_t{0});
    };
  };
  all_.explore_states(words(1), {[&] { send(7); }, taker(0), taker(1)},
                      [&] { both += took[0] && took[1]; });
  EXPECT_GT(both, 0);
}

TEST_F(router_interleavings, the_model_finds_a_segment_given_too_early) {
  taken got;
  int wrong = 0;
  all_.explore_states(words(1),
                      {[&] {
                         const int buffer = take_buffer<explored>(words_.free.bits);
                         give_buffer<explored>(words_.full.bits, buffer);
                         explored::store_relaxed(data_[0], std::uint64_t{7});
                       },
                       [&] { receive(got, 1, 1); }},
                      [&] { wrong += got.n == 1 && got.values[0] != 7; });
  EXPECT_GT(wrong, 0);
}

}  // namespace
}  // namespace gossamer
