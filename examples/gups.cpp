// GUPS, the HPC Challenge's RandomAccess: random words of a table spread over all ranks are each
// xor-ed with a value, by delegates, and nothing waits for a reply.
//
//   gups [SPEC [LOG2_WORDS [UPDATES [MANAGER]]]]      e.g. gups cpu:2x1 24 4000000
//
// UPDATES are of each rank. MANAGER carries the messages: polled (the default), thread, or, on
// modelled machines, hardware.
//
// Verified twice. After one pass the xor over the table is that over its indices and all values;
// after a second one with the same values every word is what it was. The challenge allows for one
// lost update in a hundred; here the owner's core alone touches a word, and none is lost.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "gossamer/machine/machine.hpp"
#include "gossamer/task/global_tasks.hpp"

using namespace gossamer;

namespace {

using word = std::uint64_t;

/// Value `k` of a sequence that is the same however many ranks share it: SplitMix64 (Steele, Lea,
/// Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
word value(std::uint64_t k) {
  word x = (k + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

task<> update(global_tasks& g, global_array<word> table, std::uint64_t updates) {
  const auto mask = static_cast<word>(table.size() - 1);
  const std::uint64_t first = static_cast<std::uint64_t>(g.id()) * updates;
  for (std::uint64_t k = first; k < first + updates; ++k) {
    const word x = value(k);
    co_await g.post(table[static_cast<std::int64_t>(x & mask)], [x](word& w) { w ^= x; });
  }
}

auto manager_named(const std::string& name) {
  require(name == "polled" || name == "thread" || name == "hardware",
          "no manager '" + name + "': polled, thread or hardware");
  return name == "polled"   ? make_polled_manager
         : name == "thread" ? make_thread_manager
                            : make_hardware_manager;
}

struct outcome {
  std::uint64_t checksum = 0, wrong = 0;
  double seconds = 0;
};

/// One rank's part, and all ranks' sums.
outcome play(rank& r, const global_tasks_options& options, int bits, std::uint64_t updates) {
  global_tasks g(r, options);
  const auto table = g.heap().allocate<word>(std::int64_t{1} << bits, 512);
  table.for_each_local([](std::int64_t i, word& w) { w = static_cast<word>(i); });
  outcome mine;
  r.barrier();
  const double begin = r.clock();
  g.run(update(g, table, updates));
  mine.seconds = r.clock() - begin;
  for (const word w : table.local()) mine.checksum ^= w;
  g.run(update(g, table, updates));
  table.for_each_local([&](std::int64_t i, word& w) { mine.wrong += w != static_cast<word>(i); });

  std::vector<outcome> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  outcome sum;
  for (const outcome& o : all) {
    sum.checksum ^= o.checksum;
    sum.wrong += o.wrong;
    sum.seconds = std::max(sum.seconds, o.seconds);
  }
  return sum;
}

}  // namespace

int main(int count, char** arguments) try {
  auto m = machine::open(count > 1 ? arguments[1] : "cpu:2x1");
  const int bits = count > 2 ? std::atoi(arguments[2]) : 20;
  const std::uint64_t updates = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1000000;
  require(bits >= 1 && bits <= 40, "a table has 2^1 to 2^40 words");

  global_tasks_options options;
  if (count > 4) options.manager = manager_named(arguments[4]);
  const auto ranks = static_cast<std::uint64_t>(m.size());
  const std::int64_t blocks = ((std::int64_t{1} << bits) / 512 + m.size()) / m.size();
  run_options planned;
  planned.arenas = {
      arena_plan{static_cast<std::size_t>(global_heap::bytes((blocks + 1) * 512, sizeof(word)) +
                                          global_tasks::bytes(m.size(), options) + (1 << 20))}};

  outcome found;
  m.run(
      [&](rank& r) {
        const outcome all = play(r, options, bits, updates);
        if (r.id() == 0) found = all;
      },
      planned);
  if (!m.here(0)) return 0;

  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << bits; ++i) expected ^= i;
  for (std::uint64_t k = 0; k < ranks * updates; ++k) expected ^= value(k);
  const bool right = found.wrong == 0 && found.checksum == expected;
  std::cout << ranks * updates << " updates of 2^" << bits << " words over " << ranks
            << " ranks: " << (right ? "verified" : "WRONG") << "\n"
            << static_cast<double>(ranks * updates) / found.seconds / 1e6
            << " million updates per second, all ranks together\n";
  return right ? 0 : 3;
} catch (const std::exception& e) {
  std::cerr << "gups: " << e.what() << "\n";
  return 2;
}
