// What the parts of bench_transfers share: buffers, a measurement that is verified, JSON.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/memory.hpp"
#include "gpu_collectives.hpp"
#include "transfers.hpp"

namespace gossamer::bench {

constexpr int rounds = 11, word_bits = 24;
constexpr std::size_t bytes = 100'000'000, word_bytes = std::size_t{4} << word_bits;
using words = std::span<std::uint32_t>;

class report {
 public:
  explicit report(const machine& m) {
    std::printf(
        "{\"bench\": \"transfers\", \"machine\": \"%s\", \"device\": \"%s\", \"ranks\": %d, "
        "\"results\": [",
        m.spec().c_str(), m[0].name.c_str(), m.size());
  }
  /// Of what was verified: an exception ends the run before.
  void add(const char* figure, const std::string& curve, std::size_t packet, std::size_t all,
           double microseconds) {
    std::printf(
        "%s\n  {\"figure\": \"%s\", \"curve\": \"%s\", \"packet\": %zu, \"bytes\": %zu, "
        "\"seconds\": %.9f, \"verified\": true}",
        first_ ? "" : ",", figure, curve.c_str(), packet, all, microseconds * 1e-6);
    std::fflush(stdout);
    first_ = false;
  }
  /// Left out when a measurement throws: then the output is no JSON.
  static void end() { std::printf("\n]}\n"); }

 private:
  bool first_ = true;
};

/// What all parts use: a source, a target, and host memory of every rank.
struct buffers {
  window<std::uint32_t> target, host;
  words source;

  explicit buffers(rank& r) {
    const std::size_t n = std::max(bytes, word_bytes) / sizeof(std::uint32_t);
    target = r.make_window<std::uint32_t>(n);
    host = r.make_window<std::uint32_t>(n, home::host);
    source = r.scratch<std::uint32_t>(n);
    fill_source(source);
  }
  static void fill_source(words to) {
    std::vector<std::uint32_t> all(to.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = word_at(i);
    copy_bytes(to.data(), all.data(), to.size_bytes());
  }
  static run_options room() {
    const std::size_t each = std::max(bytes, word_bytes) + (1 << 20);
    run_options options;
    options.arenas = {{2 * each, each}};
    return options;
  }
};

/// [0, n) of `got` is what the source has, at place(i) of either side.
inline void check(words got, std::size_t n, const std::function<std::size_t(std::size_t)>& from,
                  const std::string& what) {
  std::vector<std::uint32_t> all(n);
  copy_bytes(all.data(), got.data(), n * sizeof(std::uint32_t));
  for (std::size_t i = 0; i < n; ++i)
    if (all[i] != word_at(from(i)))
      throw verification_error(what + ": wrong word " + std::to_string(i));
}

inline std::size_t itself(std::size_t i) {
  return i;
}

/// Clears what `one` will fill, times it on all ranks, and adds the result after `verify`.
inline void measure(rank& r, report& out, const char* figure, const std::string& curve,
                    std::size_t packet, std::size_t all, words fills, const enqueue& one,
                    const std::function<void()>& verify) {
  if (!fills.empty()) r.fill(fills.data(), 0, fills.size_bytes());
  r.barrier();
  const double time = time_in_stream(r, one, 1, rounds);
  r.barrier();
  verify();
  r.barrier();
  if (r.id() == 0) out.add(figure, curve, packet, all, time);
}

/// Fig. 2 a, inside a run.
void direct_access(rank& r, report& out, const buffers& b);

}  // namespace gossamer::bench
