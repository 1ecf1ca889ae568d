// A histogram whose bins are spread over all ranks: each sample is counted where its bin lies.
//
//   delegate_histogram [SPEC [SAMPLES]]     e.g. delegate_histogram cpu:3x1 100000; of each rank
//
// Samples are sums of two dice, so that some bins are far busier than others. The counts need no
// atomic operation: the owner's core alone touches them.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "gossamer/machine/machine.hpp"
#include "gossamer/task/global_tasks.hpp"

using namespace gossamer;

using histogram = global_array<std::int64_t>;

static task<> count_samples(global_tasks& g, histogram bins, std::uint64_t samples) {
  std::uint64_t x = static_cast<std::uint64_t>(g.id()) + 1;
  for (; samples > 0; --samples) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    const auto sum = static_cast<std::int64_t>((x >> 40) % 6 + (x >> 20 & 0xfffff) % 6);
    co_await g.post(bins[sum], [](std::int64_t& n) { ++n; });
  }
}

/// What rank 0 reads back, one bin at a time.
static task<std::int64_t> print(global_tasks& g, histogram bins) {
  std::int64_t all = 0;
  for (std::int64_t i = 0; i < bins.size(); ++i) {
    const auto n = co_await g.call(bins[i], [](std::int64_t& n) { return n; });
    std::cout << i + 2 << "\t" << n << "\n";
    all += n;
  }
  co_return all;
}

int main(int count, char** arguments) try {
  auto m = machine::open(count > 1 ? arguments[1] : "cpu:2x1");
  const std::uint64_t samples = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 100000;
  m.run([&](rank& r) {
    global_tasks g(r);
    const auto bins = g.heap().allocate<std::int64_t>(11);
    g.run(count_samples(g, bins, samples));
    const auto report = [](global_tasks& g, histogram bins) -> task<> {
      if (g.id() == 0) std::cout << co_await print(g, bins) << " samples\n";
    };
    g.run(report(g, bins));
  });
  return 0;
} catch (const std::exception& e) {
  std::cerr << "delegate_histogram: " << e.what() << "\n";
  return 2;
}
