// What the benches of algorithms share: arguments, times, the graph as peers read it, JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/generators.hpp"
#include "gossamer/graph/io.hpp"

namespace bench {

using steady = std::chrono::steady_clock;

inline double milliseconds_since(steady::time_point begin) {
  return std::chrono::duration<double, std::milli>(steady::now() - begin).count();
}

/// Processor time of this process so far, all threads: on a machine that is shared, wall time says
/// more of the others.
inline double processor_milliseconds() {
  return static_cast<double>(std::clock()) * 1e3 / CLOCKS_PER_SEC;
}

inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

using arguments = std::map<std::string, std::string>;

/// `given`: defaults by name; an empty "graph" is the positional argument.
inline arguments read_arguments(int argc, char** argv, arguments given, const char* usage) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--") && given.count(word.substr(2)) > 0 && i + 1 < argc) {
      given[word.substr(2)] = argv[++i];
    } else {
      gossamer::require(!word.starts_with("--") && given["graph"].empty(),
                        "unknown option " + word);
      given["graph"] = word;
    }
  }
  gossamer::require(!given["graph"].empty(), usage);
  return given;
}

/// A generator's graph, or a file.
inline gossamer::graph load(const std::string& name, bool weights = false) {
  if (!gossamer::is_generator(name)) return gossamer::read_graph(name);
  gossamer::generate_options options;
  options.weights = weights;
  return gossamer::generate(gossamer::parse_generator(name), options);
}

template <class T>
void dump(const std::string& file, const T* data, std::size_t n) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(n * sizeof(T)));
  if (!out) throw gossamer::input_error(file + ": cannot be written");
}

/// PREFIX.offsets (int64) and PREFIX.columns (int32); PREFIX.weights (int32) where those are.
inline void export_graph(const gossamer::graph& g, const std::string& prefix) {
  dump(prefix + ".offsets", g.offsets.data(), g.offsets.size());
  const auto columns = g.view<gossamer::vertex32>().indices;
  dump(prefix + ".columns", columns.data(), columns.size());
  if (const auto* w = std::get_if<gossamer::shared_array<std::int32_t>>(&g.weights))
    dump(prefix + ".weights", w->data(), w->size());
}

inline void write_json(const std::string& target, const std::string& json) {
  if (target.empty() || target == "-")
    std::cout << json << "\n";
  else
    std::ofstream(target) << json << "\n";
}

/// main() of a bench: measure(), and what its errors mean for the shell.
template <class F>
int run(const char* name, const F& measure) {
  try {
    measure();
    return 0;
  } catch (const gossamer::verification_error& e) {
    std::cerr << name << ": " << e.what() << "\n";
    return 3;
  } catch (const gossamer::error& e) {
    std::cerr << name << ": " << e.what() << "\n";
    return 2;
  }
}

}  // namespace bench
