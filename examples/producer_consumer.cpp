// Producers and consumers that meet at words with a full/empty bit, the smallest buffer there is:
// writing waits until a word is empty, reading until it is full.
//
//   producer_consumer [ITEMS [SPEC]]      e.g. producer_consumer 10000 cpu:3x1; items a producer
//
// Each rank has a word. Three tasks of each rank write numbers into its right neighbour's, at that
// rank, since a word belongs to its owner's core; three others take from its own word and add up.
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "gossamer/machine/machine.hpp"
#include "gossamer/task/global_reference.hpp"

using namespace gossamer;

using word = full_empty<std::int64_t>;

static task<> produce(global_tasks& g, global_address<word> to, std::int64_t items) {
  for (std::int64_t i = 1; i <= items; ++i) co_await global_reference(g, to).write_ef(i);
}

static task<> consume(word& from, std::int64_t items, std::int64_t& sum) {
  for (; items > 0; --items) sum += co_await from.read_fe();
}

int main(int count, char** arguments) try {
  const std::int64_t items = count > 1 ? std::atoll(arguments[1]) : 10000;
  auto m = machine::open(count > 2 ? arguments[2] : "cpu:2x1");
  require(items > 0, "ITEMS must be positive");
  constexpr int pairs = 3;
  m.run([&](rank& r) {
    global_tasks g(r);
    const auto words = g.heap().allocate_owned<word>(1);
    const auto sums = g.heap().allocate_owned<std::int64_t>(1);
    const auto right = words[(r.id() + 1) % r.size()];
    for (int k = 1; k < pairs; ++k) g.local().spawn(produce(g, right, items));
    for (int k = 0; k < pairs; ++k)
      g.local().spawn(consume(words.local()[0], items, sums.local()[0]));
    g.run(produce(g, right, items));

    const auto report = [](global_tasks& g, global_array<std::int64_t> sums) -> task<> {
      if (g.id() != 0) co_return;
      std::int64_t all = 0;
      for (std::int64_t i = 0; i < sums.size(); ++i)
        all += co_await g.call(sums[i], [](std::int64_t& s) { return s; });
      std::cout << "consumed " << all << " in all, " << all / sums.size() << " a rank\n";
    };
    g.run(report(g, sums));
  });
  return 0;
} catch (const std::exception& e) {
  std::cerr << "producer_consumer: " << e.what() << "\n";
  return 2;
}
