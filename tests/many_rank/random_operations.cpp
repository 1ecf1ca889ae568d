// Random sequences of fabric operations over many ranks, against a sequential model.
//
// Every rank derives the same program from the seed. Per round each element of each rank's window
// has at most one writer, so the model's result is the only one allowed; counters are added to by
// anybody, since addition commutes. Rounds end with a barrier, and the whole state is compared.
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {
namespace {

enum class action { put, put_signal, list, get, add, swap, reduce, fill, count };

struct operation {
  action what;
  int actor, peer;
  std::size_t offset, n;
  std::uint64_t value;
};

/// What all ranks together hold, executed one operation after the other.
struct model {
  std::vector<std::vector<std::uint64_t>> data;      // by rank
  std::vector<std::vector<std::uint64_t>> counters;  // by rank, [window words]
  std::vector<std::vector<std::uint64_t>> signals;   // [rank][from]
};

constexpr std::size_t counters_per_rank = 4;

std::uint64_t word(const operation& o, std::size_t i) {
  return o.value * 0x9e3779b97f4a7c15u + i;
}

class program {
 public:
  program(int p, std::uint64_t seed) : p_(p), random_(seed) {
    for (int r = 0; r < p; ++r) sizes_.push_back(random_() % 97);  // some ranks may have none
  }
  [[nodiscard]] std::size_t size_of(int r) const { return sizes_[r]; }

  /// The next round: disjoint ranges for writers, reads only from what no one writes.
  std::vector<operation> round(std::vector<std::vector<bool>>& written) {
    written.assign(p_, {});
    for (int r = 0; r < p_; ++r) written[r].assign(sizes_[r], false);
    std::vector<operation> all;
    std::vector<std::vector<bool>> read(written);
    std::vector<std::vector<bool>> swapped(p_, std::vector<bool>(counters_per_rank, false));
    for (int i = 0; i < 6 * p_; ++i) {
      operation o{static_cast<action>(random_() % static_cast<int>(action::count)),
                  static_cast<int>(random_() % p_),
                  static_cast<int>(random_() % p_),
                  0,
                  0,
                  random_() >> 8};
      switch (o.what) {
        case action::put:
        case action::put_signal:
        case action::list:
        case action::get:
        case action::fill: {
          if (o.what == action::fill) o.peer = o.actor;
          const std::size_t size = sizes_[o.peer];
          o.offset = random_() % (size + 1);
          o.n = random_() % (size - o.offset + 1);
          bool taken = false;
          for (std::size_t k = o.offset; k < o.offset + o.n; ++k)
            taken |= written[o.peer][k] || (o.what != action::get && read[o.peer][k]);
          if (taken) continue;
          auto& marks = o.what == action::get ? read : written;
          for (std::size_t k = o.offset; k < o.offset + o.n; ++k) marks[o.peer][k] = true;
          break;
        }
        case action::add:
          o.offset = random_() % (counters_per_rank / 2);
          break;
        case action::swap:  // upper half of the counters: one swap a round each
          o.offset = counters_per_rank / 2 + random_() % (counters_per_rank / 2);
          if (swapped[o.peer][o.offset]) continue;
          swapped[o.peer][o.offset] = true;
          break;
        case action::reduce:
          o.actor = -1;  // everybody
          break;
        case action::count:
          break;
      }
      all.push_back(o);
    }
    return all;
  }

 private:
  int p_;
  std::mt19937_64 random_;
  std::vector<std::size_t> sizes_;
};

// Applies `o`; what the actor should see (a get's words, an atomic's old value) goes to `seen`.
void apply(model& m, const operation& o, std::vector<std::uint64_t>& seen) {
  const int p = static_cast<int>(m.data.size());
  switch (o.what) {
    case action::put_signal:
      ++m.signals[o.peer][o.actor];
      [[fallthrough]];
    case action::put:
      for (std::size_t i = 0; i < o.n; ++i) m.data[o.peer][o.offset + i] = word(o, i);
      break;
    case action::list:  // started twice
      m.signals[o.peer][o.actor] += 2;
      for (std::size_t i = 0; i < o.n; ++i) m.data[o.peer][o.offset + i] = word(o, i);
      break;
    case action::fill:
      for (std::size_t i = 0; i < o.n; ++i)
        m.data[o.peer][o.offset + i] = (o.value & 0xff) * 0x0101010101010101u;
      break;
    case action::get:
      seen.assign(m.data[o.peer].begin() + static_cast<std::ptrdiff_t>(o.offset),
                  m.data[o.peer].begin() + static_cast<std::ptrdiff_t>(o.offset + o.n));
      break;
    case action::add:
      m.counters[o.peer][o.offset] += o.value;
      break;
    case action::swap: {
      auto& counter = m.counters[o.peer][o.offset];
      seen = {counter};
      if (o.value % 3 != 0) counter = o.value;
      break;
    }
    case action::reduce:
      seen = {0};
      for (int r = 0; r < p; ++r) seen[0] += o.value ^ static_cast<std::uint64_t>(r);
      break;
    case action::count:
      break;
  }
}

class many_rank : public ::testing::TestWithParam<int> {};

TEST_P(many_rank, random_operations_match_the_model) {
  const int p = GetParam();
  const int rounds = 240 / (p + 2);
  auto m = machine::open("cpu:" + std::to_string(p) + "x1");
  run_options options;
  options.deadline = std::chrono::seconds(30);
  for (const home where : {home::native, home::host})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      m.run(
          [&](rank& r) {
            program next(p, seed);
            model want;
            for (int k = 0; k < p; ++k) {
              want.data.emplace_back(next.size_of(k), 0);
              want.counters.emplace_back(counters_per_rank, 0);
              want.signals.emplace_back(p, 0);
            }
            auto w = r.make_window<std::uint64_t>(next.size_of(r.id()), where);
            auto c = r.make_window<std::uint64_t>(counters_per_rank, where);
            auto flags = r.make_signals(static_cast<std::size_t>(p), where);
            scalar_plan<std::uint64_t> plan(r);
            r.fill(w.local().data(), 0, w.size() * sizeof(std::uint64_t));
            r.fill(c.local().data(), 0, c.size() * sizeof(std::uint64_t));
            r.barrier();
            std::vector<std::vector<bool>> written;
            std::size_t wrong = 0;
            for (int round = 0; round < rounds; ++round) {
              for (const auto& o : next.round(written)) {
                std::vector<std::uint64_t> seen, got;
                apply(want, o, seen);
                if (o.what == action::reduce)
                  wrong += plan.allreduce(o.value ^ static_cast<std::uint64_t>(r.id()),
                                          reduction::sum) != seen[0];
                if (o.actor != r.id()) continue;
                std::vector<std::uint64_t> from(o.n);
                for (std::size_t i = 0; i < o.n; ++i) from[i] = word(o, i);
                const auto me = static_cast<std::size_t>(r.id());
                switch (o.what) {
                  case action::put:
                    r.put(w, o.peer, o.offset, from);
                    break;
                  case action::put_signal:
                    r.put_signal(w, o.peer, o.offset, from, flags[me], 1, signal_op::add);
                    break;
                  case action::list: {
                    auto list = r.make_put_list();
                    std::vector<std::uint64_t> first(o.n, ~std::uint64_t{0});
                    list.put_signal(w, o.peer, o.offset, first, flags[me]);
                    list.start();
                    r.flush(o.peer);
                    first = from;  // the same memory, as sizes agree
                    list.start();
                    r.flush(o.peer);
                    break;
                  }
                  case action::fill:
                    r.fill(w.local().data() + o.offset, static_cast<int>(o.value & 0xff),
                           o.n * sizeof(std::uint64_t));
                    break;
                  case action::get:
                    got.resize(o.n);
                    r.get(w, o.peer, o.offset, got);
                    r.flush(o.peer);
                    wrong += got != seen;
                    break;
                  case action::add:
                    r.fetch_add(c, o.peer, o.offset, o.value);
                    break;
                  case action::swap: {
                    const auto expected = o.value % 3 != 0 ? seen[0] : ~seen[0];
                    wrong += r.compare_and_swap(c, o.peer, o.offset, expected, o.value) != seen[0];
                    break;
                  }
                  case action::reduce:
                  case action::count:
                    break;
                }
              }
              // Signals first: what they announce must be there before any barrier.
              for (int from = 0; from < p; ++from) {
                const auto k = static_cast<std::size_t>(from);
                r.wait_signal(flags[k], want.signals[r.id()][k], from);
              }
              r.barrier();
              for (std::size_t k = 0; k < static_cast<std::size_t>(p); ++k)
                wrong += r.read_signal(flags[k]) != want.signals[r.id()][k];
              const auto data = w.local(), counters = c.local();
              wrong += !std::equal(data.begin(), data.end(), want.data[r.id()].begin());
              wrong += !std::equal(counters.begin(), counters.end(), want.counters[r.id()].begin());
              r.barrier();
            }
            EXPECT_EQ(wrong, 0u) << "rank " << r.id() << " of " << p;
          },
          options);
    }
}

INSTANTIATE_TEST_SUITE_P(ranks, many_rank, ::testing::Values(1, 2, 3, 7, 11, 17));

}  // namespace
}  // namespace gossamer
