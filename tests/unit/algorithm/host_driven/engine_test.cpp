// Shortest paths by the host-driven worklist with its kernels' own source, on GPUs that are not
// there (tests/fake_gpu): of one process, and with GOSSAMER_TEST_PROCESSES of several, under
// `mpirun -n P`. CPU ranks stand beside them, and alone. Distances are Dijkstra's, by either route;
// arenas are those that were planned.
#include "algorithm/host_driven/cuda/engine.hpp"
#include "algorithm/host_driven/cpu_list.hpp"
#include "algorithm/sssp/async/from_source.hpp"
#include "gossamer/dataflow/worklist/cuda/rows.hpp"
#include "message_of.hpp"
#include "unit/algorithm/host_driven/slow_lists.hpp"

namespace gossamer::testing_host_loop {
namespace {

using namespace testing_graphs;
using distance = std::uint32_t;
using arc_weight = sssp_detail::weight_of<distance>;
using engine =
    algorithm_detail::cuda::host_list_engine<sssp_detail::shortest_sums<distance>, arc_weight,
                                             sssp_detail::from_source<distance>>;
template <class Id>
using cpu_engine = algorithm_detail::cpu_list<sssp_detail::shortest_sums<distance>, Id, arc_weight,
                                              sssp_detail::from_source<distance>>;

struct found {
  std::vector<distance> distances;
  std::int64_t sent = 0, stolen = 0;  ///< by all ranks
};

/// `make(rows)`: of one rank's rows, in the graph's own type of ids.
template <class Make>
auto with_rows(const graph& g, const std::vector<std::int64_t>& first, int self, const Make& make) {
  return g.visit([&](const auto& view) {
    using id = std::remove_cvref_t<decltype(view.indices[0])>;
    const auto me = static_cast<std::size_t>(self);
    const auto& weights = std::get<shared_array<arc_weight>>(g.weights);
    return make(weighted_rows<id, arc_weight>{first[me + 1] - first[me],
                                              g.offsets.data() + first[me], view.indices.data(),
                                              weights.data()});
  });
}

/// One rank's lists.
struct searcher {
  virtual ~searcher() = default;
  virtual void run(rank& r, std::int32_t source, distance* own) = 0;
  [[nodiscard]] virtual const worklist_counters& counters() const = 0;
};

template <class Lists>
struct typed_searcher : searcher {
  template <class... From>
  explicit typed_searcher(From&&... from) : lists(std::forward<From>(from)...) {}
  void run(rank& r, std::int32_t source, distance* own) override {
    lists.run(r, {source});
    lists.download(own);
  }
  [[nodiscard]] const worklist_counters& counters() const override { return lists.counters(); }

  Lists lists;
};

/// With the rows in its GPU's memory.
struct gpu_searcher final : private dataflow::cuda::csr_rows<arc_weight>, typed_searcher<engine> {
  /// `short_rows`: blocks may go some steps alone.
  gpu_searcher(const machine& m, const graph& g, const std::vector<std::int64_t>& first, int self,
               const host_list_options& options, bool short_rows)
      : dataflow::cuda::csr_rows<arc_weight>(with_rows(
            g, first, self,
            [&](const auto& rows) { return dataflow::cuda::csr_rows<arc_weight>(m[self], rows); })),
        typed_searcher(m, sssp_detail::shortest_sums<distance>{}, rows(), first, self, options,
                       short_rows) {}
};

std::unique_ptr<searcher> searcher_of(const machine& m, const graph& g,
                                      const std::vector<std::int64_t>& first, int self,
                                      const host_list_options& options, bool short_rows) {
  if (m[self].is_cuda())
    return std::make_unique<gpu_searcher>(m, g, first, self, options, short_rows);
  return with_rows(
      g, first, self,
      [&]<class Id>(const weighted_rows<Id, arc_weight>& rows) -> std::unique_ptr<searcher> {
        return std::make_unique<typed_searcher<cpu_engine<Id>>>(
            m, sssp_detail::shortest_sums<distance>{}, rows, first, self, options);
      });
}

arena_plan arena_of(const machine& m, const std::vector<std::int64_t>& first, int self,
                    std::int64_t arcs, const host_list_options& options) {
  return (m[self].is_cuda() ? engine::memory(m, first, self, arcs, options)
                            : cpu_engine<vertex32>::memory(m, first, self, options))
      .windows;
}

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
    run.arenas.push_back(arena_of(m, first, r, g.arcs(), options));
    ranks.push_back(m.here(r) ? searcher_of(m, g, first, r, options, short_rows) : nullptr);
    if (teller < 0 && m.here(r)) teller = r;
  }
  m.run(
      [&](rank& r) {
        const auto me = static_cast<std::size_t>(r.id());
        std::vector<distance> mine(all.distances.size());
        ranks[me]->run(r, static_cast<std::int32_t>(source), mine.data() + first[me]);
        const auto values = of_all_ranks<distance>(r, mine);
        const auto work = of_all_ranks<worklist_counters>(r, std::span(&ranks[me]->counters(), 1));
        if (r.id() != teller) return;
        for (std::size_t rank = 0; rank < work.size(); ++rank) {
          all.sent += work[rank].sent;
          all.stolen += work[rank].stolen;
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

#ifndef GOSSAMER_TEST_PROCESSES
TEST_P(HostListEngine, WorksOffWhatOthersGrant) {
  bool readable = machine_.all_direct();
  for (int r = 0; r < machine_.size(); ++r) readable = readable && machine_[r].is_cuda();
  options_.steal = true;
  options_.least_grant = 1;
  if (!readable) {
    EXPECT_EQ(
        message_of<usage_error>([&] { search(machine_, with_weights(0), 0, options_, false); }),
        "test: balance 'steal' of engine 'host' needs GPUs of one process that address each "
        "other's "
        "memory");
    return;
  }
  std::int64_t stolen = 0;
  for (int number = 0; number < 8; ++number) {
    const graph g = with_weights(number);
    SCOPED_TRACE(g.name);
    options_.packet = number % 3 == 0 ? 8 : number % 3 == 1 ? 100 : 0;
    options_.delta = 40 * (1 + number % 20);
    const std::int64_t source = g.vertices() / 2;
    const auto got = search(machine_, g, source, options_, number % 2 == 0);
    ASSERT_EQ(got.distances, serial_distances<distance>(g, source));
    stolen += got.stolen;
  }
  EXPECT_GT(stolen, 0);
}
#endif

TEST(CpuList, RefusesMoreRanksThanListsHave) {
  const machine m = machine::open("cpu:9x1");
  const graph g = with_weights(3);
  const auto first = arc_ranges(g.offsets.span(), m.size());
  EXPECT_EQ(message_of<usage_error>([&] { searcher_of(m, g, first, 0, {}, false); }),
            "worklist: a worklist on GPUs has 8 ranks at most");
}

#ifdef GOSSAMER_TEST_PROCESSES
const auto machines = ::testing::Values("mpi:cuda");
#else
const auto machines =
    ::testing::Values("cuda:0-1", "cuda:0*3", "cpu:1x2+cuda:0", "cuda:0*2+cpu:2x1", "cpu:3x1");
#endif

INSTANTIATE_TEST_SUITE_P(Machines, HostListEngine,
                         ::testing::Combine(machines, ::testing::Values(message_route::direct,
                                                                        message_route::ring)));

}  // namespace
}  // namespace gossamer::testing_host_loop
