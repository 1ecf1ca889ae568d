// bench_balance ROWS [options]: shortest paths by a distributed worklist on a graph with one heavy
// block, a grid of ROWS by ROWS vertices: ranks have as many vertices each, but most arcs are the
// first one's. For each balance: time, how long ranks computed, and what the busiest looked at.
//
//   --machine SPEC  --degree D (random arcs of each heavy vertex)
//   --heavy F (1/F of all vertices)  --least L  --repeat K
//
// Time is virtual on modelled systems, else wall time; on a busy machine trust the processor's.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <random>
#include <vector>

#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/sssp/async/shortest_sums.hpp"
#include "bench_run.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/ownership.hpp"

namespace gossamer {
namespace {

struct csr {
  std::vector<edge_offset> offsets;
  std::vector<vertex32> columns;
  std::vector<std::uint32_t> weights;
};

/// A grid, and random arcs among the first 1/heavy of its vertices; both ways, weights 1 … 255.
csr heavy_grid(std::int64_t rows, std::int64_t degree, std::int64_t heavy) {
  const std::int64_t n = rows * rows, most = n / heavy;
  std::vector<std::vector<std::pair<vertex32, std::uint32_t>>> arcs(static_cast<std::size_t>(n));
  std::mt19937_64 random(1);
  const auto join = [&](std::int64_t u, std::int64_t v) {
    const auto w = static_cast<std::uint32_t>(1 + random() % 255);
    arcs[static_cast<std::size_t>(u)].emplace_back(static_cast<vertex32>(v), w);
    arcs[static_cast<std::size_t>(v)].emplace_back(static_cast<vertex32>(u), w);
  };
  for (std::int64_t v = 0; v < n; ++v) {
    if (v % rows + 1 < rows) join(v, v + 1);
    if (v + rows < n) join(v, v + rows);
  }
  const auto any = [&] {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  for (std::int64_t i = 0; i < most * degree / 2; ++i) join(any(), any());
  csr g;
  g.offsets.push_back(0);
  for (const auto& row : arcs) {
    for (const auto& [to, w] : row) {
      g.columns.push_back(to);
      g.weights.push_back(w);
    }
    g.offsets.push_back(static_cast<edge_offset>(g.columns.size()));
  }
  return g;
}

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct measured {
  double seconds = 0, processor = 0;
  worklist_counters work;
  std::uint64_t sum = 0;  ///< of distances: the same for all
};

using list = vertex_worklist<sssp_detail::shortest_sums<std::uint32_t>, vertex32, std::uint32_t,
                             ownership_view>;

measured once(machine& m, const csr& g, const worklist_options& options) {
  const int p = m.size();
  const auto n = static_cast<std::int64_t>(g.offsets.size()) - 1;
  std::vector<std::int64_t> first, rows;  // in whole blocks, so that ids are vertices
  for (int r = 0; r < p; ++r) first.push_back(n * r / p / 64 * 64);
  first.push_back(n);
  for (int r = 0; r < p; ++r) rows.push_back(first[r + 1] - first[r]);
  const ownership owners = ownership::ranges(rows);
  std::vector<measured> of(static_cast<std::size_t>(p));
  run_options run;
  run.arenas = {{static_cast<std::size_t>(list::window_bytes(p)) + 65536, 65536}};
  m.run(
      [&](rank& r) {
        const auto me = static_cast<std::size_t>(r.id());
        const edge_offset* const own = g.offsets.data() + first[me];
        list work({}, {rows[me], own, g.columns.data(), g.weights.data()}, owners.view(), r.id(),
                  algorithm_detail::capacities(first), n, options);
        work.begin(r, sssp_detail::unreached<std::uint32_t>);
        if (r.id() == p - 1) work.start(static_cast<vertex32>(n - 1), 0);
        measured& mine = of[static_cast<std::size_t>(r.id())];
        const double begin = r.clock(), computing = processor_seconds();
        work.run();
        mine.seconds = r.clock() - begin;
        mine.processor = processor_seconds() - computing;
        mine.work = work.counters();
        for (auto v = first[me]; v < first[me + 1]; ++v) mine.sum += work[v];
      },
      run);
  measured all;
  for (const measured& one : of) {
    all.seconds = std::max(all.seconds, one.seconds);
    all.processor = std::max(all.processor, one.processor);
    all.work.add(one.work);
    all.sum += one.sum;
  }
  return all;
}

void measure(std::map<std::string, std::string> args) {
  machine m = machine::open(args["machine"]);
  const csr g =
      heavy_grid(std::stol(args["graph"]), std::stol(args["degree"]), std::stol(args["heavy"]));
  std::printf("%s, %zu vertices, %zu arcs\n", args["machine"].c_str(), g.offsets.size() - 1,
              g.columns.size());
  std::printf("%-6s %10s %12s %8s %10s %8s %12s %12s\n", "", "ms", "busiest CPU", "arcs/m",
              "busiest", "stolen", "given bytes", "sum");
  for (const bool steal : {false, true}) {
    auto options = algorithm_detail::named_worklist(m, "balance", 64);
    options.steal = steal;
    options.least_to_give = std::stol(args["least"]);
    std::vector<measured> runs;
    for (int i = 0; i < std::stoi(args["repeat"]); ++i) runs.push_back(once(m, g, options));
    std::sort(runs.begin(), runs.end(),
              [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    const measured& x = runs[runs.size() / 2];
    const auto arcs = static_cast<double>(x.work.arcs);
    std::printf("%-6s %10.2f %12.2f %8.2f %9.1f%% %8lld %12lld %12llu\n", steal ? "steal" : "none",
                x.seconds * 1e3, x.processor * 1e3, arcs / static_cast<double>(g.columns.size()),
                100 * static_cast<double>(x.work.most_arcs) / arcs,
                static_cast<long long>(x.work.stolen), static_cast<long long>(x.work.given_bytes),
                static_cast<unsigned long long>(x.sum));
  }
}

}  // namespace
}  // namespace gossamer

int main(int argc, char** argv) {
  return bench::run("bench_balance", [&] {
    gossamer::measure(
        bench::read_arguments(argc, argv,
                              {{"machine", "cpu:2x1"},
                               {"graph", ""},
                               {"degree", "32"},
                               {"heavy", "8"},
                               {"least", "64"},
                               {"repeat", "5"}},
                              "bench_balance ROWS [options]: see the head of balance.cpp"));
  });
}
