// What programs for every kind of machine ask of all algorithms: agreement with the sequential
// reference of plan_cases.hpp, and starts that allocate nothing. Each function gives what was wrong
// first among the ranks of this process, or nothing; it makes the same runs whatever it finds, so
// that processes of one job stay in step.
#pragma once

#include <atomic>
#include <mutex>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/system.hpp"
#include "unit/collective/collective_fixture.hpp"
#include "unit/collective/run/plan_cases.hpp"
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

/// native and host memory are of one kind on every rank: no need to try both where time matters.
inline bool has_one_memory(const machine& m) {
  for (int r = 0; r < m.size(); ++r) {
    const auto& on = m[r].model;
    if (m[r].is_cuda() || (on != nullptr && on->native != model::memory::host)) return false;
  }
  return true;
}

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
inline std::string disagreement_of_roots(machine& m, plan_runner runner = plan_runner::automatic) {
  complaints found;
  for (const auto& a : collective_algorithms()) {
    if (!has_root(a.op)) continue;
    m.run(
        [&](rank& r) {
          variant v;
          v.epochs = 2;
          v.runner = runner;
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
inline std::string disagreement_over_many_epochs(machine& m, plan_runner runner,
                                                 std::size_t count = 5) {
  complaints found;
  run_options options = bounded();
  const std::size_t vectors = 16 + 8 * static_cast<std::size_t>(m.size());
  const std::size_t room = (std::size_t{16} << 20) + vectors * count * sizeof(std::int64_t);
  options.arenas = {{room, room}};
  for (const auto& a : collective_algorithms())
    m.run(
        [&](rank& r) {
          variant v;
          v.count = v.longest_pair = count;
          v.epochs = 60;
          v.root = r.size() > 1 ? 1 : 0;
          v.runner = runner;
          for (const bool windowed : {false, true}) {
            v.windowed = windowed;
            const auto wrong = wrong_in<std::int64_t>(r, a, v);
            if (!wrong.empty()) found.add(wrong + ", many epochs");
          }
        },
        options);
  return found.first();
}

/// Every algorithm with transfers so long that each block of a GPU's kernel works by itself. Epochs
/// follow each other at once, results go straight into windows, and the root alone works in place
/// or not.
inline std::string disagreement_of_slices(machine& m, std::size_t count) {
  complaints found;
  run_options options = bounded();
  // Some algorithms keep everybody's vector, in both turns.
  const std::size_t vectors = 16 + 8 * static_cast<std::size_t>(m.size());
  options.arenas = {{(std::size_t{64} << 20) + vectors * count * sizeof(std::int64_t), 1 << 20}};
  for (const auto& a : collective_algorithms()) {
    if (a.host_scratch) continue;
    const bool blocks = a.op != collective_op::broadcast && a.op != collective_op::reduce &&
                        a.op != collective_op::allreduce;
    m.run(
        [&](rank& r) {
          variant v;
          v.count = v.longest_pair = blocks ? count / static_cast<std::size_t>(r.size()) : count;
          v.windowed = true;
          v.root = r.size() / 2;
          v.runner = plan_runner::one_kernel;
          for (const bool in_place : {false, true}) {
            v.in_place = in_place;
            const auto wrong = wrong_in<std::int64_t>(r, a, v);
            if (!wrong.empty()) found.add(wrong + (in_place ? ", long, in place" : ", long"));
          }
        },
        options);
  }
  return found.first();
}

/// Every algorithm with messages that transports have to cut into pieces, from and to every kind of
/// memory; all_to_all_v with each pair once without any, with one element, with half and with all.
/// `whole`: in one piece and in place.
inline std::string disagreement_of_large(machine& m, std::size_t count,
                                         plan_runner runner = plan_runner::automatic,
                                         bool only_many_pieces = false, bool whole = false) {
  complaints found;
  run_options options = bounded();
  // Up to a block for every rank, staged, in both turns, beside the caller's own (and a little for
  // signals and the rounding of windows).
  const std::size_t blocks = count * sizeof(std::int64_t) * static_cast<std::size_t>(m.size());
  constexpr std::size_t little = std::size_t{64} << 20;
  options.arenas = {{little + 16 * blocks, little + 8 * blocks}};
  for (const auto& a : collective_algorithms()) {
    if (only_many_pieces && !a.many_pieces) continue;
    const int turns = a.op == collective_op::all_to_all_v || !has_one_memory(m) ? 4 : 1;
    for (int turn = 0; turn < turns; ++turn)
      m.run(
          [&](rank& r) {
            variant v;
            v.count = v.longest_pair = count;
            v.pair_shift = v.where = turn;
            v.differ = turn % 2 == 1;
            v.epochs = 3;
            v.root = r.size() - 1;
            v.runner = runner;
            v.in_place = whole;
            if (whole) v.segments = 1;
            const auto wrong = wrong_in<std::int64_t>(r, a, v);
            if (!wrong.empty()) found.add(wrong + ", large, homes " + std::to_string(turn));
          },
          options);
  }
  return found.first();
}

/// Calls of operator new (and of the CUDA runtime, see allocations.hpp) in 20 starts of one plan by
/// this rank. `v.where` beyond all_homes: buffers in the process's own, pageable memory.
inline std::uint64_t allocations_of(rank& r, const algorithm_info& a, const variant& v, int warm) {
  collective_request q;
  q.op = a.op;
  q.ranks = r.size();
  q.count = v.count;
  q.pair_count = pairs_of(v);
  const schedule shape(q, a.name);
  std::vector<double> own_in(shape.input_size(r.id())), own_out(shape.output_size(r.id()));
  std::span<double> in(own_in), out(own_out);
  if (v.where < static_cast<int>(all_homes.size())) {
    in = r.scratch<double>(in.size(), homes_of(v, r.id()).input);
    out = r.scratch<double>(out.size(), homes_of(v, r.id()).output);
  }
  plan_options options;
  options.algorithm = a.name;
  options.runner = v.runner;
  auto plan = make_plan<double>(r, a.op, in, output_range<double>(out), v, options);
  const auto times = [&](int starts) {
    for (int e = 0; e < starts; ++e) plan.run();
    r.synchronize();
  };
  times(warm);
  r.barrier();
  const auto before = testing::allocations;
  times(20);
  const auto during = testing::allocations - before;
  r.barrier();
  return during;
}

/// Every algorithm from and to every kind of memory that the runner takes: starts have to allocate
/// nothing, after `warm` that may fill pools of buffers. Needs counted_new.cpp. Between barriers,
/// as modelled ranks share one thread.
inline std::string allocating(machine& m, int warm, plan_runner runner = plan_runner::automatic) {
  complaints found;
  const bool as_kernel = runner == plan_runner::one_kernel, one = has_one_memory(m);
  const int own = static_cast<int>(all_homes.size());
  const int first = one ? own : 0, last = as_kernel && !one ? own - 1 : own;
  for (const auto& a : collective_algorithms()) {
    if (as_kernel && a.host_scratch) continue;
    m.run(
        [&](rank& r) {
          variant v;
          v.count = 9;
          v.runner = runner;
          for (v.where = first; v.where <= last; ++v.where) {
            const auto during = allocations_of(r, a, v, warm);
            if (during != 0)
              found.add(std::string(name_of(a.op)) + ' ' + std::string(a.name) + " of " +
                        std::to_string(r.size()) + ", buffers " + std::to_string(v.where) + ": " +
                        std::to_string(during) + " allocations");
          }
        },
        bounded());
  }
  return found.first();
}

}  // namespace gossamer::plan_cases
