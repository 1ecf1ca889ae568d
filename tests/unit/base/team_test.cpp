// require_team: what the system refuses is an error, which OpenMP's runtime would end the process
// for.
#include "gossamer/base/team.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "gossamer/base/error.hpp"

namespace gossamer {
namespace {

/// What a team of `threads` says in a process that may begin no thread; "" where it is made.
std::string refusal(int threads) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;  // root's threads are not counted
    const rlimit none = {0, 0};
    std::string said;
    if ((::geteuid() == 0 && ::setuid(nobody) != 0) || ::setrlimit(RLIMIT_NPROC, &none) != 0)
      said = "not limited";
    try {
      require_team(threads);
    } catch (const error& e) {
      said += e.what();
    }
    const auto written = ::write(ends[1], said.data(), said.size());
    ::_exit(written == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string said;
  char part[256];
  for (ssize_t n; (n = ::read(ends[0], part, sizeof part)) > 0;)
    said.append(part, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return said;
}

TEST(Team, OneThreadAsksForNone) {
  EXPECT_EQ(refusal(1), "");
}

TEST(Team, WhatTheSystemRefusesIsAnError) {
  EXPECT_EQ(refusal(3),
            "only 1 of a team's 3 threads could be started: Resource temporarily unavailable");
}

TEST(Team, IsMadeAndMadeLarger) {
  for (const int threads : {2, 3, 2}) require_team(threads);
}

// fork() copies the process at whatever instant another thread makes its team.
TEST(Team, IsMadeInAChildOfFork) {
  std::atomic<bool> over = false;
  std::thread beside([&] {
    while (!over) std::thread([] { require_team(3); }).join();
  });
  for (int i = 0; i < 40; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);  // ends it by SIGALRM
      std::thread([] { require_team(2); }).join();
      ::_exit(7);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << "fork " << i;
    if (::testing::Test::HasFailure()) break;
  }
  over = true;
  beside.join();
}

}  // namespace
}  // namespace gossamer
