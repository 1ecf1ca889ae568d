// Threads of ranks are numbered through, and one that hears of a stop ends all.
#include "algorithm/driver/rank_teams.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

namespace gossamer::algorithm_detail {
namespace {

const auto nothing = [] {};
const auto begun = [] { return 0.0; };

TEST(RankTeams, NumberThreadsThrough) {
  for (const char* spec : {"cpu:1x1", "cpu:3x2", "cpu:1x3", "sim:peach2,ranks=3"}) {
    machine m = machine::open(spec);
    rank_teams teams(m);
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(teams.threads()));
    for (const bool together : {false, true}) {
      std::atomic<std::int64_t> charged{0};
      m.run([&](rank& r) {
        const auto charge = [&](std::int64_t looks) { charged += looks; };
        teams.each(r, together, charge, begun, [&](int t, const auto& ask) {
          EXPECT_GE(t, teams.first_thread(r));
          EXPECT_LT(t, teams.first_thread(r) + teams.threads_of(r));
          ++calls[static_cast<std::size_t>(t)];
          EXPECT_TRUE(ask(std::int64_t{5}));
        });
      });
      // What others of a team do costs nothing beside what the rank's own thread does.
      EXPECT_GE(charged, 5 * (together ? m.size() : teams.threads())) << spec;
      EXPECT_LE(charged, 5 * teams.threads()) << spec;
    }
    for (const auto& of : calls) EXPECT_EQ(of, 2) << spec;
    EXPECT_FALSE(teams.stopped());
  }
}

TEST(RankTeams, HaveAsManyThreadsAsAsked) {
  machine m = machine::open("cpu:3x2");
  rank_teams teams(m, [](int r) { return r; });
  EXPECT_EQ(teams.threads(), 3);
  std::atomic<int> calls{0};
  m.run([&](rank& r) {
    EXPECT_EQ(teams.threads_of(r), r.id());
    teams.each(r, true, nothing, begun, [&](int, const auto&) { ++calls; });
  });
  EXPECT_EQ(calls, 3);
}

/// Works until it is told to stop, so that it hangs where nobody tells it.
const auto until_stopped = [](int, const auto& ask) {
  while (ask()) std::this_thread::yield();
};

TEST(RankTeams, EndTogether) {
  machine m = machine::open("cpu:2x2");
  for (const bool together : {false, true}) {
    rank_teams teams(m);
    const auto fails = [&](rank& r) {
      const auto progress = [&]() -> double {
        if (r.id() == 1) throw std::domain_error("no more");
        return 0;
      };
      teams.each(r, together, nothing, progress, until_stopped);
    };
    EXPECT_THROW(m.run(fails), std::domain_error);
    EXPECT_TRUE(teams.stopped());
    teams.begin();
    EXPECT_FALSE(teams.stopped());
  }
}

TEST(RankTeams, HearOfAStopWhileOthersWork) {
  machine m = machine::open("cpu:1x2");
  rank_teams teams(m);
  std::stop_source stop;
  run_options options;
  options.cancel = stop.get_token();
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  // The rank's own thread has nothing to do.
  const auto work = [](int t, const auto& ask) {
    if (t == 1) until_stopped(t, ask);
  };
  EXPECT_THROW(m.run([&](rank& r) { teams.each(r, true, nothing, begun, work); }, options),
               cancelled_error);
}

}  // namespace
}  // namespace gossamer::algorithm_detail
