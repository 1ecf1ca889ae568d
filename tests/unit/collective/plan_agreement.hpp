// What programs for every kind of machine ask of all algorithms: agreement with the sequential
// reference of plan_cases.hpp, and starts that allocate nothing. Each function gives what was wrong
// first among the ranks of this process, or nothing; it makes the same runs whatever it finds, so
// that processes of one job stay in step.
#pragma once

#include <atomic>
#include <mutex>

#include "gossamer/base/error.hpp"
#include "unit/collective/collective_fixture.hpp"
#include "unit/collective/plan_cases.hpp"
#include "unit/fabric/allocations.hpp"

namespace gossamer::plan_cases {

/// Keeps the first complaint of ranks that are threads.
class complaints {
 public:
  void add(const std::string& wrong) {
    std::lock_guard lock(mutex_);
    if (first_.empty()) first_ = wrong;
  }
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  std::mutex mutex_;
  std::string first_;
};

/// Every algorithm with `cases` variants each, all different, counted from `first`.
inline std::string disagreement(machine& m, int first, int cases,
                                plan_runner runner = plan_runner::automatic) {
  complaints found;
  for (const auto& a : collective_algorithms()) {
    std::atomic<int> last{first};
    try {
      m.run(
          [&](rank& r) {
            for (int i = first; i < first + cases; ++i) {
              auto v = vary(i, r.size());
              v.runner = runner;
              last = i;
              const auto wrong = wrong_in_type(i % 6, r, a, v);
              if (!wrong.empty()) found.add(wrong + ", variant " + std::to_string(i));
            }
          },
          bounded());
    } catch (const rank_error& e) {
      throw rank_error(std::string(e.what()) + ", in " + std::string(name_of(a.op)) + ' ' +
                           std::string(a.name) + " about variant " + std::to_string(last.load()),
                       e.rank(), e.peer(), e.timed_out());
    }
    first += cases;
  }
  return found.first();
}

/// Every algorithm that has a root, with every root.
inline std::string disagreement_of_roots(machine& m) {
  complaints found;
  for (const auto& a : collective_algorithms()) {
    if (!has_root(a.op)) continue;
    m.run(
        [&](rank& r) {
          variant v;
          v.epochs = 2;
          for (v.root = 0; v.root < r.size(); ++v.root) {
            v.count = static_cast<std::size_t>(1 + v.root % 3);
            v.in_place = v.root % 2 == 1;
            const auto wrong = wrong_in<std::int32_t>(r, a, v);
            if (!wrong.empty()) found.add(wrong + ", root " + std::to_string(v.root));
          }
        },
        bounded());
  }
  return found.first();
}

/// Every algorithm over many epochs with nothing between them, so that ranks run ahead as far as
/// credits let them.
inline std::string disagreement_over_many_epochs(machine& m, plan_runner runner) {
  complaints found;
  for (const auto& a : collective_algorithms())
    m.run(
        [&](rank& r) {
          variant v;
          v.count = 5;
          v.epochs = 60;
          v.root = r.size() > 1 ? 1 : 0;
          v.runner = runner;
          for (const bool windowed : {false, true}) {
            v.windowed = windowed;
            const auto wrong = wrong_in<std::int64_t>(r, a, v);
            if (!wrong.empty()) found.add(wrong + ", many epochs");
          }
        },
        bounded());
  return found.first();
}

/// Every algorithm with messages that transports have to cut into pieces.
inline std::string disagreement_of_large(machine& m, std::size_t count,
                                         plan_runner runner = plan_runner::automatic) {
  complaints found;
  run_options options = bounded();
  // Up to a block for every rank, staged, in both turns, beside the caller's own (and a little for
  // signals and the rounding of windows).
  const std::size_t blocks = count * sizeof(std::int64_t) * static_cast<std::size_t>(m.size());
  const std::size_t room = (std::size_t{64} << 20) + 16 * blocks;
  const std::size_t host_room = (std::size_t{64} << 20) + 4 * blocks;
  options.arenas = {{room, host_room}};
  for (const auto& a : collective_algorithms()) {
    m.run(
        [&](rank& r) {
          variant v;
          v.count = count;
          v.epochs = 3;
          v.root = r.size() - 1;
          v.runner = runner;
          const auto wrong = wrong_in<std::int64_t>(r, a, v);
          if (!wrong.empty()) found.add(wrong + ", large");
        },
        options);
  }
  return found.first();
}

/// Every algorithm, 20 starts that have to allocate nothing, after `warm` that may fill pools of
/// buffers. Needs counted_new.cpp. Between barriers, as modelled ranks share one thread.
inline std::string allocating(machine& m, int warm) {
  complaints found;
  for (const auto& a : collective_algorithms()) {
    m.run(
        [&](rank& r) {
          const auto p = static_cast<std::size_t>(r.size());
          variant v;
          v.count = 9;
          collective_request q;
          q.op = a.op;
          q.ranks = r.size();
          q.count = v.count;
          q.pair_count = pair_count;
          const schedule shape(q, a.name);
          std::vector<double> in(shape.input_size(r.id())), out(shape.output_size(r.id()));
          plan_options options;
          options.algorithm = a.name;
          auto plan = make_plan<double>(r, a.op, in, out, v, options);
          for (int e = 0; e < warm; ++e) plan.run();
          r.barrier();
          const auto before = testing::allocations;
          for (int e = 0; e < 20; ++e) plan.run();
          const auto during = testing::allocations - before;
          r.barrier();
          if (during != 0)
            found.add(std::string(name_of(a.op)) + ' ' + std::string(a.name) + " of " +
                      std::to_string(p) + ": " + std::to_string(during) + " allocations");
        },
        bounded());
  }
  return found.first();
}

}  // namespace gossamer::plan_cases
