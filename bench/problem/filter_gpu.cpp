// Times filter's kernel on arrays in the GPUs' own memory, results left there, beside copies of the
// same bytes; on one GPU, two, … all at the same time. Verifies counts and sums, prints JSON.
//
//   bench_filter_gpu [--gib 4] [--runs 9] [--pinned 1] [--json FILE]
//
// --pinned 1: the same from pinned host memory, through the library's filter(), results left on the
// GPUs; GB/s of input.
//
// Elements are int32; 30 of 100 are kept. A GPU reads 4 GiB and writes 1.2; a copy of as many bytes
// reads and writes half of them each.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <sstream>
#include <vector>

#include "algorithm/filter/gpu.hpp"
#include "bench_run.hpp"
#include "gossamer/algorithm/filter.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"

namespace {

using namespace gossamer;
using element = std::int32_t;

constexpr filter_interval<element> keep{0, 29, false};
constexpr std::size_t pattern = std::size_t{1} << 24;

struct gpu {
  gpu(const device& d, std::size_t n, const std::vector<element>& values)
      : in(make_native_buffer<element>(d, n)),
        out(make_native_buffer<element>(d, n)),
        places(make_native_buffer<std::uint64_t>(d, n / filter_detail::tile_elements<element>)),
        on(d),
        select(filter_detail::make_gpu_compactor(d, n, keep)),
        before(d.ordinal),
        after(d.ordinal) {
    for (std::size_t at = 0; at < n; at += pattern)
      copy_bytes(in.data() + at, values.data(), pattern * sizeof(element));
  }
  void filter() {
    before.record(on);
    select->compact_tiles(in.span(), out.span(), places.span(), on);
    after.record(on);
  }
  void copy(std::size_t bytes) {
    before.record(on);
    copy_bytes(out.data(), in.data(), bytes, on, copier::engine);
    after.record(on);
  }
  double milliseconds() {
    after.block(stream());
    return after.milliseconds_since(before);
  }

  buffer<element> in, out;
  buffer<std::uint64_t> places;
  stream on;
  std::unique_ptr<filter_detail::gpu_compactor<element>> select;
  event before, after;
};

/// What is kept of a GPU's array, tile by tile, must be what is kept of the pattern, again and
/// again.
void verify(gpu& g, const std::vector<element>& values) {
  constexpr std::size_t tile = filter_detail::tile_elements<element>;
  std::vector<std::uint64_t> places(g.places.size());
  copy_bytes(places.data(), g.places.data(), places.size() * sizeof(std::uint64_t));
  std::vector<element> found(g.select->kept()), right;
  copy_bytes(found.data(), g.out.data(), found.size() * sizeof(element));
  std::size_t all = 0;
  for (std::size_t t = 0; t < places.size(); ++t) {
    right.clear();
    for (std::size_t i = 0; i < tile; ++i)
      if (const element x = values[(t * tile + i) % pattern]; keep(x)) right.push_back(x);
    const std::size_t begin = places[t] >> filter_detail::tile_place_bits;
    const std::size_t n = places[t] & ((1U << filter_detail::tile_place_bits) - 1);
    if (n != right.size() || begin + n > found.size() ||
        !std::equal(right.begin(), right.end(), found.begin() + static_cast<std::ptrdiff_t>(begin)))
      throw verification_error("tile " + std::to_string(t) + " has wrong elements");
    all += n;
  }
  if (all != found.size()) throw verification_error("a wrong number was kept");
}

/// From pinned host memory over the first `gpus` GPUs. A part of it is verified element by element,
/// of all of it the number.
std::string from_host(int gpus, std::size_t n, int runs, const std::vector<element>& values) {
  machine m = machine::open(gpus == 1 ? "cuda:0" : "cuda:0-" + std::to_string(gpus - 1));
  const std::size_t all = n * static_cast<std::size_t>(gpus);
  buffer<element> in(memory_kind::pinned, 0, all);
  for (std::size_t at = 0; at < all; at += pattern)
    std::copy(values.begin(), values.end(), in.data() + at);
  const std::span<const element> input = in.span();
  filter_options options;
  options.gather = false;
  const auto some = input.first(2 * pattern);
  if (const auto verdict = verify_filter<element>(some, keep, filter(m, some, keep, options));
      !verdict.ok)
    throw verification_error(verdict.reason);
  const auto kept = static_cast<std::int64_t>(std::count_if(values.begin(), values.end(), keep)) *
                    static_cast<std::int64_t>(all / pattern);
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto result = filter(m, input, keep, options);
    if (result.matched != kept) throw verification_error("a wrong number was kept");
    times.push_back(result.milliseconds);
  }
  const double ms = bench::quantile(times, 0.5);
  std::ostringstream json;
  json << "{\"gpus\": " << gpus << ", \"median_ms\": " << ms
       << ", \"gb_s_a_gpu\": " << static_cast<double>(n * sizeof(element)) / ms * 1e-6
       << ", \"verified\": 1}";
  return json.str();
}

void measure(bench::arguments args) {
  const auto n = static_cast<std::size_t>(std::stod(args["gib"]) * (1 << 30)) / sizeof(element) /
                 pattern * pattern;
  require(n > 0, "an array has 64 MiB at least");
  std::vector<element> values(pattern);
  std::uint32_t state = 1;
  for (element& x : values) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<element>((state >> 8) % 100);
  }
  const auto devices = cuda_devices();
  require(!devices.empty(), "needs a GPU");
  std::vector<std::unique_ptr<gpu>> gpus;
  std::ostringstream json;
  json << "{\"bytes_a_gpu\": " << n * sizeof(element) << ", \"kept_percent\": 30, \"runs\": [";
  for (const device& d : devices) {
    gpus.push_back(std::make_unique<gpu>(d, n, values));
    std::vector<double> filtered, copied;
    for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) {
      for (auto& g : gpus) g->filter();
      double slowest = 0;
      for (auto& g : gpus) slowest = std::max(slowest, g->milliseconds());
      filtered.push_back(slowest);
    }
    for (auto& g : gpus) verify(*g, values);
    const std::size_t moved = (n + gpus.front()->select->kept()) * sizeof(element);
    for (std::int64_t i = 0; i < std::stoll(args["runs"]); ++i) {
      for (auto& g : gpus) g->copy(moved / 2);
      double slowest = 0;
      for (auto& g : gpus) slowest = std::max(slowest, g->milliseconds());
      copied.push_back(slowest);
    }
    const double ms = bench::quantile(filtered, 0.5), copy = bench::quantile(copied, 0.5);
    json << (gpus.size() > 1 ? ", " : "") << "{\"gpus\": " << gpus.size()
         << ", \"median_ms\": " << ms << ", \"copy_ms\": " << copy << ", \"of_copy\": " << copy / ms
         << ", \"gb_s\": " << static_cast<double>(moved * gpus.size()) / ms * 1e-6
         << ", \"verified\": 1}";
  }
  json << "]";
  gpus.clear();
  if (args["pinned"] == "1") {
    json << ", \"pinned\": [";
    for (std::size_t g = 1; g <= devices.size(); ++g)
      json << (g > 1 ? ", " : "")
           << from_host(static_cast<int>(g), n, static_cast<int>(std::stol(args["runs"])), values);
    json << "]";
  }
  json << "}";
  bench::write_json(args["json"], json.str());
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run("bench_filter_gpu", [&] {
    measure(bench::read_arguments(
        argc, argv, {{"graph", "-"}, {"gib", "4"}, {"runs", "9"}, {"json", ""}, {"pinned", "0"}},
        "bench_filter_gpu [options]: see the head of filter_gpu.cpp"));
  });
}
