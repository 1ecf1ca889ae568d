// Times how PageRank's rows get into one GPU's memory: the placement that they are built from, the
// building, and what it takes of that memory; writes JSON.
//
//   bench_pagerank_rows GRAPH [--runs K] [--precision 32|64] [--host yes] [--json FILE]
//
// GRAPH is a generator spec or a file, taken without weights. The first building loads kernels and
// is given apart. --host times the host's layout as well, without its upload. Times are wall
// clock, memory taken and given back within.
#include <chrono>
#include <cstdio>
#include <optional>

#include "algorithm/pagerank/sync/built_rows.hpp"
#include "bench_run.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace {

using namespace gossamer;
using namespace pagerank_detail;

template <class F>
double milliseconds(const F& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

template <class Id>
graph_on_gpu<Id> taken(const placed_graph& placed) {
  const auto& slice = placed.slice<Id>(0);
  return {placed.vertices(), placed.arcs(), slice.offsets, slice.columns, slice.in_offsets};
}

template <class Value>
void build(const device& on, const placed_graph& placed) {
  if (placed.id_width() == 4)
    build_rows<vertex32, Value>(on, taken<vertex32>(placed), {});
  else
    build_rows<vertex64, Value>(on, taken<vertex64>(placed), {});
}

void measure(bench::arguments args) {
  graph g = bench::load(args["graph"]);
  g.weights = {};
  auto m = machine::open("cuda:0");
  const bool wide = std::stoi(args["precision"]) == 64;
  const auto once = [&](const placed_graph& placed) {
    return milliseconds([&] { wide ? build<double>(m[0], placed) : build<float>(m[0], placed); });
  };
  place_options how;
  how.both_directions = false;
  m.run([](rank&) {});  // what every run keeps
  const double first_place = milliseconds([&] { place(m, g, how); });
  std::optional<placed_graph> placed;
  const double again = milliseconds([&] { placed.emplace(place(m, g, how)); });
  const double first = once(*placed);
  const auto before = memory_in_use(0);
  begin_peaks();
  std::vector<double> times;
  for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) times.push_back(once(*placed));
  const auto taken_bytes = static_cast<double>(memory_in_use(0).peak - before.now);
  double host = 0;
  if (!args["host"].empty())
    host = milliseconds([&] {
      wide ? static_cast<void>(make_gpu_rows<double>(g, {0, g.vertices()}, {}))
           : static_cast<void>(make_gpu_rows<float>(g, {0, g.vertices()}, {}));
    });
  char json[512];
  std::snprintf(json, sizeof json,
                "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"device\": \"%s\", "
                "\"place_ms\": [%.2f, %.2f], \"first_build_ms\": %.2f, \"runs\": %zu, "
                "\"median_ms\": %.2f, \"min_ms\": %.2f, \"max_ms\": %.2f, "
                "\"bytes_an_arc_at_most\": %.2f, \"host_ms\": %.1f}",
                g.name.c_str(), static_cast<long long>(g.vertices()),
                static_cast<long long>(g.arcs()), m[0].name.c_str(), first_place, again, first,
                times.size(), bench::quantile(times, 0.5), bench::quantile(times, 0),
                bench::quantile(times, 1),
                taken_bytes / static_cast<double>(std::max<std::int64_t>(g.arcs(), 1)), host);
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_pagerank_rows", [&] {
    measure(bench::read_arguments(
        argc, argv, {{"graph", ""}, {"runs", "5"}, {"precision", "32"}, {"host", ""}, {"json", ""}},
        "bench_pagerank_rows GRAPH [options]: see the head of pagerank_rows.cpp"));
  });
}
