// Transport `mpi`: this program under `mpirun -n P`, one rank a process. Every process runs every
// test; one that fails anywhere fails the job. With GOSSAMER_MPI_SHARED=off all is messages.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <span>
#include <thread>
#include <vector>

#include "conformance/fabric_suite.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(mpi, fabric, ::testing::Values("mpi:1"), spec_name<std::string>);

TEST(mpi, is_one_rank_a_process) {
  const machine m = machine::open("mpi:1");
  EXPECT_EQ(m.fabric(), "mpi");
  const char* processes = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (processes == nullptr) processes = std::getenv("PMI_SIZE");
  EXPECT_EQ(m.size(), processes != nullptr ? std::atoi(processes) : 1);
  int here = 0;
  for (int r = 0; r < m.size(); ++r) here += m.here(r) ? 1 : 0;
  EXPECT_EQ(here, 1);
  const char* shared = std::getenv("GOSSAMER_MPI_SHARED");
  const bool direct = shared == nullptr || std::string(shared) != "off";
  for (int r = 0; r + 1 < m.size(); ++r) {
    EXPECT_EQ(m.between(r, r + 1).load_store, direct);
    EXPECT_EQ(m.between(r, r + 1).proxied, !direct);
  }
}

TEST(mpi, refuses_in_every_process_what_ranks_do_not_agree_on) {
  machine m = machine::open("mpi:1");
  if (m.size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  run_options options;
  options.terms = {{"program", "test"}, {"depth", m.here(m.size() - 1) ? "2" : "1"}};
  const std::string who = "test: rank " + std::to_string(m.size() - 1);
  for (int i = 0; i < 3; ++i) {
    bool begun = false;
    try {
      m.run([&](rank&) { begun = true; }, options);
      ADD_FAILURE() << "it ran";
    } catch (const usage_error& e) {
      EXPECT_EQ(e.what(), who + " differs from rank 0 in depth (2 against 1)");
    }
    EXPECT_FALSE(begun);
    m.run([](rank& r) { r.barrier(); });  // as good as before
  }
  options.terms[1].value = "1";
  m.run([](rank& r) { r.barrier(); }, options);
  options.trace = m.here(0) ? std::make_shared<timeline>() : nullptr;
  EXPECT_THROW(m.run([](rank&) {}, options), usage_error);
}

namespace {

using instant = std::chrono::nanoseconds;  ///< of the clock that all processes of a host share

struct spell {
  instant begin{}, end{};
  [[nodiscard]] instant length() const { return end - begin; }
};

instant now() {
  return steady::now().time_since_epoch();
}

/// The last rank computes for a second without a fabric call; rank 0 asks it for tickets meanwhile.
struct meeting {
  spell computed;            ///< known to every rank
  std::vector<spell> calls;  ///< rank 0's
  /// The other had begun and not yet ended when rank 0 first asked.
  [[nodiscard]] bool took_place() const {
    return calls[0].begin >= computed.begin && calls[0].begin < computed.end;
  }
  /// The shortest call that was answered while the other computed; the longest time when none was.
  [[nodiscard]] instant quickest() const {
    instant best = instant::max();
    for (const auto& c : calls)
      if (c.begin >= computed.begin && c.end <= computed.end) best = std::min(best, c.length());
    return best;
  }
};

/// Collective.
meeting meet(rank& r, const window<std::uint64_t>& w, int tickets) {
  const int desk = r.size() - 1;
  meeting all;
  r.barrier();
  spell mine{now(), {}};
  if (r.id() == desk) {
    while (now() - mine.begin < 1s) continue;
  } else if (r.id() == 0) {
    std::this_thread::sleep_for(250ms);  // until the other has left its barrier
    for (int i = 0; i < tickets; ++i) {
      const instant begin = now();
      r.fetch_add(w, desk, 0, 1);
      all.calls.push_back({begin, now()});
    }
  }
  mine.end = now();
  std::vector<spell> of_all(static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(of_all)));
  all.computed = of_all.back();
  return all;
}

/// Again while rank 0 came too early or too late, as it may on cores that others use too.
meeting meet_on(machine& m, int tickets) {
  meeting last;
  m.run([&](rank& r) {
    auto w = r.make_window<std::uint64_t>(1);
    r.fill(w.local().data(), 0, sizeof(std::uint64_t));
    meeting mine;
    int met = 0, asked = 0;
    while (met == 0 && asked < 5) {
      mine = meet(r, w, tickets);
      ++asked;
      met = r.id() == 0 && mine.took_place() ? 1 : 0;
      std::vector<int> of_all(static_cast<std::size_t>(r.size()));
      r.exchange(std::as_bytes(std::span(&met, 1)), std::as_writable_bytes(std::span(of_all)));
      met = of_all.front();
    }
    EXPECT_EQ(met, 1) << "rank 0 never asked while the other computed";
    if (r.id() == 0) {
      EXPECT_EQ(r.fetch_add(w, r.size() - 1, 0, 0), static_cast<std::uint64_t>(asked * tickets));
      last = mine;
    }
    r.barrier();
  });
  return last;
}

}  // namespace

// What docs/mpi.md says of it: microseconds, about a millisecond, or all of the second.
TEST(mpi, a_rank_that_computes_is_served_by_memory_or_a_progress_thread) {
  machine m = machine::open("mpi:1");
  if (m.size() == 1) GTEST_SKIP() << "one rank asks nobody";
  const bool direct = m.between(0, m.size() - 1).load_store;
  const char* progress = std::getenv("GOSSAMER_MPI_PROGRESS");
  const bool served = progress != nullptr && std::string(progress) == "on";
  // The quickest of some where there is no need to wait: this process, too, may have to for a core.
  const meeting found = meet_on(m, direct || served ? 20 : 1);
  if (!m.here(0)) return;
  const auto milliseconds = [](instant t) { return std::chrono::duration<double, std::milli>(t); };
  std::cout << "fetch_add on a rank that computes: first "
            << milliseconds(found.calls[0].length()).count() << " ms\n";
  if (direct) {
    EXPECT_LT(found.quickest(), 100us);
  } else if (served) {
    EXPECT_LT(found.quickest(), 50ms);
  } else {
    const instant answered = found.calls[0].end;
    EXPECT_GE(answered, found.computed.end) << "answered by a rank that makes no call";
    EXPECT_LT(answered, found.computed.end + 5s);
  }
}

}  // namespace gossamer::conformance
