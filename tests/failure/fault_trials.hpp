// Runs of which one call fails: the first, the second, and so on, until a run ends without having
// come so far. As SQLite tests itself.
//
// A failure is one clear error: an exception of base/error.hpp, in one line, or std::bad_alloc
// where memory is short; never one that a rank's failure caused elsewhere. Then all is given back,
// and the next run, with what the failed one left, is right.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "failure/faults.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::faults {

/// Points of a run that are tried: each of the first, then some by chance, in both ways of failing.
struct density {
  std::int64_t first = 15, others = 12;
};

/// Where points are drawn from; GOSSAMER_TEST_SEED repeats a run.
inline std::int64_t drawn_below(std::int64_t n) {
  static std::mt19937_64 from = [] {
    const char* given = std::getenv("GOSSAMER_TEST_SEED");
    const std::uint64_t seed = given != nullptr
                                   ? std::strtoull(given, nullptr, 10)
                                   : static_cast<std::uint64_t>(std::random_device()());
    std::cout << "GOSSAMER_TEST_SEED=" << seed << std::endl;
    return std::mt19937_64(seed);
  }();
  return static_cast<std::int64_t>(from() % static_cast<std::uint64_t>(n));
}

/// A failure ends a run at once: trials have deadlines beyond this.
constexpr auto patience = std::chrono::seconds(15);

/// What is tried, for a process that ends in std::terminate.
inline char trying[200] = "";

/// What a failed call was said to be, in `text`, which has room for it.
inline void hear(kind of, const std::exception_ptr& why, std::string& text) {
  try {
    std::rethrow_exception(why);
  } catch (const rank_error& e) {
    ADD_FAILURE() << "a rank's failure hides its reason: " << e.what();
  } catch (const error& e) {
    text = std::string_view(e.what()).substr(0, text.capacity());
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_GT(text.size(), 10u) << text;
  } catch (const std::bad_alloc&) {
    EXPECT_EQ(of, kind::memory) << "std::bad_alloc, and memory was there";
    text = "std::bad_alloc";
  } catch (const std::exception& e) {
    ADD_FAILURE() << "not an error of this project: " << e.what();
  }
}

/// Threads that were joined may be listed for a moment more.
inline holdings held_at_rest(const holdings& expected) {
  holdings now = held();
  for (int i = 0; i < 1000 && now.threads > expected.threads; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    now = held();
  }
  // Fewer: one that was joined before was still listed then.
  now.threads = std::max(now.threads, expected.threads);
  return now;
}

/// When nothing has changed for a moment.
inline holdings held_at_rest() {
  holdings now = held();
  for (int same = 0; same < 3;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const holdings next = held();
    same = next == now ? same + 1 : 0;
    now = next;
  }
  return now;
}

inline std::ostream& operator<<(std::ostream& to, const holdings& h) {
  return to << h.blocks << " blocks, " << h.mappings << " bytes mapped, " << h.on_a_gpu
            << " on GPUs, " << h.threads << " threads, " << h.files << " files";
}

/// What became of a run; kept outside of it, since it counts as held otherwise.
struct outcome {
  bool came = false;  ///< to the call that was to fail
  std::string text = std::string(300, ' ');
};

/// Tries what `make()` gives: its act() may fail, and expect_right() then acts again.
template <class Make>
void try_once(kind of, std::int64_t at, bool lasting, const Make& make, outcome& found) {
  auto trial = make();
  std::exception_ptr why;
  const auto begin = std::chrono::steady_clock::now();
  arm(of, at, lasting);
  try {
    trial.act();
  } catch (...) {
    why = std::current_exception();
  }
  disarm();
  found.came = reached();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, patience) << "a deadline ended it";
  found.text = "did without";
  if (why) hear(of, why, found.text);
  EXPECT_TRUE(found.came || !why) << found.text;
  why = nullptr;
  trial.expect_right();
}

template <class Make>
void fail_each(const std::string& name, kind of, const density& tried, const Make& make) {
  std::set_terminate([] {
    std::fprintf(stderr, "std::terminate: %s\n", trying);
    std::abort();
  });
  std::int64_t points = 0, runs = 0;
  for (int warm = 0; warm < 2; ++warm) {  // what is made once in a process
    auto trial = make();
    arm(of, std::int64_t{1} << 60, false);
    trial.act();
    points = disarm();
    trial.expect_right();
  }
  const bool all = std::getenv("GOSSAMER_TEST_ALL_POINTS") != nullptr;
  const std::int64_t apart = std::max<std::int64_t>(1, (points - tried.first) / tried.others);
  std::map<std::string, int> texts;
  for (const bool lasting : {false, true}) {
    outcome found{true};
    for (std::int64_t at = 1; found.came;
         at += all || at < tried.first ? 1 : 1 + drawn_below(2 * apart - 1)) {
      std::snprintf(trying, sizeof trying, "%s, call %lld%s", name.c_str(),
                    static_cast<long long>(at), lasting ? " and all behind it" : "");
      SCOPED_TRACE(trying);
      // Each later run begins where the one before has given all back: nothing changes meanwhile,
      // and waiting to see that took most of the time.
      const holdings before = at == 1 ? held_at_rest() : held();
      try_once(of, at, lasting, make, found);
      const holdings now = held_at_rest(before);
      EXPECT_EQ(now, before);
      if (::testing::Test::HasFailure()) return;
      ++runs;
      // Without the folder, which is another each time.
      if (found.came) ++texts[found.text.substr(found.text.rfind('/') + 1)];
    }
  }
  std::cout << name << ": " << points << " points, " << runs << " runs\n";
  for (const auto& [text, n] : texts) std::cout << "  " << n << " x " << text << "\n";
  std::cout.flush();
}

}  // namespace gossamer::faults
