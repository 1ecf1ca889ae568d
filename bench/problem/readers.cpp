// How fast a text edge list or CSV is parsed, and how much memory reading it takes at the peak.
//
//   bench_readers [--edges N] [--vertices N] [--threads T] [--csv | --names] [FILE]
//
// Without FILE a list of random edges is written to a temporary file first (by a child process, so
// that its memory does not count); with --csv under a header, with --names ends are texts. One
// measurement a process: peak memory cannot be reset. Prints one JSON object. Parsing is timed from
// the call to the second plan, which comes when all text has been read (and ids renumbered) and
// before the CSR is built. `memory_ratio` is the growth of the resident size over (8 bytes an edge
// + the CSR's arrays); the promise is at most 2.2.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <string>

#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/io.hpp"

namespace {

using clock_type = std::chrono::steady_clock;

double seconds(clock_type::time_point from, clock_type::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

void write_random_list(const std::string& path, long edges, long vertices, const char* header,
                       const char* row) {
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (out == nullptr) std::_Exit(1);
  std::fputs(header, out);
  std::uint64_t state = 1;
  auto next = [&] {
    // splitmix64 (Vigna): the same list everywhere.
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<long>((z ^ (z >> 31)) % static_cast<std::uint64_t>(vertices));
  };
  for (long i = 0; i < edges; ++i) {
    const long u = next(), v = next();
    std::fprintf(out, row, u, v);
  }
  std::_Exit(std::fclose(out) == 0 ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
  long edges = 20'000'000, vertices = 2'000'000;
  std::string path;
  const char *header = "", *row = "%ld\t%ld\n";
  gossamer::read_options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--edges" && i + 1 < argc)
      edges = std::atol(argv[++i]);
    else if (word == "--vertices" && i + 1 < argc)
      vertices = std::atol(argv[++i]);
    else if (word == "--threads" && i + 1 < argc)
      options.threads = std::atoi(argv[++i]);
    else if (word == "--csv" || word == "--names") {
      header = "source,target\n";
      row = word == "--csv" ? "%ld,%ld\n" : "vertex%ld,vertex%ld\n";
    } else
      path = word;
  }
  const bool temporary = path.empty();
  if (temporary) {
    path = (std::filesystem::temp_directory_path() /
            ("gossamer-readers-" + std::to_string(::getpid()) + ".txt"))
               .string();
    const pid_t child = ::fork();
    if (child == 0) write_random_list(path, edges, vertices, header, row);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) {
      std::cerr << path << ": cannot be written\n";
      return 1;
    }
  }
  int code = 0;
  try {
    const auto text_bytes = static_cast<double>(std::filesystem::file_size(path));
    auto parsed = clock_type::now();
    std::clock_t worked = 0;
    options.on_plan = [&](const auto& plan) {
      if (plan.estimated) return;
      parsed = clock_type::now();
      worked = std::clock();
    };
    const auto before = gossamer::peak_resident_bytes();
    const auto start = clock_type::now();
    const std::clock_t idle = std::clock();
    const gossamer::graph g = gossamer::read_graph(path, options);
    const auto end = clock_type::now();
    const auto grown = static_cast<double>(gossamer::peak_resident_bytes() - before);
    const double list = 8.0 * static_cast<double>(g.arcs());
    const double csr = 8.0 * static_cast<double>(g.vertices() + 1) +
                       static_cast<double>(g.id_width()) * static_cast<double>(g.arcs());
    std::cout << "{\"bench\": \"readers\", \"file_bytes\": " << text_bytes
              << ", \"vertices\": " << g.vertices() << ", \"arcs\": " << g.arcs()
              << ", \"threads\": " << options.threads
              << ", \"parse_seconds\": " << seconds(start, parsed)
              << ", \"parse_megabytes_per_second\": " << text_bytes / 1e6 / seconds(start, parsed)
              << ", \"parse_megabytes_per_core_second\": "
              << text_bytes / 1e6 * CLOCKS_PER_SEC / static_cast<double>(worked - idle)
              << ", \"read_seconds\": " << seconds(start, end)
              << ", \"peak_growth_bytes\": " << grown << ", \"edge_list_bytes\": " << list
              << ", \"csr_bytes\": " << csr << ", \"memory_ratio\": " << grown / (list + csr)
              << "}\n";
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    code = 1;
  }
  if (temporary) std::filesystem::remove(path);
  return code;
}
