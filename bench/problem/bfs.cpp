// Times BFS from many sources on one machine, verifies in the same run, and writes JSON.
//
//   bench_bfs GRAPH [--machine SPEC] [--sources K] [--seed S] [--direction auto|top-down|bottom-up]
//             [--engine NAME] [--alpha A] [--beta B] [--renumber none|degree] [--partition NAME]
//             [--verify K] [--levels K] [--pause MS] [--deterministic] [--json FILE]
//             [--export PREFIX] [--parts] [--largest-component]
//
// GRAPH is a generator spec or a file. --verify K checks the first K results (default 4).
// --levels K prints the levels of the first K searches (the first 40 of each).
// --pause MS waits before every search: links and clocks of idle devices go to sleep.
// --export writes PREFIX.offsets (int64), PREFIX.columns (int32) and PREFIX.sources (int64), for
// peers that are to search the same graph from the same sources.
// --parts makes a generator's graph on the ranks, in parts, and verifies it there.
// --largest-component draws twice as many sources, and keeps those that reach most vertices.
// The JSON has the mean time of each phase, and what the last search sent by kind.
#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <thread>

#include "bench_run.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/placement/generated_placement.hpp"

namespace {

using namespace gossamer;
using bench::steady;

using bench::dump, bench::milliseconds_since, bench::quantile;

std::map<std::string, std::string> arguments(int argc, char** argv) {
  std::map<std::string, std::string> given = {
      {"machine", "auto"},  {"sources", "64"},        {"seed", "1"},   {"direction", "auto"},
      {"renumber", "none"}, {"partition", "auto"},    {"verify", "4"}, {"deterministic", ""},
      {"json", ""},         {"export", ""},           {"graph", ""},   {"engine", "auto"},
      {"alpha", "15"},      {"beta", "18"},           {"levels", "0"}, {"pause", "0"},
      {"parts", ""},        {"largest-component", ""}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--deterministic" || word == "--parts" || word == "--largest-component") {
      given[word.substr(2)] = "yes";
    } else if (word.starts_with("--") && given.count(word.substr(2)) > 0 && i + 1 < argc) {
      given[word.substr(2)] = argv[++i];
    } else {
      require(!word.starts_with("--") && given["graph"].empty(), "unknown option " + word);
      given["graph"] = word;
    }
  }
  require(!given["graph"].empty(), "bench_bfs GRAPH [options]: see the head of bfs.cpp");
  return given;
}

void print_levels(const bfs_result& result) {
  std::printf("source %lld: %lld levels, %lld reached, %.4f ms\n",
              static_cast<long long>(result.source), static_cast<long long>(result.levels),
              static_cast<long long>(result.reached), result.milliseconds);
  std::int64_t depth = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(40, result.per_level.size()); ++i) {
    const bfs_level& l = result.per_level[i];
    std::printf("  %4lld %12lld %s %9.4f ms\n", static_cast<long long>(depth),
                static_cast<long long>(l.frontier), l.bottom_up ? "up  " : "down", l.milliseconds);
    depth += l.levels;
  }
}

/// A graph laid over a machine; where it lies in parts, that is all there is of it.
struct workload {
  graph g;
  std::shared_ptr<const placed_graph> placed;
  std::vector<std::int64_t> sources;
  double load_ms = 0, place_ms = 0;

  [[nodiscard]] verification check(const bfs_result& result) const {
    if (!placed->whole()) return verify_parts(result);
    const auto parents = result.parents();
    const auto depths = result.depths();
    return verify_bfs(g, result.source, parents.span(), depths.span());
  }
};

workload prepare(machine& m, std::map<std::string, std::string>& args) {
  workload made;
  const std::string name = args["graph"];
  const auto count = std::stoll(args["sources"]) * (args["largest-component"].empty() ? 1 : 2);
  const auto seed = std::stoull(args["seed"]);
  auto begin = steady::now();
  if (!args["parts"].empty()) {
    require(args["renumber"] == "none" && args["partition"] == "auto",
            "--parts divides in ranges and renumbers nothing");
    made.placed = std::make_shared<const placed_graph>(generate_placed(m, parse_generator(name)));
    made.place_ms = milliseconds_since(begin);
    made.sources = draw_sources(*made.placed, count, seed);
  } else {
    made.g = bench::load(name);
    made.load_ms = milliseconds_since(begin);
    made.sources = draw_sources(made.g, count, seed);
    place_options placing;
    placing.renumber = args["renumber"];
    placing.partition = args["partition"];
    begin = steady::now();
    made.placed = std::make_shared<const placed_graph>(place(m, made.g, placing));
    made.place_ms = milliseconds_since(begin);
  }
  require(!made.sources.empty(), "the graph has no arcs");
  if (!args["export"].empty()) {
    bench::export_graph(made.placed->source(), args["export"]);
    dump(args["export"] + ".sources", made.sources.data(), made.sources.size());
  }
  return made;
}

