// Runs every algorithm at every size, measures the slowest rank, and turns the fastest of each size
// into rules.
#include "gossamer/collective/tune.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "collective/choose/known_elements.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/collective/plan.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

namespace {

using known_elements::element;

collective_request request_for(collective_op op, int ranks, std::size_t bytes) {
  collective_request q;
  q.op = op;
  q.ranks = ranks;
  q.count = bytes / sizeof(element);
  q.element = sizeof(element);
  if (op == collective_op::all_to_all_v) q.pair_count = [n = q.count](int, int) { return n; };
  return q;
}

collective_plan plan_for(rank& r, const collective_request& q, std::span<const element> in,
                         std::span<element> out, const plan_options& options) {
  plan_options complete = options;
  if (q.op == collective_op::all_to_all_v)
    complete.counts.assign(static_cast<std::size_t>(q.ranks), q.count);
  return plan_collective<element>(r, q.op, 0, q.op == collective_op::all_to_all_v ? 0 : q.count, in,
                                  out, reduction::sum, complete);
}

/// Arenas of one case: what the plan takes, and the two buffers.
std::vector<arena_plan> arenas_for(const schedule& s) {
  std::vector<arena_plan> plans;
  for (int r = 0; r < s.ranks(); ++r) {
    arena_plan plan = bytes_needed(s, r);
    plan.native += (s.input_size(r) + s.output_size(r)) * sizeof(element) + 4096;
    plan.host += 4096;
    plans.push_back(plan);
  }
  return plans;
}

/// capacity_error where the ranks of this process take more than its host may be planned with.
/// `copied`: each has its input and its output on the host, too.
void check_memory(const machine& m, const schedule& s, const std::vector<arena_plan>& arenas,
                  bool copied) {
  std::size_t taken = 0;
  for (int r = 0; r < m.size(); ++r) {
    const arena_plan& of = arenas[static_cast<std::size_t>(r)];
    if (!m.here(r)) continue;
    taken += of.host + (m[r].is_cuda() ? 0 : of.native);
    if (copied) taken += (s.input_size(r) + s.output_size(r)) * sizeof(element);
  }
  const auto bytes = static_cast<std::int64_t>(taken);
  const memory_limit limit = host_memory_limit();
  if (bytes <= limit.bytes) return;
  const auto text = [](std::int64_t b) { return configuration::format_bytes(b); };
  const auto message = static_cast<std::int64_t>(s.request().count * sizeof(element));
  throw capacity_error(std::string(name_of(s.request().op)) + " of " + text(message) + " by " +
                       std::string(s.algorithm().name) + " takes " + text(bytes) +
                       " on this host; the limit is " + text(limit.bytes) + " (" + limit.source +
                       ")");
}

/// A message by each algorithm whose arenas are not too large to be measured.
std::vector<schedule> cases_of(const machine& m, collective_op op, std::size_t bytes,
                               const tune_options& options) {
  std::vector<schedule> cases;
  for (const auto& a : collective_algorithms()) {
    if (a.op != op || !a.same_bits) continue;
    schedule s(request_for(op, m.size(), bytes), a.name);
    const auto arenas = arenas_for(s);
    if (std::ranges::any_of(
            arenas, [&](const arena_plan& p) { return p.native + p.host > options.arena_limit; }))
      continue;
    check_memory(m, s, arenas, /*copied=*/false);
    cases.push_back(std::move(s));
  }
  return cases;
}

/// Seconds of one start and wait, slowest rank, best round.
double measure(machine& m, const schedule& s, const tune_options& options) {
  run_options run = options.run;
  run.arenas = arenas_for(s);
  check_memory(m, s, run.arenas, /*copied=*/false);
  run.terms = {{"program", "collective"},
               {"operation", std::string(name_of(s.request().op))},
               {"algorithm", std::string(s.algorithm().name)},
               {"elements", std::to_string(s.request().count)},
               {"rounds", std::to_string(options.rounds)}};
  double best = 0;
  int keeper = 0;
  while (!m.here(keeper)) ++keeper;
  m.run(
      [&](rank& r) {
        const auto in = r.scratch<element>(s.input_size(r.id()));
        const auto out = r.scratch<element>(s.output_size(r.id()));
        r.fill(in.data(), 0, in.size_bytes());
        plan_options pinned;
        pinned.algorithm = s.algorithm().name;
        auto plan = plan_for(r, s.request(), in, out, pinned);
        scalar_plan<double> slowest(r);
        const auto time = [&](int times) {
          r.synchronize();
          slowest.allreduce(0, reduction::max);
          const double begin = r.clock();
          for (int i = 0; i < times; ++i) plan.run();
          r.synchronize();
          return slowest.allreduce((r.clock() - begin) / times, reduction::max);
        };
        time(2);
        const int times = static_cast<int>(
            std::clamp(options.seconds_per_case / std::max(time(3), 1e-9), 3.0, 10000.0));
        double fastest = std::numeric_limits<double>::max();
        for (int round = 0; round < options.rounds; ++round)
          fastest = std::min(fastest, time(times));
        // The same on all ranks; one of each process keeps it.
        if (r.id() == keeper) best = fastest;
      },
      run);
  return best;
}

std::vector<std::size_t> sizes(collective_op op, std::size_t most) {
  if (op == collective_op::barrier) return {0};
  std::vector<std::size_t> all;
  for (std::size_t n = sizeof(element); n <= most; n *= 8) all.push_back(n);
  if (all.empty() || (all.back() < most && most / all.back() >= 2))
    all.push_back(most / sizeof(element) * sizeof(element));
  return all;
}

/// Geometric middle of two sizes, as a power of two: rules stay readable.
std::size_t border(std::size_t a, std::size_t b) {
  const double middle =
      0.5 * (std::log2(static_cast<double>(a)) + std::log2(static_cast<double>(b)));
  return std::size_t{1} << static_cast<int>(std::lround(middle));
}

}  // namespace

