// Shortest paths by the host-driven worklist with its kernels' own source, on GPUs that are not
// there (tests/fake_gpu): of one process, and with GOSSAMER_TEST_PROCESSES of several, under
// `mpirun -n P`. Distances are Dijkstra's, by either route; arenas are those that were planned.
#include "algorithm/host_driven/cuda/engine.hpp"
#include "algorithm/sssp/async/cuda/from_source.hpp"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "unit/algorithm/host_driven/slow_lists.hpp"

namespace gossamer::testing_host_loop {
namespace {

using namespace testing_graphs;
using distance = std::uint32_t;
using arc_weight = sssp_detail::weight_of<distance>;
using engine =
    algorithm_detail::cuda::host_list_engine<sssp_detail::shortest_sums<distance>, arc_weight,
                                             sssp_detail::cuda::from_source<distance>>;

struct found {
  std::vector<distance> distances;
  std::int64_t sent = 0;  ///< by all ranks
};

/// One rank's rows in its GPU's memory, and the engine on them.
struct searcher {
  /// `short_rows`: blocks may go some steps alone.
  searcher(const machine& m, const graph& g, const std::vector<std::int64_t>& first, int self,
           const host_list_options& options, bool short_rows)
      : rows(g.visit([&](const auto& view) {
          using id = std::remove_cvref_t<decltype(view.indices[0])>;
          const auto me = static_cast<std::size_t>(self);
          const auto& weights = std::get<shared_array<arc_weight>>(g.weights);
          return dataflow::cuda::csr_rows<arc_weight>(
              m[self],
              weighted_rows<id, arc_weight>{first[me + 1] - first[me], g.offsets.data() + first[me],
                                            view.indices.data(), weights.data()});
        })),
        lists(m, {}, rows.rows(), first, self, options, short_rows) {}

  dataflow::cuda::csr_rows<arc_weight> rows;
  engine lists;
};

found search(machine& m, const graph& g, std::int64_t source, const host_list_options& options,
             bool short_rows) {
  const auto first = arc_ranges(g.offsets.span(), m.size());
  found all;
  all.distances.resize(static_cast<std::size_t>(g.vertices()));
  run_options run;
  run.deadline = std::chrono::seconds(60);
  std::vector<std::unique_ptr<searcher>> ranks;
  int teller = -1;  // one rank of each process
  for (int r = 0; r < m.size(); ++r) {
    run.arenas.push_back(engine::memory(m, first, r, g.arcs(), options).windows);
    ranks.push_back(m.here(r) ? std::make_unique<searcher>(m, g, first, r, options, short_rows)
                              : nullptr);
    if (teller < 0 && m.here(r)) teller = r;
  }
  m.run(
      [&](rank& r) {
        const auto me = static_cast<std::size_t>(r.id());
        engine& lists = ranks[me]->lists;
        lists.run(r, {static_cast<std::int32_t>(source)});
        std::vector<distance> mine(all.distances.size());
        lists.download(mine.data() + first[me]);
        const auto values = of_all_ranks<distance>(r, mine);
        const auto sent = of_all_ranks<std::int64_t>(r, std::span(&lists.counters().sent, 1));
        if (r.id() != teller) return;
        for (std::size_t rank = 0; rank < sent.size(); ++rank) {
          all.sent += sent[rank];
          const auto* const its = values.data() + rank * mine.size();
          std::copy(its + first[rank], its + first[rank + 1], all.distances.begin() + first[rank]);
        }
      },
      run);
  return all;
}

class HostListEngine : public on_machine_and_route {};

TEST_P(HostListEngine, AgreesWithDijkstra) {
  std::int64_t sent = 0;
  for (int number = 0; number < 8; ++number) {
    const graph g = with_weights(number);
    SCOPED_TRACE(g.name);
    options_.packet = number % 3 == 0 ? 8 : number % 3 == 1 ? 100 : 0;
    options_.delta = 40 * (1 + number % 20);
    const std::int64_t source = g.vertices() / 2;
    const auto got = search(machine_, g, source, options_, number % 2 == 0);
    ASSERT_EQ(got.distances, serial_distances<distance>(g, source));
    sent += got.sent;
  }
  EXPECT_GT(sent, 0);
}

#ifdef GOSSAMER_TEST_PROCESSES
const auto machines = ::testing::Values("mpi:cuda");
#else
const auto machines = ::testing::Values("cuda:0-1", "cuda:0*3");
#endif

INSTANTIATE_TEST_SUITE_P(Machines, HostListEngine,
                         ::testing::Combine(machines, ::testing::Values(message_route::direct,
                                                                        message_route::ring)));

}  // namespace
}  // namespace gossamer::testing_host_loop
