// Replaying schedules without payload: the same times as running the plans on fabric `sim`, the
// papers' Table 6, mappings that avoid conflicts, a thousand ranks.
#include "gossamer/collective/replay.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <numeric>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/plan.hpp"

namespace gossamer::model {

namespace {

collective_request request(collective_op op, int ranks, std::size_t count) {
  collective_request q;
  q.op = op;
  q.ranks = ranks;
  q.count = count;
  q.element = sizeof(double);
  return q;
}

/// Seconds of the first epoch of a plan on fabric `sim`, from a common start to the last rank's
/// end.
double run(const std::string& system, collective_op op, const std::string& algorithm, int ranks,
           std::size_t count, bool via_host = false) {
  double last = 0;
  run_options options;
  options.arenas = {{std::size_t{64} << 20, std::size_t{64} << 20}};
  machine::open("sim:" + system + ",ranks=" + std::to_string(ranks))
      .run(
          [&](rank& r) {
            const auto p = static_cast<std::size_t>(r.size());
            auto in = r.scratch<double>(count * p);
            auto w = r.make_window<double>(count * p);
            std::iota(in.begin(), in.end(), r.id());
            plan_options o;
            o.algorithm = algorithm;
            o.via_host = via_host;
            auto plan =
                op == collective_op::allgather
                    ? plan_allgather<double>(r, in.first(count), w, o)
                    : plan_allreduce<double>(r, in.first(count), output_range<double>(w, 0, count),
                                             reduction::sum, o);
            // Everybody begins at the same time, as the replay has it.
            r.exchange({}, {});
            const double begin = r.clock();
            plan.run();
            last = std::max(last, r.clock() - begin);
          },
          options);
  return last;
}

}  // namespace

TEST(replay, takes_the_time_of_the_plan_on_the_fabric) {
  for (const char* system : {"peach2", "hapacs-ib", "h200"})
    for (const int ranks : {2, 4, 7, 8})
      for (const std::size_t count : {1u, 100u, 20000u})
        for (const auto& [op, algorithm] :
             {std::pair{collective_op::allgather, "recursive_doubling"},
              std::pair{collective_op::allgather, "ring"},
              std::pair{collective_op::allreduce, "dissemination"},
              std::pair{collective_op::allreduce, "ring"}}) {
          auto q = request(op, ranks, count);
          q.direct = true;
          const schedule s(q, algorithm);
          const double replayed = replay(s, load_system(system), memory::device).seconds;
          const double there = run(system, op, algorithm, ranks, count);
          EXPECT_NEAR(replayed, there, 0.05 * there)
              << s.text().substr(0, s.text().find('\n')) << " on " << system;
        }
}

TEST(replay, takes_the_time_of_the_plan_through_host_memory) {
  for (const char* system : {"peach2", "hapacs-ib"})
    for (const int ranks : {2, 4, 7})
      for (const std::size_t count : {1u, 3000u, 20000u})
        for (const auto& [op, algorithm, via_host] :
             {std::tuple{collective_op::allgather, "recursive_doubling", true},
              std::tuple{collective_op::allgather, "ring_host", false},
              std::tuple{collective_op::allreduce, "recursive_doubling", true}}) {
          auto q = request(op, ranks, count);
          q.direct = true;
          q.via_host = via_host;
          const schedule s(q, algorithm);
          const double replayed = replay(s, load_system(system), memory::device).seconds;
          const double there = run(system, op, algorithm, ranks, count, via_host);
          EXPECT_NEAR(replayed, there, 0.05 * there)
              << s.text().substr(0, s.text().find('\n')) << " on " << system;
        }
}

TEST(replay, a_plan_without_options_does_what_the_systems_software_does) {
  machine::open("sim:hapacs-ib,ranks=4").run([](rank& r) {
    auto in = r.scratch<double>(1024);
    auto out = r.make_window<double>(4096);
    const auto plan = plan_allgather<double>(r, in, out);
    EXPECT_EQ(plan.what().algorithm().name, "recursive_doubling");
    EXPECT_TRUE(plan.what().request().via_host);
    double value = 1, sum = 0;
    const auto scalar = plan_allreduce<double>(r, std::span<const double>(&value, 1),
                                               std::span<double>(&sum, 1), reduction::sum);
    EXPECT_EQ(scalar.what().algorithm().name, "recursive_doubling");
    plan_options pinned;
    pinned.algorithm = "ring";
    EXPECT_FALSE(plan_allgather<double>(r, in, out, pinned).what().request().via_host);
  });
}

TEST(replay, the_8_byte_reduce_on_the_cpu_is_within_30_percent) {
  // Paper E, 4.4: 6.3 us on 16 nodes.
  auto q = request(collective_op::reduce, 16, 1);
  q.apart = true;
  const double ours =
      replay(schedule(q, "direct_host"), load_system("peach2"), memory::device).seconds;
  EXPECT_NEAR(ours, 6.3e-6, 0.3 * 6.3e-6);
}

TEST(replay, the_parts_add_up) {
  for (const std::size_t count : {1u, 100000u}) {
    const schedule s(request(collective_op::broadcast, 16, count), "binomial");
    const auto found = replay(s, load_system("peach2"), memory::device);
    EXPECT_NEAR(found.parts.total(), found.seconds, 1e-9 + 1e-6 * found.seconds);
    EXPECT_EQ(found.parts.largest(), count == 1 ? "latency" : "moving");
    EXPECT_EQ(found.bytes, 15 * count * sizeof(double));
  }
}

TEST(replay, table_6_is_within_a_fifth) {
  // Paper E, Table 6: scalar allreduce between CPUs by PIO.
  const double published[] = {1.5e-6, 2.6e-6, 5.0e-6, 6.4e-6};
  int i = 0;
  for (const int ranks : {2, 4, 8, 16}) {
    const schedule s(request(collective_op::allreduce, ranks, 1), "dissemination");
    const double ours = replay(s, load_system("peach2"), memory::host).seconds;
    std::printf("%2d ranks: published %.1f us, replayed %.2f us\n", ranks, published[i] * 1e6,
                ours * 1e6);
    EXPECT_NEAR(ours, published[i], 0.2 * published[i]) << ranks << " ranks";
    ++i;
  }
}

TEST(replay, a_searched_mapping_beats_the_identity_for_recursive_doubling) {
  const auto peach2 = load_system("peach2");
  for (const int ranks : {8, 16}) {
    auto q = request(collective_op::allgather, ranks, 8192);
    const schedule plain(q, "recursive_doubling");
    const auto before = conflicts(plain, peach2);
    const double slow = replay(plain, peach2, memory::device).seconds;
    q.mapping = search_mapping(q, "recursive_doubling", peach2);
    EXPECT_EQ(q.mapping[0], 0);
    const schedule mapped(q, "recursive_doubling");
    const auto after = conflicts(mapped, peach2);
    const double fast = replay(mapped, peach2, memory::device).seconds;
    std::printf("%d ranks, conflicts per step: identity", ranks);
    for (const int c : before) std::printf(" %d", c);
    std::printf(" (%.1f us), searched", slow * 1e6);
    for (const int c : after) std::printf(" %d", c);
    std::printf(" (%.1f us)\n", fast * 1e6);
    ASSERT_EQ(after.size(), before.size());
    // Conflicts end up in the first steps, which are small.
    EXPECT_LE(after.back(), before.back());
    EXPECT_LT(fast, slow) << ranks << " ranks";
  }
}

TEST(replay, a_thousand_ranks_take_seconds) {
  const auto begin = std::chrono::steady_clock::now();
  const schedule s(request(collective_op::allgather, 1024, 1024), "recursive_doubling");
  const auto found = replay(s, load_system("hapacs-ib", {"largest=1024", "network.size=[18, 64]"}),
                            memory::device);
  EXPECT_EQ(found.transfers, 1024u * 10);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace gossamer::model
