// Transport `mpi` between GPUs: this program under `mpirun -n P`, a GPU a process (processes share
// GPUs where there are fewer). Linked with tests/fake_gpu it runs the same on a host without any.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "conformance/fabric_suite.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::conformance {

INSTANTIATE_TEST_SUITE_P(mpi_gpu, fabric, ::testing::Values("mpi:cuda"), spec_name<std::string>);

namespace {

bool is_set(const char* name, const char* value) {
  const char* found = std::getenv(name);
  return found != nullptr && std::string(found) == value;
}

class mpi_gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  }
  static run_options bounds() {
    run_options options;
    options.deadline = 30s;
    options.arenas = {{std::size_t{16} << 20, std::size_t{16} << 20}};
    return options;
  }
};

}  // namespace

TEST_F(mpi_gpu, is_one_gpu_a_process) {
  const machine m = machine::open("mpi:cuda");
  EXPECT_EQ(m.fabric(), "mpi");
  const auto gpus = static_cast<int>(cuda_devices().size());
  const bool shared = !is_set("GOSSAMER_MPI_SHARED", "off");
  int here = 0;
  for (int r = 0; r < m.size(); ++r) {
    EXPECT_TRUE(m[r].is_cuda());
    EXPECT_EQ(m[r].process, r);
    EXPECT_EQ(m[r].ordinal, r % gpus) << "this job runs on one host";
    EXPECT_EQ(m[r].share, (m.size() - r % gpus + gpus - 1) / gpus);
    EXPECT_EQ(shared_kernels(m[r]), sharing::in_turn);
    here += m.here(r) ? 1 : 0;
    for (int other = 0; other < m.size(); ++other) {
      EXPECT_EQ(m.between(r, other).load_store, r == other);
      EXPECT_EQ(m.between(r, other).atomic, r == other);
      EXPECT_EQ(m.between(r, other).shares_host, r == other || shared);
    }
  }
  EXPECT_EQ(here, 1);
  EXPECT_EQ(m.all_direct(), m.size() == 1);
  if (is_set("GOSSAMER_MPI_CUDA", "on")) {
    EXPECT_EQ(gpu_messages(m), "CUDA-aware MPI");
  }
  if (is_set("GOSSAMER_MPI_CUDA", "off")) {
    EXPECT_EQ(gpu_messages(m), "pinned host memory");
  }
}

TEST_F(mpi_gpu, kernels_that_wait_are_refused) {
  machine m = machine::open("mpi:cuda");
  try {
    m.run([](rank& r) { static_cast<void>(r.guard()); });
    ADD_FAILURE() << "kernels may wait";
  } catch (const std::exception& e) {  // the others are told of the first that was refused
    const std::string text = e.what();
    EXPECT_NE(text.find("kernels of different processes cannot wait for each other"),
              std::string::npos)
        << text;
  }
}

// Counters in host memory that processes share could be raised past messages.
TEST_F(mpi_gpu, no_signal_overtakes_data_whatever_memory_both_are_in) {
  machine m = machine::open("mpi:cuda");
  for (const home data : homes)
    for (const home flags : homes)
      for (const std::size_t n : {std::size_t{1}, std::size_t{500}, std::size_t{40000}})
        m.run(
            [&](rank& r) {
              const auto p = static_cast<std::size_t>(r.size()), me = std::size_t(r.id());
              auto w = r.make_window<std::uint64_t>(n * p, data);
              auto arrived = r.make_signals(p, flags);
              auto from = r.scratch<std::uint64_t>(n);
              std::size_t wrong = 0;
              for (std::uint64_t round = 1; round <= 8; ++round) {
                std::vector<std::uint64_t> values(n);
                for (std::size_t i = 0; i < n; ++i) values[i] = pattern(me, 0, i, round);
                assign(r, from, values);
                for (int peer = 0; peer < r.size(); ++peer)
                  r.put_signal(w, peer, n * me, from, arrived[me], round);
                for (std::size_t peer = 0; peer < p; ++peer)
                  r.wait_signal(arrived[peer], round, static_cast<int>(peer));
                const auto got = contents(r, w);
                for (std::size_t i = 0; i < got.size(); ++i)
                  wrong += got[i] != pattern(i / n, 0, i % n, round);
                r.barrier();
              }
              EXPECT_EQ(wrong, 0u) << n << " words, rank " << r.id();
            },
            bounds());
}

// A put takes its source in the order of its stream: what later work writes there is not sent.
TEST_F(mpi_gpu, a_source_may_change_in_stream_order) {
  machine m = machine::open("mpi:cuda");
  for (const std::size_t n : {std::size_t{8}, std::size_t{1} << 20})
    m.run(
        [&](rank& r) {
          const int peer = (r.id() + 1) % r.size();
          auto w = r.make_window<std::byte>(4 * n);
          auto from = r.scratch<std::byte>(n);
          for (int turn = 0; turn < 4; ++turn) {
            r.fill(from.data(), turn + 1, n);
            r.put(w, peer, n * static_cast<std::size_t>(turn), from);
          }
          r.fill(from.data(), 99, n);
          r.barrier();
          const auto got = contents(r, w);
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < got.size(); ++i)
            wrong += got[i] != static_cast<std::byte>(i / n + 1);
          EXPECT_EQ(wrong, 0u);
          r.barrier();
        },
        bounds());
}

// The last rank fails while large puts are on their way to it; what MPI still holds of them must
// not reach into the next run.
TEST_F(mpi_gpu, a_failure_under_large_puts_leaves_the_machine_usable) {
  machine m = machine::open("mpi:cuda");
  if (m.size() == 1) GTEST_SKIP() << "one rank sends to nobody";
  constexpr std::size_t n = std::size_t{1} << 18;
  for (int again = 0; again < 3; ++again) {
    EXPECT_ANY_THROW(m.run(
        [&](rank& r) {
          auto w = r.make_window<std::uint64_t>(n);
          auto from = r.scratch<std::uint64_t>(n);
          r.fill(from.data(), 0x77, n * sizeof(std::uint64_t));
          r.barrier();
          if (r.id() == r.size() - 1) throw std::runtime_error("enough");
          for (;;) r.put(w, r.size() - 1, 0, from);
        },
        bounds()));
    m.run(
        [&](rank& r) {
          auto w = r.make_window<std::uint64_t>(n);
          auto from = r.scratch<std::uint64_t>(n);
          const int peer = (r.id() + 1) % r.size(), before = (r.id() + r.size() - 1) % r.size();
          r.fill(from.data(), r.id(), n * sizeof(std::uint64_t));
          r.put(w, peer, 0, from);
          r.barrier();
          const auto want = 0x0101010101010101u * static_cast<std::uint64_t>(before);
          EXPECT_EQ(contents(r, w), std::vector<std::uint64_t>(n, want));
          r.barrier();
        },
        bounds());
  }
}

}  // namespace gossamer::conformance
