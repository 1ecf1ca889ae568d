// Times betweenness on one machine, verifies in the same run, writes JSON.
//
//   bench_betweenness GRAPH [--machine SPEC] [--engine NAME] [--runs K] [--json FILE]
//                     [--samples 16] [--edges 0] [--verify 1] [--export PREFIX]
//
// GRAPH is a generator spec or a file. --export writes the graph for peers (bench_run.hpp).
#include <cstdio>

#include "bench_run.hpp"
#include "gossamer/algorithm/betweenness.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"]);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  betweenness_options options;
  options.engine = args["engine"];
  options.samples = std::stoll(args["samples"]);
  options.edges = args["edges"] == "1";
  betweenness_search search(m, g, options);
  std::vector<double> times, processor;
  betweenness_result result;
  for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) {
    const double before = bench::processor_milliseconds();
    result = search.run();
    processor.push_back((bench::processor_milliseconds() - before));
    times.push_back(result.milliseconds);
  }
  if (args["verify"] == "1") {
    const auto v = verify_betweenness(g, result.scores.get(), result.sources, options);
    if (!v.ok) throw verification_error(v.reason);
  }
  std::string phases;  // of the last run
  for (const auto& [name, seconds] : result.phases)
    phases += (phases.empty() ? "" : ", ") + ("\"" + name + "\": ") + std::to_string(seconds * 1e3);
  char json[1024];
  std::snprintf(json, sizeof json,
                "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": \"%s\", "
                "\"engine\": \"%s\", "
                "\"searches\": %lld, \"rescaled\": %lld, \"runs\": %zu, \"verified\": %s, "
                "\"median_ms\": %.4f, "
                "\"min_ms\": %.4f, \"max_ms\": %.4f, \"processor_ms\": %.4f, \"phases_ms\": {%s}}",
                g.name.c_str(), static_cast<long long>(g.vertices()),
                static_cast<long long>(g.arcs()), m.spec().c_str(), result.engine.c_str(),
                static_cast<long long>(result.searches), static_cast<long long>(result.rescaled),
                times.size(), args["verify"].c_str(), bench::quantile(times, 0.5),
                bench::quantile(times, 0), bench::quantile(times, 1),
                bench::quantile(processor, 0.5), phases.c_str());
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_betweenness", [&] {
    measure(bench::read_arguments(
        argc, argv,
        {{"graph", ""},
         {"machine", "cpu"},
         {"engine", "auto"},
         {"runs", "9"},
         {"samples", "16"},
         {"edges", "0"},
         {"verify", "1"},
         {"json", ""},
         {"export", ""}},
        "bench_betweenness GRAPH [options]: see the head of betweenness.cpp"));
  });
}
