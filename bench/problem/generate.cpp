// How long a generator spec takes, CSR included, and how much memory: one JSON line a spec.
//
// Usage: bench_generate THREADS [--weights] [--device N] SPEC...   (peak_bytes is the process's so
// far, so that one spec a run, or specs in rising size, give each spec's own peak)
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gossamer/base/memory_limit.hpp"
#include "gossamer/graph/generators.hpp"

int main(int count, char** words) try {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s THREADS [--weights] [--device N] SPEC...\n", words[0]);
    return 2;
  }
  gossamer::generate_options options;
  options.threads = std::atoi(words[1]);
  for (int i = 2; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--weights") {
      options.weights = true;
      continue;
    }
    if (word == "--device" && i + 1 < count) {
      options.device = std::atoi(words[++i]);
      continue;
    }
    const auto spec = gossamer::parse_generator(word);
    const auto plan = gossamer::plan_generate(spec, options);
    const auto start = std::chrono::steady_clock::now();
    const gossamer::graph g = gossamer::generate(spec, options);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf(
        "{\"spec\":\"%s\",\"threads\":%d,\"device\":%d,\"vertices\":%lld,\"generated_edges\":%lld,"
        "\"arcs\":%lld,\"seconds\":%.4f,\"peak_bytes\":%lld,\"planned_bytes\":%lld}\n",
        word.c_str(), options.threads, options.device, static_cast<long long>(g.vertices()),
        static_cast<long long>(spec.candidates()), static_cast<long long>(g.arcs()), taken.count(),
        static_cast<long long>(gossamer::peak_resident_bytes()),
        static_cast<long long>(plan.host_bytes));
    std::fflush(stdout);
  }
  return 0;
} catch (const gossamer::error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
