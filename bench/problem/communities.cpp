// Times communities on one machine, verifies in the same run, writes JSON.
//
//   bench_communities GRAPH [--machine SPEC] [--engine NAME] [--method NAME] [--seed N]
//                     [--iterations N] [--runs K] [--json FILE] [--export PREFIX]
//
// GRAPH is a generator spec or a file; directed ones are made undirected, and simple. --export
// writes the graph for peers (bench_run.hpp).
#include <cstdio>

#include "bench_run.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/graph/builder.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  build_options simple;
  simple.symmetrize = simple.deduplicate = simple.remove_self_loops = true;
  const graph g = rebuild(bench::load(args["graph"]), simple);
  if (!args["export"].empty()) bench::export_graph(g, args["export"]);
  auto m = machine::open(args["machine"]);
  communities_options options;
  options.engine = args["engine"];
  options.method = args["method"];
  options.seed = std::stoll(args["seed"]);
  options.iterations = std::stoll(args["iterations"]);
  communities_search search(m, g, options);
  std::vector<double> times, processor;
  communities_result result;
  for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) {
    const double before = bench::processor_milliseconds();
    result = search.run();
    processor.push_back((bench::processor_milliseconds() - before));
    times.push_back(result.milliseconds);
  }
  const auto v = verify_communities(g, result.labels.get(),
                                    {result.modularity, 1, options.method == "leiden"});
  if (!v.ok) throw verification_error(v.reason);
  std::string phases;  // of the last run
  for (const auto& [name, seconds] : result.phases)
    phases += (phases.empty() ? "" : ", ") + ("\"" + name + "\": ") + std::to_string(seconds * 1e3);
  char json[1024];
  std::snprintf(json, sizeof json,
                "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": \"%s\", "
                "\"engine\": \"%s\", \"method\": \"%s\", "
                "\"communities\": %lld, \"modularity\": %.6f, \"levels\": %lld, \"rounds\": %lld, "
                "\"runs\": %zu, \"verified\": 1, \"median_ms\": %.4f, "
                "\"min_ms\": %.4f, \"max_ms\": %.4f, \"processor_ms\": %.4f, \"phases_ms\": {%s}}",
                g.name.c_str(), static_cast<long long>(g.vertices()),
                static_cast<long long>(g.arcs()), m.spec().c_str(), result.engine.c_str(),
                options.method.c_str(), static_cast<long long>(result.count), result.modularity,
                static_cast<long long>(result.levels), static_cast<long long>(result.rounds),
                times.size(), bench::quantile(times, 0.5), bench::quantile(times, 0),
                bench::quantile(times, 1), bench::quantile(processor, 0.5), phases.c_str());
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_communities", [&] {
    measure(bench::read_arguments(
        argc, argv,
        {{"graph", ""},
         {"machine", "cpu"},
         {"engine", "auto"},
         {"method", "louvain"},
         {"seed", "0"},
         {"iterations", "2"},
         {"runs", "9"},
         {"json", ""},
         {"export", ""}},
        "bench_communities GRAPH [options]: see the head of communities.cpp"));
  });
}