std::string verify_collective(machine& m, collective_op op, std::size_t bytes,
                              std::string_view algorithm, const tune_options& options) {
  const collective_request q = request_for(op, m.size(), bytes);
  const schedule s(q, algorithm.empty() ? selection_rules::of(m).algorithm(op, bytes) : algorithm);
  run_options run = options.run;
  run.arenas = arenas_for(s);
  check_memory(m, s, run.arenas, /*copied=*/true);
  std::vector<std::string> wrong(static_cast<std::size_t>(m.size()));
  m.run(
      [&](rank& r) {
        const auto in = r.scratch<element>(s.input_size(r.id()));
        const auto out = r.scratch<element>(s.output_size(r.id()));
        plan_options pinned;
        pinned.algorithm = s.algorithm().name;
        auto plan = plan_for(r, q, in, out, pinned);
        for (int round = 0; round < 2; ++round) {
          // A broadcast's plan has one range: the root's goes to everybody's.
          const auto given = op == collective_op::broadcast ? out : in;
          std::vector<element> here(given.size());
          for (std::size_t i = 0; i < here.size(); ++i)
            here[i] = known_elements::input_of(r.id(), i, round);
          copy_bytes(given.data(), here.data(), given.size_bytes());
          r.barrier();
          plan.run();
          r.synchronize();
          here.resize(out.size());
          copy_bytes(here.data(), out.data(), out.size_bytes());
          if (std::string& found = wrong[static_cast<std::size_t>(r.id())]; found.empty())
            found = known_elements::wrong_element(q, r.id(), round, here);
          r.barrier();
        }
      },
      run);
  for (const std::string& found : wrong)
    if (!found.empty())
      return std::string(name_of(op)) + " " + std::string(s.algorithm().name) + ": " + found;
  return {};
}

tune_measurement measure_collective(machine& m, collective_op op, std::size_t bytes,
                                    std::string_view algorithm, const tune_options& options) {
  const schedule s(request_for(op, m.size(), bytes),
                   algorithm.empty() ? selection_rules::of(m).algorithm(op, bytes) : algorithm);
  return {op, std::string(s.algorithm().name), bytes, measure(m, s, options)};
}

tune_result tune(machine& m, const tune_options& options) {
  require(options.max_bytes >= sizeof(element),
          "tune: the largest message has no room for a number");
  tune_result result;
  std::vector<collective_op> ops = options.ops;
  if (ops.empty())
    for (int o = 0; o < collective_ops; ++o) ops.push_back(static_cast<collective_op>(o));
  for (const auto op : ops)  // the largest first, before anything takes time
    cases_of(m, op, sizes(op, options.max_bytes).back(), options);
  for (const auto op : ops) {
    std::vector<selection_rules::range> ranges;
    std::size_t size_before = 0;
    for (const auto bytes : sizes(op, options.max_bytes)) {
      std::vector<tune_measurement> here;
      for (const schedule& s : cases_of(m, op, bytes, options)) {
        here.push_back({op, std::string(s.algorithm().name), bytes, measure(m, s, options)});
        if (options.progress) options.progress(here.back());
      }
      if (here.empty()) break;
      const auto& fastest = *std::ranges::min_element(here, {}, &tune_measurement::seconds);
      std::string chosen = fastest.algorithm;
      for (const auto& x : here)
        if (!ranges.empty() && x.algorithm == ranges.back().algorithm &&
            x.seconds < 1.05 * fastest.seconds)
          chosen = x.algorithm;
      if (ranges.empty() || ranges.back().algorithm != chosen) {
        if (!ranges.empty()) ranges.back().end = border(size_before, bytes);
        ranges.push_back({selection_rules::no_end, chosen});
      }
      size_before = bytes;
      result.measured.insert(result.measured.end(), here.begin(), here.end());
    }
    if (!ranges.empty()) result.rules.set(op, std::move(ranges));
  }
  return result;
}

std::string tune_result::text(const machine& m) const {
  std::string t = "# Rules for collectives on " + m.spec() + " (" + m.fabric() + "), measured:\n";
  for (int r = 0; r < m.size(); ++r) t += "#   rank " + std::to_string(r) + ": " + m[r].name + "\n";
  t += rules.text();
  t += "# microseconds\n";
  for (const auto& x : measured) {
    char line[128];
    std::snprintf(line, sizeof line, "#   %-14s %-18s %10zu B %12.2f\n",
                  std::string(name_of(x.op)).c_str(), x.algorithm.c_str(), x.bytes,
                  x.seconds * 1e6);
    t += line;
  }
  return t;
}

}  // namespace gossamer
