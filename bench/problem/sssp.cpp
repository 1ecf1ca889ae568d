// Times shortest paths from many sources on one machine, verifies in the same run, writes JSON.
//
//   bench_sssp GRAPH [--machine SPEC] [--engine NAME] [--sources K] [--seed S] [--delta X]
//              [--priority soft|none] [--route direct|ring] [--packet BYTES] [--parents yes]
//              [--verify K] [--json FILE] [--export PREFIX] [--trace FILE]
//
// GRAPH is a generator spec (weights 1..255) or a file. --verify K checks the first K results
// (default 2). --trace: of one more search from the last source. --export writes the graph
// (bench_run.hpp) and PREFIX.sources (int64) for peers.
#include "gossamer/algorithm/sssp.hpp"

#include <cstdio>
#include <fstream>

#include "bench_run.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/fabric/trace.hpp"

namespace {

using namespace gossamer;

void measure(bench::arguments args) {
  const graph g = bench::load(args["graph"], true);
  const auto sources = draw_sources(g, std::stoll(args["sources"]), std::stoull(args["seed"]));
  require(!sources.empty(), "the graph has no arcs");
  if (!args["export"].empty()) {
    bench::export_graph(g, args["export"]);
    bench::dump(args["export"] + ".sources", sources.data(), sources.size());
  }
  auto m = machine::open(args["machine"]);
  sssp_options options;
  options.engine = args["engine"];
  // The machine that was asked for; auto stays what it is on one.
  if (options.engine != "auto") options.use = rank_use::all;
  options.route = args["route"];
  options.packet = std::stoll(args["packet"]);
  options.priority = args["priority"];
  if (!args["delta"].empty()) options.delta = std::stod(args["delta"]);
  options.parents = !args["parents"].empty();
  sssp_search search(m, g, options);
  std::vector<double> times, processor;
  std::int64_t relaxations = 0, rounds = 0, verified = 0;
  double delta = 0;
  std::string engine;
  worklist_counters work;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const double before = bench::processor_milliseconds();
    const auto result = search.run(sources[i]);
    processor.push_back((bench::processor_milliseconds() - before));
    times.push_back(result.milliseconds);
    relaxations += result.relaxations;
    rounds += result.rounds;
    delta = result.delta;
    engine = result.engine;
    if (result.work) work.add(*result.work);
    if (static_cast<std::int64_t>(i) >= std::stoll(args["verify"])) continue;
    const auto v = verify_sssp(g, sources[i], result.distances, result.parents.span());
    if (!v.ok) throw verification_error(v.reason);
    ++verified;
  }
  if (!args["trace"].empty()) {
    run_options traced;
    traced.trace = std::make_shared<timeline>();
    search.follow(traced);
    search.run(sources.back());
    std::ofstream(args["trace"]) << traced.trace->json();
  }
  const auto count = static_cast<double>(sources.size());
  char json[1024];
  std::snprintf(
      json, sizeof json,
      "{\"graph\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": \"%s\", "
      "\"engine\": \"%s\", \"delta\": %g, \"parents\": %s, \"sources\": %zu, \"verified\": %lld, "
      "\"relaxations_an_arc\": %.4f, \"rounds\": %.1f, \"median_ms\": %.4f, "
      "\"min_ms\": %.4f, \"max_ms\": %.4f, \"processor_ms\": %.4f, "
      "\"items\": %.0f, \"repeated\": %.0f, \"sent\": %.0f, \"useless\": %.0f}",
      g.name.c_str(), static_cast<long long>(g.vertices()), static_cast<long long>(g.arcs()),
      m.spec().c_str(), engine.c_str(), delta, options.parents ? "true" : "false", sources.size(),
      static_cast<long long>(verified),
      static_cast<double>(relaxations) / count / static_cast<double>(g.arcs()),
      static_cast<double>(rounds) / count, bench::quantile(times, 0.5), bench::quantile(times, 0),
      bench::quantile(times, 1), bench::quantile(processor, 0.5),
      static_cast<double>(work.items) / count, static_cast<double>(work.repeated) / count,
      static_cast<double>(work.sent) / count, static_cast<double>(work.useless) / count);
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_sssp", [&] {
    measure(bench::read_arguments(argc, argv,
                                  {{"graph", ""},
                                   {"machine", "cpu"},
                                   {"engine", "auto"},
                                   {"route", "direct"},
                                   {"packet", "0"},
                                   {"sources", "16"},
                                   {"seed", "1"},
                                   {"delta", ""},
                                   {"priority", "soft"},
                                   {"parents", ""},
                                   {"verify", "2"},
                                   {"json", ""},
                                   {"export", ""},
                                   {"trace", ""}},
                                  "bench_sssp GRAPH [options]: see the head of sssp.cpp"));
  });
}