/// Those that reach the most vertices, at most `count`.
std::vector<std::int64_t> in_largest(bfs_search& search, const std::vector<std::int64_t>& drawn,
                                     std::size_t count) {
  std::vector<std::int64_t> reached, kept;
  for (const std::int64_t source : drawn) reached.push_back(search.run(source).reached);
  const std::int64_t most = *std::max_element(reached.begin(), reached.end());
  for (std::size_t i = 0; i < drawn.size() && kept.size() < count; ++i)
    if (reached[i] == most) kept.push_back(drawn[i]);
  return kept;
}

/// {"name": number, …}
template <class Numbers>
std::string object_of(const Numbers& numbers) {
  std::string text;
  for (const auto& [name, number] : numbers)
    text += (text.empty() ? "\"" : ", \"") + name + "\": " + std::to_string(number);
  return "{" + text + "}";
}

void measure(std::map<std::string, std::string> args) {
  auto m = machine::open(args["machine"]);
  const workload work = prepare(m, args);
  std::vector<std::int64_t> sources = work.sources;
  bfs_options options;
  options.engine = args["engine"];
  options.alpha = std::stod(args["alpha"]);
  options.beta = std::stod(args["beta"]);
  options.deterministic = !args["deterministic"].empty();
  if (args["direction"] == "top-down") options.direction = bfs_direction::top_down;
  if (args["direction"] == "bottom-up") options.direction = bfs_direction::bottom_up;

  auto begin = steady::now();
  bfs_search search(work.placed, options);
  const double prepare_ms = milliseconds_since(begin);
  if (!args["largest-component"].empty())
    sources = in_largest(search, sources, std::stoull(args["sources"]));

  const auto pause = std::chrono::milliseconds(std::stoll(args["pause"]));
  std::vector<double> device, wall;
  std::map<std::string, double> phases;
  std::map<std::string, std::int64_t> sent;
  double inverse_teps = 0, verify_ms = 0;
  std::int64_t verified = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::this_thread::sleep_for(pause);
    begin = steady::now();
    const bfs_result result = search.run(sources[i]);
    wall.push_back(milliseconds_since(begin));
    device.push_back(result.milliseconds);
    inverse_teps += 1 / result.teps;
    for (const auto& [name, seconds] : result.phases)
      phases[name] += seconds * 1e3 / static_cast<double>(sources.size());
    for (const auto& kind : result.messages) sent[kind.kind] = kind.bytes;
    if (static_cast<std::int64_t>(i) < std::stoll(args["levels"])) print_levels(result);
    if (static_cast<std::int64_t>(i) >= std::stoll(args["verify"])) continue;
    begin = steady::now();
    const verification v = work.check(result);
    verify_ms = milliseconds_since(begin);
    if (!v.ok) throw verification_error(v.reason);
    ++verified;
  }

  char json[2048];
  std::snprintf(
      json, sizeof json,
      "{\"graph\": \"%s\", \"engine\": \"%s\", \"vertices\": %lld, \"arcs\": %lld, \"machine\": "
      "\"%s\", "
      "\"ranks\": %d, \"device\": \"%s\", \"direction\": \"%s\", \"renumber\": \"%s\", "
      "\"deterministic\": %s, \"sources\": %zu, \"pause_ms\": %lld, \"verified\": %lld, "
      "\"load_ms\": %.1f, \"place_ms\": %.1f, \"prepare_ms\": %.1f, \"verify_ms\": %.1f, "
      "\"median_ms\": %.4f, \"mean_ms\": %.4f, \"min_ms\": %.4f, \"max_ms\": %.4f, "
      "\"median_wall_ms\": %.4f, \"harmonic_mean_teps\": %.4g, "
      "\"phases_ms\": %s, \"sent_bytes\": %s}",
      work.placed->name().c_str(), options.engine.c_str(),
      static_cast<long long>(work.placed->vertices()), static_cast<long long>(work.placed->arcs()),
      m.spec().c_str(), m.size(), m[0].name.c_str(), args["direction"].c_str(),
      args["renumber"].c_str(), options.deterministic ? "true" : "false", sources.size(),
      static_cast<long long>(pause.count()), static_cast<long long>(verified), work.load_ms,
      work.place_ms, prepare_ms, verify_ms, quantile(device, 0.5),
      std::accumulate(device.begin(), device.end(), 0.0) / static_cast<double>(device.size()),
      quantile(device, 0), quantile(device, 1), quantile(wall, 0.5),
      static_cast<double>(sources.size()) / inverse_teps, object_of(phases).c_str(),
      object_of(sent).c_str());
  bench::write_json(args["json"], json);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_bfs", [&] { measure(arguments(argc, argv)); });
}
