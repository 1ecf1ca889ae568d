// Slices: which schedules blocks may run by themselves, and what each takes of a step.
#include "collective/schedule/slices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "collective/kernel/command_list.hpp"

namespace gossamer {
namespace {

using op = collective_op;

schedule large(op what, const char* algorithm, int p, bool in_place, bool direct) {
  collective_request q;
  q.op = what;
  q.ranks = p;
  q.root = p / 2;
  q.count = std::size_t{1} << 20;
  q.element = 8;
  q.in_place = in_place;
  q.direct = direct;
  return {q, algorithm};
}

std::vector<rank_schedule> parts_of(const schedule& s) {
  std::vector<rank_schedule> all;
  for (int r = 0; r < s.ranks(); ++r) all.push_back(s.of(r));
  return all;
}

TEST(slices, algorithms_in_pieces_are_sliceable) {
  for (const auto& a : collective_algorithms()) {
    if (!a.many_pieces) continue;
    for (const int p : {1, 2, 3, 4, 7})
      for (const bool in_place : {false, true}) {
        const auto s = large(a.op, a.name.data(), p, in_place, true);
        EXPECT_TRUE(sliceable(s, parts_of(s)))
            << name_of(a.op) << ' ' << a.name << ' ' << p << (in_place ? " in place" : "");
      }
  }
}

// Rank 2 gets the blocks of two ranks at once and passes one of them on.
TEST(slices, what_is_cut_otherwise_than_written_is_not) {
  const auto s = large(op::broadcast, "scatter_allgather", 4, false, true);
  EXPECT_FALSE(sliceable(s, parts_of(s)));
}

struct touched {
  int rank;
  buffer_id in;
  std::size_t begin, end;
  bool written;
};

std::vector<touched> everything(const schedule& s, const std::vector<rank_schedule>& parts) {
  std::vector<touched> all;
  const bool shared = s.request().in_place;
  const auto add = [&](int rank, const buffer_place& at, std::size_t n, bool written) {
    const auto in = shared && at.in == buffer_id::input ? buffer_id::output : at.in;
    if (n != 0) all.push_back({rank, in, at.offset, at.offset + n, written});
  };
  for (const auto& part : parts)
    for (const auto& x : part.steps) {
      const auto n = x.count;
      if (x.kind == step_kind::put || x.kind == step_kind::copy) add(part.rank, x.from, n, false);
      if (x.kind == step_kind::put) add(x.peer, x.to, n, true);
      if (x.kind == step_kind::copy || x.kind == step_kind::reduce) add(part.rank, x.to, n, true);
      for (int k = 0; x.kind == step_kind::reduce && k < x.parts; ++k)
        add(part.rank,
            k == x.own_part
                ? x.own
                : buffer_place{x.from.in, x.from.offset + static_cast<std::size_t>(k) * x.stride},
            n, false);
    }
  return all;
}

/// Pair by pair.
bool sliceable_by_definition(const std::vector<touched>& all) {
  for (const auto& a : all)
    for (const auto& b : all)
      if (a.rank == b.rank && a.in == b.in && (a.written || b.written) && a.begin < b.end &&
          b.begin < a.end && (a.begin != b.begin || a.end != b.end))
        return false;
  return true;
}

TEST(slices, agree_with_their_definition_for_every_algorithm) {
  int some = 0, others = 0;
  for (const auto& a : collective_algorithms()) {
    if (a.op == op::all_to_all_v) continue;
    const bool one_vector = a.op == op::broadcast || a.op == op::reduce || a.op == op::allreduce;
    for (const int p : {2, 3, 4, 5})
      for (const bool in_place : {false, one_vector}) {
        const auto s = large(a.op, a.name.data(), p, in_place, true);
        const auto parts = parts_of(s);
        // In place, a rank without a role in the input has one memory of output alone.
        const bool is = sliceable_by_definition(everything(s, parts));
        EXPECT_EQ(sliceable(s, parts), is) << name_of(a.op) << ' ' << a.name << ' ' << p;
        is ? ++some : ++others;
      }
  }
  EXPECT_GT(some, 0);
  EXPECT_GT(others, 0);
}

TEST(slices, divide_what_they_slice) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t n = random() % 5000, line = 1 + random() % 130, slices = 1 + random() % 64;
    std::size_t end = 0;
    for (std::size_t b = 0; b < slices; ++b) {
      const auto mine = slice_of(n, line, b, slices);
      EXPECT_EQ(mine.begin, end);
      EXPECT_LE(mine.begin, mine.end);
      EXPECT_TRUE(mine.begin % line == 0 || mine.begin == n);
      end = mine.end;
    }
    EXPECT_EQ(end, n);
  }
}

// A put, what reads it there and a reduction of it are cut alike, and signals are the block's own.
TEST(slices, steps_of_one_range_are_cut_alike) {
  constexpr std::size_t n = 10007, slices = 8;
  std::vector<double> memory(3 * n);
  std::vector<std::uint64_t> counters(2 * slices);
  for (std::size_t b = 0; b < slices; ++b) {
    command put, fold, raise;
    put.what = command::kind::put;
    put.from = memory.data();
    put.to = memory.data() + n;
    put.bytes = n * sizeof(double);
    fold.what = command::kind::fold;
    fold.fold = {memory.data(), memory.data() + n, memory.data() + 2 * n, 1, 2, n, n};
    raise.what = command::kind::raise;
    raise.counter = counters.data() + slices;
    for (auto* s : {&put, &fold, &raise}) take_slice(*s, sizeof(double), b, slices);
    EXPECT_EQ(put.to, fold.fold.from);
    EXPECT_EQ(put.from, fold.fold.to);
    EXPECT_EQ(put.bytes, fold.fold.count * sizeof(double));
    EXPECT_EQ(fold.fold.own, static_cast<double*>(fold.fold.to) + 2 * n);
    EXPECT_EQ(raise.counter, counters.data() + slices + b);
  }
}

}  // namespace
}  // namespace gossamer
