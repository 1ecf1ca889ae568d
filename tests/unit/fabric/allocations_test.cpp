// The promise of window.hpp and rank.hpp: inside a run no call allocates or registers memory, once
// windows and lists are made. Counted for every kind of transfer, on threads and on GPUs.
#include "unit/fabric/allocations.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/spec.hpp"
#include "on_machine.hpp"

namespace gossamer {
namespace {

using testing::allocations;

class fabric_allocations : public ::testing::TestWithParam<std::string> {
 protected:
  /// Runs `prepare` on every rank, and what it returns twenty times; counts the last nineteen.
  void expect_none(const char* what,
                   const std::function<std::function<void(std::uint64_t)>(rank&)>& prepare) {
    try {
      static_cast<void>(resolve_spec(GetParam()));
    } catch (const usage_error& e) {
      GTEST_SKIP() << e.what();
    }
    auto m = machine::open(GetParam());
    std::vector<std::uint64_t> counted(static_cast<std::size_t>(m.size()));
    m.run([&](rank& r) {
      const auto once = prepare(r);
      r.barrier();
      once(1);
      r.barrier();
      const std::uint64_t before = allocations;
      for (std::uint64_t turn = 2; turn <= 20; ++turn) once(turn);
      counted[static_cast<std::size_t>(r.id())] = allocations - before;
      r.barrier();
    });
    for (std::size_t r = 0; r < counted.size(); ++r)
      EXPECT_EQ(counted[r], 0u) << what << ", rank " << r;
  }
};

constexpr home homes[] = {home::native, home::host};

TEST(counting, sees_an_allocation) {
  const std::uint64_t before = allocations;
  std::vector<int> some(100);
  EXPECT_GE(allocations - before, 1u) << some.size();
#if defined(GOSSAMER_TEST_GPU)
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  const std::uint64_t here = allocations;
  buffer<char> pinned(memory_kind::pinned, 0, 100);
  EXPECT_GE(allocations - here, 1u) << "cudaHostAlloc is not counted";
#endif
}

TEST_P(fabric_allocations, starting_a_put_list) {
  for (const home where : homes)
    expect_none("put_list::start", [&](rank& r) {
      const std::size_t p = static_cast<std::size_t>(r.size()), n = 1000;
      auto w = r.make_window<std::uint64_t>(n * p, where);
      auto flags = r.make_signals(p, where);
      const auto from = r.scratch<std::uint64_t>(n, home::host);
      const auto me = static_cast<std::size_t>(r.id());
      auto list = std::make_shared<put_list>(r.make_put_list());
      for (int peer = 0; peer < r.size(); ++peer)
        list->put_signal(w, peer, n * me, from, flags[me]).put(w, peer, n * me, from.first(8));
      return [&r, list, flags](std::uint64_t turn) {
        list->start();
        for (int peer = 0; peer < r.size(); ++peer)
          r.wait_signal(flags[static_cast<std::size_t>(peer)], turn, peer);
        r.synchronize();
      };
    });
}

TEST_P(fabric_allocations, single_operations) {
  for (const home where : homes)
    expect_none("put, get, signals, atomics, barrier", [&](rank& r) {
      auto w = r.make_window<std::uint64_t>(100, where);
      auto flags = r.make_signals(2, where);
      const auto from = r.scratch<std::uint64_t>(100, home::host);
      const auto into = r.scratch<std::uint64_t>(100, home::host);
      return [&r, w, flags, from, into](std::uint64_t turn) {
        const int next = (r.id() + 1) % r.size();
        r.put_signal(w, next, 0, from, flags[0], turn);
        r.wait_signal(flags[0], turn);
        r.raise(flags[1], next, 1, signal_op::add);
        r.wait_any(flags, 1, 1, turn);
        r.get(w, next, 0, into);
        r.flush(next);
        r.fetch_add(w, next, 99, 1);
        r.compare_and_swap(w, next, 98, 0, 1);
        r.barrier();
      };
    });
}

TEST_P(fabric_allocations, scalar_collectives) {
  expect_none("allreduce and allgather", [](rank& r) {
    auto plan = std::make_shared<scalar_plan<double>>(r);
    auto all = std::make_shared<std::vector<double>>(static_cast<std::size_t>(r.size()));
    return [plan, all](std::uint64_t turn) {
      plan->allreduce(static_cast<double>(turn), reduction::sum);
      plan->allgather(1.0, *all);
    };
  });
}

INSTANTIATE_TEST_SUITE_P(machines, fabric_allocations,
                         ::testing::ValuesIn(testing_machines::cpus_or_gpus(
                             {"cpu:1x1", "cpu:2x1", "cpu:5x1"},
                             {"cuda:0", "cuda:0*2", "cpu:1x1+cuda:0", "cuda:0-1"})),
                         testing_machines::spec_name<std::string>);

}  // namespace
}  // namespace gossamer
