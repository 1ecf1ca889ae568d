// Compiled vertex programs on CPU machines: values equal a serial iteration's, whatever the type,
// the update and the ranks; keys keep order; what is refused, and in which words.
#include "gossamer/algorithm/vertex_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "algorithm/vertex_program/order_key.hpp"
#include "gossamer/graph/generators.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"
#include "unit/algorithm/many_graphs.hpp"

namespace gossamer {
namespace {

using namespace testing_graphs;
using program_detail::from_key;
using program_detail::to_key;

template <class T>
const program_type type_of = static_cast<program_type>(program_values(shared_array<T>()).index());

template <class T>
struct initial_of {
  T others, source;
};

/// Until nothing changes; `out`(value, weight, degree).
template <class T, class Out>
std::vector<T> serial(const graph& g, const initial_of<T>& initial, bool larger, const Out& out) {
  std::vector<T> values(static_cast<std::size_t>(g.vertices()), initial.others);
  std::vector<char> has(values.size(), 0);
  values[0] = initial.source;
  has[0] = 1;
  for (bool changed = true; changed;) {
    changed = false;
    g.visit([&](const auto& rows) {
      std::visit(
          [&]<class Weights>(const Weights& weights) {
            if constexpr (!std::is_same_v<Weights, std::monostate>)
              for (std::int64_t u = 0; u < g.vertices(); ++u)
                for (auto e = g.offsets[u]; has[u] != 0 && e < g.offsets[u + 1]; ++e) {
                  const T sent =
                      out(values[u], static_cast<T>(weights[e]), static_cast<T>(g.degree(u)));
                  const auto v = static_cast<std::size_t>(rows.indices[e]);
                  if (larger ? sent <= values[v] : sent >= values[v]) continue;
                  values[v] = sent;
                  has[v] = 1;
                  changed = true;
                }
          },
          g.weights);
    });
  }
  return values;
}

template <class T>
program_values beginning(const graph& g, const initial_of<T>& initial) {
  shared_array<T> values(static_cast<std::size_t>(g.vertices()));
  std::fill(values.begin(), values.end(), initial.others);
  values[0] = initial.source;
  return values;
}

/// value + degree, smaller, of 32 bits: a user's own row function.
void by_degree(const void* key, std::int64_t degree, const void* weights, std::int64_t arcs,
               void* keys) {
  EXPECT_EQ(weights, nullptr);
  const auto value = *static_cast<const std::uint32_t*>(key);
  for (std::int64_t i = 0; i < arcs; ++i)
    static_cast<std::uint32_t*>(keys)[i] = value + static_cast<std::uint32_t>(degree);
}

class CompiledProgram : public testing_machines::OnMachine {
 protected:
  template <class T, class Out>
  void agrees(vertex_program program, const initial_of<T>& initial, const Out& out) {
    program.type = type_of<T>;
    for (int number = 0; number<200; number += machine_->size()> 3 ? 4 : 1) {
      const graph g = many_graphs(number);
      SCOPED_TRACE(g.name);
      // Weights with fractions are no integers.
      if (std::is_integral_v<T> && !std::holds_alternative<shared_array<std::int32_t>>(g.weights))
        continue;
      program_search search(*machine_, g, program);
      for (int repeat = 0; repeat < 2; ++repeat) {
        const auto result = search.run(beginning(g, initial), std::vector<std::int64_t>{0});
        const auto wanted = serial(g, initial, program.update == program_update::larger, out);
        const auto& found = std::get<shared_array<T>>(result.values);
        ASSERT_TRUE(std::equal(found.begin(), found.end(), wanted.begin(), wanted.end()));
        EXPECT_EQ(result.engine, "worklist");
        EXPECT_EQ(result.ranks_used, machine_->size());
        EXPECT_EQ(result.arcs, result.work->arcs);
      }
    }
  }
  template <class T>
  vertex_program builtin(program_update update, const std::string& expression) {
    vertex_program p;
    p.update = update;
    p.weighted = expression.find("weight") != std::string::npos;
    p.row = builtin_row(type_of<T>, update, expression);
    EXPECT_NE(p.row, nullptr) << expression;
    return p;
  }
};

TEST_P(CompiledProgram, AgreesWithASerialIteration) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  agrees<double>(builtin<double>(program_update::smaller, "gs_add(value, weight)"), {inf, 0},
                 [](double v, double w, double) { return v + w; });
  agrees<float>(builtin<float>(program_update::larger, "gs_min(value, weight)"),
                {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()},
                [](float v, float w, float) { return std::min(v, w); });
  using i64 = std::int64_t;
  agrees<i64>(builtin<i64>(program_update::smaller, "gs_max(value, weight)"),
              {std::numeric_limits<i64>::max(), -5},
              [](i64 v, i64 w, i64) { return std::max(v, w); });
  using u64 = std::uint64_t;
  agrees<u64>(builtin<u64>(program_update::smaller, "gs_add(value, T(1))"),
              {std::numeric_limits<u64>::max(), 0}, [](u64 v, u64, u64) { return v + 1; });
  vertex_program own;
  own.row = &by_degree;
  agrees<std::uint32_t>(own, {std::numeric_limits<std::uint32_t>::max(), 7},
                        [](auto v, auto, auto degree) { return v + degree; });
}

TEST_P(CompiledProgram, TakesManyBeginnings) {
  const graph g = undirected("two pieces", 6, {{0, 1}, {1, 2}, {4, 5}});
  auto program = builtin<std::int32_t>(program_update::smaller, "value");
  program.type = program_type::int32;
  shared_array<std::int32_t> own(6);
  for (int v = 0; v < 6; ++v) own[static_cast<std::size_t>(v)] = 10 - v;
  program_search search(*machine_, g, program);
  const std::vector<std::int64_t> all = {0, 1, 2, 3, 4, 5, 5};
  const auto labels = std::get<shared_array<std::int32_t>>(search.run(own, all).values);
  EXPECT_EQ(std::vector<std::int32_t>(labels.begin(), labels.end()),
            (std::vector<std::int32_t>{8, 8, 8, 7, 5, 5}));
  const auto same = std::get<shared_array<std::int32_t>>(search.run(own, {}).values);
  EXPECT_TRUE(std::equal(same.begin(), same.end(), own.begin()));
}

TEST_P(CompiledProgram, GathersBits) {
  const graph g = undirected("two pieces", 6, {{0, 1}, {1, 2}, {4, 5}});
  auto program = builtin<std::uint32_t>(program_update::all_bits, "value");
  program.type = program_type::uint32;
  shared_array<std::uint32_t> own(6);
  for (int v = 0; v < 6; ++v) own[static_cast<std::size_t>(v)] = 1U << v;
  program_search search(*machine_, g, program);
  const std::vector<std::int64_t> all = {0, 1, 2, 3, 4, 5};
  const auto bits = std::get<shared_array<std::uint32_t>>(search.run(own, all).values);
  EXPECT_EQ(std::vector<std::uint32_t>(bits.begin(), bits.end()),
            (std::vector<std::uint32_t>{7, 7, 7, 8, 48, 48}));
}

/// A quarter goes out along each arc.
void a_quarter(const void* value, std::int64_t, const void*, std::int64_t arcs, void* out) {
  std::fill_n(static_cast<double*>(out), arcs, *static_cast<const double*>(value) / 4);
}

TEST_P(CompiledProgram, PushesSums) {
  const graph g = undirected("path", 3, {{0, 1}, {1, 2}});
  vertex_program program;
  program.update = program_update::sum;
  program.threshold = 1e-9;
  program.row = &a_quarter;
  program_search search(*machine_, g, program);
  shared_array<double> own(3);
  own[0] = 1;
  own[1] = own[2] = 0;
  const auto result = search.run(own, {});
  const auto& sums = std::get<shared_array<double>>(result.values);
  // x = e + A x / 4.
  const std::array<double, 3> wanted = {15.0 / 14, 4.0 / 14, 1.0 / 14};
  double lacks = 0;
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_LE(sums[v], wanted[v] + 1e-12);
    lacks += wanted[v] - sums[v];
  }
  EXPECT_LE(lacks, 2 * result.left + 1e-12);  // at most half of what is taken goes on
  EXPECT_LE(result.left, 3 * 1e-9 * machine_->size());
  own[1] = -1;
  EXPECT_THROW(search.run(own, {}), usage_error);
}

