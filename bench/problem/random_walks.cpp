// Times random walks on one machine, verifies in the same run, writes JSON.
//
//   bench_random_walks GRAPH [--machine SPEC] [--engine NAME] [--length L] [--walks N]
//                      [--weighted 1] [--p X] [--q X] [--verify 0] [--runs K] [--json FILE]
//
// GRAPH is a generator spec or a file, with weights 1 to 255 where walks are weighted; directed
// ones are made undirected, and simple.
#include <cstdio>

#include "bench_run.hpp"
#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/graph/builder.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  build_options simple;
  simple.symmetrize = simple.deduplicate = simple.remove_self_loops = true;
  const graph g = rebuild(bench::load(args["graph"], args["weighted"] == "1"), simple);
  auto m = machine::open(args["machine"]);
  random_walks_options options;
  options.engine = args["engine"];
  options.length = std::stoll(args["length"]);
  options.walks = std::stoll(args["walks"]);
  options.weighted = args["weighted"] == "1";
  options.p = std::stod(args["p"]);
  options.q = std::stod(args["q"]);
  random_walks_search search(m, g, options);
  std::vector<double> times, processor;
  random_walks_result result;
  for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) {
    const double before = bench::processor_milliseconds();
    result = search.run();
    processor.push_back((bench::processor_milliseconds() - before));
    times.push_back(result.milliseconds);
  }
  if (args["verify"] == "1") {
    const auto v = verify_random_walks(g, result.walks, {}, options);
    if (!v.ok) throw verification_error(v.reason);
  }
  char json[1024];
  std::snprintf(
      json, sizeof json,
      "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": \"%s\", "
      "\"engine\": \"%s\", \"weighted\": %d, \"p\": %g, \"q\": %g, \"walks\": %lld, "
      "\"steps\": %lld, \"runs\": %zu, \"verified\": %d, \"median_ms\": %.4f, "
      "\"min_ms\": %.4f, \"max_ms\": %.4f, \"processor_ms\": %.4f}",
      g.name.c_str(), static_cast<long long>(g.vertices()), static_cast<long long>(g.arcs()),
      m.spec().c_str(), result.engine.c_str(), options.weighted ? 1 : 0, options.p, options.q,
      static_cast<long long>(result.count), static_cast<long long>(result.steps), times.size(),
      args["verify"] == "1" ? 1 : 0, bench::quantile(times, 0.5), bench::quantile(times, 0),
      bench::quantile(times, 1), bench::quantile(processor, 0));
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_random_walks", [&] {
    measure(bench::read_arguments(
        argc, argv,
        {{"graph", ""},
         {"machine", "cpu"},
         {"engine", "auto"},
         {"length", "80"},
         {"walks", "1"},
         {"weighted", "0"},
         {"p", "1"},
         {"q", "1"},
         {"verify", "1"},
         {"runs", "9"},
         {"json", ""}},
        "bench_random_walks GRAPH [options]: see the head of random_walks.cpp"));
  });
}
