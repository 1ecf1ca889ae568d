// BFS with ranks that are MPI processes (with GOSSAMER_TEST_GPU, GPUs of theirs): every process has
// the whole result, and it is the one that a machine of one CPU rank finds.
#include <gtest/gtest.h>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/graph/generators.hpp"
#include "unit/algorithm/bfs/vector_queue_account.hpp"
#include "unit/algorithm/message_accounts.hpp"

namespace gossamer {

namespace {

#ifdef GOSSAMER_TEST_GPU
constexpr const char* spec = "mpi:cuda";
#else
constexpr const char* spec = "mpi:1";
#endif

void check(const graph& g, const place_options& place_by, bfs_options options) {
  machine processes = machine::open(spec), alone = machine::open("cpu:1x1");
  options.deterministic = true;
  const auto placed = std::make_shared<const placed_graph>(place(processes, g, place_by));
  const auto whole = std::make_shared<const placed_graph>(place(alone, g));
  bfs_options sync;
  sync.deterministic = true;
  bfs_search search(placed, options), reference(whole, sync);
  for (const std::int64_t source : draw_sources(g, 3, 5)) {
    const bfs_result found = search.run(source), wanted = reference.run(source);
    EXPECT_EQ(found.reached, wanted.reached);
    EXPECT_EQ(found.levels, wanted.levels);
    EXPECT_EQ(found.arcs_of_reached, wanted.arcs_of_reached);
    ASSERT_EQ(found.parts().size(), static_cast<std::size_t>(processes.size()));
    const auto parents = found.parents(), same = wanted.parents();
    const auto depths = found.depths(), equal = wanted.depths();
    EXPECT_TRUE(std::equal(parents.begin(), parents.end(), same.begin()));
    EXPECT_TRUE(std::equal(depths.begin(), depths.end(), equal.begin()));
    const auto verdict = verify_bfs(g, source, parents.span(), depths.span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
    EXPECT_EQ(found.phases.back().first == "gather", processes.size() > 1);
  }
}

}  // namespace

TEST(BfsOnProcesses, EveryProcessHasTheWholeResult) {
#ifdef GOSSAMER_TEST_GPU
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
#endif
  const graph g = generate(parse_generator("kron:11"));
  for (const auto direction :
       {bfs_direction::automatic, bfs_direction::top_down, bfs_direction::bottom_up}) {
    bfs_options options;
    options.direction = direction;
    check(g, {}, options);
  }
  place_options scattered;
  scattered.partition = "hash";
  scattered.renumber = "degree";
  check(g, scattered, {});
}

// Every process knows what all have sent, by shared memory or by messages.
TEST(BfsOnProcesses, PublishedMessagesHavePaperBsBytes) {
#ifdef GOSSAMER_TEST_GPU
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
#endif
  machine processes = machine::open(spec);
  bfs_options options;
  options.engine = "published";
  for (const graph& g : {testing_graphs::dense(), testing_graphs::dense<vertex64>()}) {
    const auto found = bfs(processes, g, 1, options);
    testing_graphs::expect_published_account(found, processes.size());
    const auto verdict = verify_bfs(g, 1, found.parents().span(), found.depths().span());
    EXPECT_TRUE(verdict.ok) << verdict.reason;
  }
}

// Paper A's search: queues by puts, and by loads where processes share memory.
TEST(BfsOnProcesses, VectorQueueFindsTheSame) {
#ifdef GOSSAMER_TEST_GPU
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
#endif
  const graph g = testing_graphs::dense();
  machine processes = machine::open(spec);
  bfs_options options;
  options.engine = "vector_queue";
  for (const char* transport : {"copy", "direct"}) {
    options.transport = transport;
    if (options.transport == "direct" && !processes.all_direct()) {
      EXPECT_THROW(bfs(processes, g, 1, options), usage_error);
      continue;
    }
    check(g, {}, options);
    testing_graphs::expect_vector_queue_account(bfs(processes, g, 1, options), processes.size(),
                                                testing_graphs::serial_bfs(g, 1));
  }
}

// Without levels: parcels of work, and termination that processes agree on.
TEST(BfsOnProcesses, TheAsyncEngineFindsTheSame) {
#ifdef GOSSAMER_TEST_GPU
  GTEST_SKIP() << "engine async is for CPU ranks";
#endif
  const graph g = generate(parse_generator("kron:11"));
  machine processes = machine::open("mpi:1");
  bfs_options options;
  options.engine = "async";
  check(g, {}, options);
  place_options scattered;
  scattered.partition = "hash";
  check(generate(parse_generator("road:40")), scattered, options);
  options.balance = "steal";
  check(g, {}, options);
  check(generate(parse_generator("road:40")), scattered, options);
  options.balance = "none";
  const auto found = bfs(processes, g, draw_sources(g, 1, 5).front(), options);
  ASSERT_TRUE(found.work.has_value());
  EXPECT_EQ(found.work->items - found.work->repeated, found.reached);
  EXPECT_EQ(found.messages[1].bytes, found.work->bytes);
  EXPECT_EQ(found.work->sent > 0, processes.size() > 1);
}

// The worklist that each process's host thread drives on its GPU: links carry its messages.
TEST(BfsOnProcesses, TheHostEngineFindsTheSame) {
#ifndef GOSSAMER_TEST_GPU
  GTEST_SKIP() << "engine host is for GPUs";
#endif
  if (cuda_devices().empty()) GTEST_SKIP() << cuda_unavailable_reason();
  bfs_options options;
  options.engine = "host";
  machine processes = machine::open(spec);
  for (const char* name : {"kron:11", "road:40", "path:300"}) {
    SCOPED_TRACE(name);
    const graph g = generate(parse_generator(name));
    for (const char* route : {"direct", "ring"}) {
      options.route = route;
      for (const std::int64_t packet : {0, 64}) {
        options.packet = packet;
        check(g, {}, options);
      }
    }
    const auto found = bfs(processes, g, draw_sources(g, 1, 5).front(), options);
    ASSERT_TRUE(found.work.has_value());
    EXPECT_EQ(found.work->items - found.work->repeated, found.reached);
  }
}

// A run of tasks a level, whose end processes agree on.
TEST(BfsOnProcesses, TheTasksEngineFindsTheSame) {
#ifdef GOSSAMER_TEST_GPU
  GTEST_SKIP() << "engine tasks is for CPU ranks";
#endif
  bfs_options options;
  options.engine = "tasks";
  const graph g = generate(parse_generator("kron:11"));
  check(g, {}, options);
  place_options scattered;
  scattered.partition = "hash";
  check(generate(parse_generator("road:40")), scattered, options);
  machine processes = machine::open("mpi:1");
  const auto found = bfs(processes, g, draw_sources(g, 1, 5).front(), options);
  EXPECT_EQ(found.messages[1].bytes > 0, processes.size() > 1);
}

TEST(BfsOnProcesses, MessagesAreWhatGraphAndPlacementAskFor) {
  machine processes = machine::open("mpi:1");
  const graph g = testing_graphs::dense();
  const auto want = testing_graphs::serial_bfs(g, 1);
  const auto placed = std::make_shared<const placed_graph>(place(processes, g));
  for (const auto direction : {bfs_direction::top_down, bfs_direction::bottom_up}) {
    bfs_options options;
    options.direction = direction;
    const auto out = direction == bfs_direction::top_down
                         ? testing_graphs::top_down_account(*placed, want)
                         : testing_graphs::bottom_up_account(*placed, want);
    testing_graphs::expect_account(bfs_search(placed, options).run(1), processes, want, out);
  }
}

}  // namespace gossamer
