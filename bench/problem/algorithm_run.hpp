// What the benches of algorithms have in common beside bench_run.hpp: arguments, runs, and a row of
// JSON about them.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench_run.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/base/json.hpp"
#include "gossamer/machine/machine.hpp"

namespace bench {

/// An object of JSON on one line, as it is added to.
class json_object {
 public:
  json_object& add(std::string_view name, std::string_view text) {
    return put(name, gossamer::json_string(text));
  }
  json_object& add(std::string_view name, const char* text) {
    return add(name, std::string_view(text));
  }
  json_object& add(std::string_view name, std::integral auto number) {
    return put(name, std::to_string(number));
  }
  json_object& add(std::string_view name, bool is) { return put(name, is ? "true" : "false"); }
  json_object& add(std::string_view name, double number) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.6g", number);
    return put(name, digits.data());
  }
  json_object& add(std::string_view name, const json_object& inner) {
    return put(name, inner.text());
  }
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  json_object& put(std::string_view name, const std::string& value) {
    members_ += (members_.empty() ? "" : ", ") + gossamer::json_string(name) + ": " + value;
    return *this;
  }
  std::string members_;
};

/// Of a graph, the machine and the engine: how rows of a bench begin.
inline json_object row_of(const gossamer::graph& g, const gossamer::machine& m,
                          const std::string& engine) {
  json_object row;
  return row.add("graph", g.name)
      .add("vertices", g.vertices())
      .add("arcs", g.arcs())
      .add("machine", m.spec())
      .add("engine", engine);
}

/// Milliseconds of runs, by the wall or a device, and of the processor.
struct run_times {
  std::vector<double> wall, processor;

  void add_to(json_object& row) const {
    row.add("runs", wall.size())
        .add("median_ms", quantile(wall, 0.5))
        .add("min_ms", quantile(wall, 0))
        .add("max_ms", quantile(wall, 1))
        .add("processor_ms", quantile(processor, 0.5));
  }
};

/// `run()` gives a result as often as --runs says.
template <class Run>
struct measured_runs {
  run_times times;
  decltype(std::declval<Run>()()) last;

  measured_runs(const arguments& args, Run run) {
    for (std::int64_t i = 0; i < std::stoll(args.at("runs")); ++i) {
      const double before = processor_milliseconds();
      last = run();
      times.processor.push_back(processor_milliseconds() - before);
      times.wall.push_back(last.milliseconds);
    }
  }

  /// What was measured, and of the last run its phases.
  void write(const arguments& args, json_object row) const {
    row.add("verified", args.at("verify") == "1");
    times.add_to(row);
    json_object phases;
    for (const auto& [name, seconds] : last.phases) phases.add(name, seconds * 1e3);
    write_json(args.at("json"), row.add("phases_ms", phases).text());
  }
};

/// verification_error where a result is wrong.
inline void expect_right(const gossamer::verification& v) {
  if (!v.ok) throw gossamer::verification_error(v.reason);
}

/// Of a bench of an algorithm, and `more`.
inline arguments algorithm_arguments(const arguments& more) {
  arguments all = more;
  all.merge(arguments{{"graph", ""},
                      {"machine", "cpu"},
                      {"engine", "auto"},
                      {"runs", "9"},
                      {"verify", "1"},
                      {"json", ""},
                      {"export", ""}});
  return all;
}

/// main() of bench_`algorithm`.
template <class F>
int run_algorithm(const std::string& algorithm, int argc, char** argv, const arguments& more,
                  const F& measure) {
  const std::string name = "bench_" + algorithm;
  const std::string usage = name + " GRAPH [options]: see the head of " + algorithm + ".cpp";
  return run(name.c_str(), [&] {
    measure(read_arguments(argc, argv, algorithm_arguments(more), usage.c_str()));
  });
}

}  // namespace bench