INSTANTIATE_TEST_SUITE_P(Machines, CompiledProgram,
                         ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

template <class T>
void keys_keep_order(const std::vector<T>& ascending) {
  for (const bool larger : {false, true})
    for (std::size_t i = 0; i < ascending.size(); ++i) {
      EXPECT_EQ(from_key<T>(to_key(ascending[i], larger), larger), ascending[i]);
      if (i == 0) continue;
      EXPECT_EQ(to_key(ascending[i - 1], larger) < to_key(ascending[i], larger), !larger);
    }
}

TEST(CompiledPrograms, KeysKeepOrder) {
  using f = std::numeric_limits<float>;
  using d = std::numeric_limits<double>;
  using i = std::numeric_limits<std::int32_t>;
  keys_keep_order<float>({-f::infinity(), f::lowest(), -1, -f::denorm_min(), -0.0F, 0.0F,
                          f::denorm_min(), 2.5F, f::max(), f::infinity()});
  keys_keep_order<double>({-d::infinity(), -1e300, -0.0, 0.0, d::denorm_min(), 7, d::infinity()});
  keys_keep_order<std::int32_t>({i::min(), -1, 0, 1, i::max()});
  keys_keep_order<std::int64_t>({std::numeric_limits<std::int64_t>::min(), -1, 0, 1});
  keys_keep_order<std::uint64_t>({0, 1, std::numeric_limits<std::uint64_t>::max()});
  for (const bool larger : {false, true}) {
    EXPECT_EQ(to_key(static_cast<double>(NAN), larger), program_detail::worst<std::uint64_t>);
    EXPECT_EQ(to_key(-static_cast<float>(NAN), larger), program_detail::worst<std::uint32_t>);
  }
}

/// All values lie within the first window, so that it has to become narrower before it ends.
/// Windows that do not repeat 6 to 13 times the vertices; 2 are usual with.
TEST_P(CompiledProgram, RepeatsLittleWhereWindowsBeginTooWide) {
  if (machine_->size() > 3) GTEST_SKIP() << "too few vertices a rank to notice";
  generate_options weights;
  weights.weights = true;
  const graph g = generate(parse_generator("road:150"), weights);
  auto program = builtin<float>(program_update::larger, "gs_min(value, weight)");
  program.type = program_type::float32;
  program_options options;
  options.delta = 1e4;
  program_search search(*machine_, g, program, options);
  const auto most = std::numeric_limits<float>::infinity();
  std::int64_t busiest = 0;
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    if (g.degree(v) > g.degree(busiest)) busiest = v;
  shared_array<float> initial(static_cast<std::size_t>(g.vertices()));
  std::fill(initial.begin(), initial.end(), -most);
  initial[static_cast<std::size_t>(busiest)] = most;
  // Ranks that wait for a core repeat more, on two cores once in some hundred runs.
  std::int64_t repeated = std::numeric_limits<std::int64_t>::max();
  for (int run = 0; run < 3; ++run) {
    const auto result = search.run(initial, std::vector{busiest});
    EXPECT_GT(result.work->items, g.vertices() / 2);
    repeated = std::min<std::int64_t>(repeated, result.work->repeated);
  }
  EXPECT_LT(repeated, 4 * g.vertices());
}

TEST(CompiledPrograms, Refusals) {
  auto m = machine::open("cpu:1x1");
  graph g = from_arcs("chain.gr", 3, {{0, 1}, {1, 2}}, false);
  vertex_program program;
  program.type = program_type::uint32;
  const auto text = [&] { return message_of<error>([&] { program_search(m, g, program); }); };
  expect_contains(text(), "this vertex program for CPU ranks not compiled in");
  program.row = &by_degree;
  program.weighted = true;
  EXPECT_EQ(text(), "vertex program: chain.gr has no weights, which the expression needs");
  shared_array<float> weights(2);
  weights[0] = 3;
  weights[1] = 2.5F;
  g.weights = weights;
  EXPECT_EQ(text(), "chain.gr: the arc 1 -> 2 has the weight 2.5, which is no uint32");
  weights[1] = -1;
  expect_contains(text(), "has the weight -1, which is no uint32");
  weights[1] = 4294967296.0F;
  expect_contains(text(), "which is no uint32");
  program.weighted = false;
  program_options options;
  options.delta = 0;
  EXPECT_EQ(message_of<usage_error>([&] { program_search(m, g, program, options); }),
            "vertex program: delta is not a positive number");
  options = {};
  options.memory = 100;
  expect_contains(message_of<capacity_error>([&] { program_search(m, g, program, options); }),
                  "known values and worklists");
  program_search search(m, g, program);
  const std::vector<std::int64_t> outside = {3};
  expect_contains(
      message_of<usage_error>([&] { search.run(shared_array<std::uint32_t>(3), outside); }),
      "there is no vertex with index 3: the graph has 3 vertices");
  expect_contains(message_of<usage_error>([&] { search.run(shared_array<std::uint32_t>(2), {}); }),
                  "2 initial values for 3 vertices");
  expect_contains(message_of<usage_error>([&] { search.run(shared_array<float>(3), {}); }),
                  "another type");
}

}  // namespace
}  // namespace gossamer
