// Steps on CPU machines, by a program as Python writes them (lowering.py): levels of a search,
// pushed by mask, and sums gathered over all, on many graphs; turns, stops, and what is refused.
#include "gossamer/algorithm/vertex_steps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <queue>
#include <thread>
#include <vector>

#include "algorithm/vertex_program/arithmetic.hpp"
#include "gossamer/fabric/rank.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"

using gs_id = int;
using gs_weight = int;
#include "algorithm/vertex_steps/stages.hpp"

namespace gs {
namespace {

// Arrays: 0 depth, 1 hit, 2 sum. Numbers: 0 level, 1 found, 2 rounds, 3 rounds asked for.
struct hit_nobody {
  struct partial {
    void store(step_word*) const {}
  };
  explicit hit_nobody(const view& g) : hit(array<bool>(g, 1)) {}
  void operator()(long long begin, long long end, partial&) const {
    for (long long v = begin; v < end; ++v) hit[v] = false;
  }
  bool* hit;
};
struct send_level {
  using value = bool;
  static constexpr bool weighted = false, more = false;
  static constexpr int way = 0, into = 1, mask = -1;
  static value start() { return false; }
  static value join(value a, value b) { return a || b; }
  explicit send_level(const view& g) : depth(array<long long>(g, 0)), level(g.numbers[0].whole) {}
  bool sends(long long v) const { return depth[v] == level; }
  static value of(long long, gs_weight) { return true; }
  const long long* depth;
  long long level;
};
struct next_level {
  struct partial {
    long long found = 0;
    void store(step_word* to) const { to->whole = found; }
  };
  explicit next_level(const view& g)
      : depth(array<long long>(g, 0)), hit(array<bool>(g, 1)), level(g.numbers[0].whole) {}
  void operator()(long long begin, long long end, partial& p) const {
    for (long long v = marked(hit, begin, end); v < end; v = marked(hit, v + 1, end))
      if (depth[v] < 0) depth[v] = level + 1;
    for (long long v = begin; v < end; ++v) p.found += depth[v] == level + 1;
  }
  long long* depth;
  const bool* hit;
  long long level;
};
/// Along arcs that come: where they begin, and how many.
struct gather_ids {
  using value = long long;
  static constexpr bool weighted = false, more = false;
  static constexpr int way = 1, into = 2;
  static value start() { return 0; }
  static value join(value a, value b) { return a + b; }
  explicit gather_ids(const view& g) : depth(array<long long>(g, 0)) {}
  value of(long long v, gs_weight) const { return 1000 + depth[v]; }
  const long long* depth;
};

void run_stage(int stage, const view& g, long long begin, long long end, step_word* out) {
  if (stage == 0 || stage == 4) each<hit_nobody>(g, begin, end, out);
  if (stage == 1) push<send_level>(g, begin, end);
  if (stage == 2) each<next_level>(g, begin, end, out);
  if (stage == 3) gather<gather_ids>(g, begin, end);
}
void join_reports(int stage, step_word* all, const step_word* more) {
  if (stage == 2) all->whole += more->whole;
}
int search(int stage, const step_word* all, step_word* numbers) {
  if (stage == 2) {
    ++numbers[0].whole;
    numbers[1].whole = all->whole;
    return all->whole > 0 ? 0 : 3;
  }
  return stage == 3 ? -1 : stage + 1;
}
int as_often_as_asked(int, const step_word*, step_word* numbers) {
  return ++numbers[2].whole < numbers[3].whole ? 4 : -1;
}
const gossamer::steps_detail::step_program searching = {1, &run_stage, &join_reports, &search};
const gossamer::steps_detail::step_program repeating = {0, &run_stage, &join_reports,
                                                        &as_often_as_asked};

}  // namespace
}  // namespace gs

namespace gossamer {
namespace {

using namespace testing_graphs;

compiled_steps compiled(const steps_detail::step_program& program) {
  return {&program, {}, program.words};
}

void expect_search(machine& m, const graph& g, const std::string& what) {
  vertex_steps steps(m, g, 0, {});
  for (const int element : {8, 1, 8}) steps.add_array(element, false);
  const auto n = static_cast<std::size_t>(g.vertices());
  std::vector<std::int64_t> depth(n, -1), sum(n), wanted(n, -1), sums(n, 0);
  depth[0] = wanted[0] = 0;
  steps.write(0, std::as_bytes(std::span(depth)));
  std::array<std::int64_t, 4> numbers = {};
  const auto outcome = steps.run(steps.add_program(compiled(gs::searching)), numbers, {});
  steps.read(0, std::as_writable_bytes(std::span(depth)));
  steps.read(2, std::as_writable_bytes(std::span(sum)));

  std::queue<std::int64_t> left({0});
  const auto columns = [&](std::int64_t u, const auto& f) {
    g.visit([&](const auto& rows) {
      for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k)
        f(static_cast<std::size_t>(rows.indices[k]));
    });
  };
  for (; !left.empty(); left.pop())
    columns(left.front(), [&](std::size_t v) {
      if (wanted[v] >= 0) return;
      wanted[v] = wanted[static_cast<std::size_t>(left.front())] + 1;
      left.push(static_cast<std::int64_t>(v));
    });
  for (std::int64_t u = 0; u < g.vertices(); ++u)
    columns(u, [&](std::size_t v) { sums[v] += 1000 + wanted[static_cast<std::size_t>(u)]; });
  EXPECT_EQ(depth, wanted) << what;
  EXPECT_EQ(sum, sums) << what;
  const auto levels = 1 + *std::max_element(wanted.begin(), wanted.end());
  EXPECT_EQ(numbers[0], levels) << what;
  EXPECT_EQ(outcome.stages, 3 * levels + 1) << what;
}

class VertexSteps : public testing::TestWithParam<const char*> {};

TEST(Steps, MasksArePassedOverWithoutMissingAny) {
  std::array<bool, 67> mask{};
  for (const auto& named : {std::vector<long long>{}, {0}, {66}, {7, 8, 9, 31, 32}, {3, 40, 65}}) {
    mask.fill(false);
    for (const long long v : named) mask.at(static_cast<std::size_t>(v)) = true;
    for (long long begin = 0; begin <= 67; ++begin)
      for (long long end = begin; end <= 67; ++end) {
        std::vector<long long> found, expected;
        for (long long v = gs::marked(mask.data(), begin, end); v < end;
             v = gs::marked(mask.data(), v + 1, end))
          found.push_back(v);
        for (const long long v : named)
          if (begin <= v && v < end) expected.push_back(v);
        ASSERT_EQ(found, expected) << begin << " to " << end;
      }
  }
}

TEST_P(VertexSteps, SearchesManyGraphs) {
  auto m = machine::open(GetParam());
  int searched = 0;
  for (int number = 0; number < 200; number += 3) {
    graph g = many_graphs(number);
    if (g.id_width() != 4) continue;
    g.weights = std::monostate();
    expect_search(m, g, "graph " + std::to_string(number));
    ++searched;
  }
  EXPECT_GT(searched, 20);
}

TEST_P(VertexSteps, GivesItsTurnAway) {
  auto m = machine::open(GetParam());
  vertex_steps steps(m, many_graphs(1), 0, {});
  for (const int element : {8, 1, 8}) steps.add_array(element, false);
  const int program = steps.add_program(compiled(gs::repeating));
  std::stop_source stop;
  std::thread run([&] {
    std::array<std::int64_t, 4> numbers = {0, 0, 0, std::int64_t{1} << 60};
    run_options how;
    how.cancel = stop.get_token();
    EXPECT_THROW(steps.run(program, numbers, how), cancelled_error);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(250));  // it is on its way
  // Another run on the machine comes to its turn, though the first would go on for years.
  const auto began = std::chrono::steady_clock::now();
  m.run([](rank& r) { r.progress(); });
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(3));
  stop.request_stop();
  run.join();
  std::array<std::int64_t, 4> numbers = {0, 0, 0, 500};
  EXPECT_EQ(steps.run(program, numbers, {}).stages, 500);
  EXPECT_EQ(numbers[2], 500);
}

INSTANTIATE_TEST_SUITE_P(Machines, VertexSteps,
                         testing::Values("cpu:1x1", "cpu:1x3", "cpu:3x1", "cpu:2x2"),
                         testing_machines::spec_name<const char*>);

TEST(VertexStepsErrors, AreClear) {
  const graph g = many_graphs(1);
  auto m = machine::open("cpu:2x1");
  vertex_steps steps(m, g, 0, {});
  std::vector<std::byte> one(1);
  const auto refusal = [](const auto& f) { return message_of<usage_error>(f); };
  expect_contains(refusal([&] { steps.add_array(2, false); }), "elements have 1, 4, 8 bytes");
  steps.add_array(8, false);
  expect_contains(refusal([&] { steps.write(0, one); }), "an array of another length");
  expect_contains(refusal([&] { steps.read(0, one); }), "an array of another length");
  expect_contains(refusal([&] { steps.add_program({}); }), "a program without code for CPUs");
  expect_contains(refusal([&] { steps.run(0, {}, {}); }), "no such program");
  auto modelled = machine::open("sim:peach2,ranks=2");
  expect_contains(message_of<not_compiled>([&] { vertex_steps(modelled, g, 0, {}); }),
                  "vertex steps on modelled machines");
  const auto full = message_of<capacity_error>([&] {
    vertex_steps small(m, g, 1 << 19, {});
    for (int i = 0; i < 4096; ++i) small.add_array(8, false);
  });
  expect_contains(full, "fields");
}

}  // namespace
}  // namespace gossamer
