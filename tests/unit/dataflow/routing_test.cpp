// Policies as functions, and reductions' trees, without running anything.
#include <gtest/gtest.h>

#include <algorithm>

#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/routing_policy.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::dataflow {
namespace {

const std::vector<endpoint> outputs = {{3}, {5}, {8}};

std::vector<int> chosen(const routing_policy& policy, const message& what, int source) {
  endpoint_list possible;
  policy.choose(what, {source}, outputs, possible);
  std::vector<int> numbers;
  for (const auto e : possible) numbers.push_back(e.index);
  return numbers;
}

using numbers = std::vector<int>;

TEST(policies, name_possible_destinations) {
  EXPECT_EQ(chosen(any_device(), {}, 0), (numbers{3, 5, 8}));
  EXPECT_EQ(chosen(ring(), {}, 3), (numbers{5}));
  EXPECT_EQ(chosen(ring(), {}, 8), (numbers{3}));
  EXPECT_EQ(chosen(ring(), {}, 1), (numbers{3})) << "from outside the ring";
  EXPECT_EQ(chosen(broadcast(), {}, 5), (numbers{3, 8}));
  EXPECT_EQ(broadcast().how, delivery::to_all);
  EXPECT_EQ(chosen(gather(), {}, 5), (numbers{3}));
  EXPECT_EQ(chosen(peer_to_peer(), {.to = {8}}, 5), (numbers{8}));
  EXPECT_EQ(chosen(reduction_policy({{3}, {5}, {8}}, {-1, 0, 1}), {}, 8), (numbers{5}));
  EXPECT_TRUE(chosen(reduction_policy({{3}, {5}, {8}}, {-1, 0, 1}), {}, 3).empty());
  EXPECT_THROW(reduction_policy({{3}}, {-1, 0}), usage_error);
}

TEST(policies, scatter_in_whole_elements) {
  // 10 elements of 4 bytes in 3 parts: 4, 4, 2.
  message m{.total = 40, .element = 4, .to = {}};
  EXPECT_EQ(part_bytes(m, 3), 16u);
  for (const auto& [offset, to] :
       std::vector<std::pair<int, int>>{{0, 3}, {15, 3}, {16, 5}, {32, 8}}) {
    m.offset = static_cast<std::uint64_t>(offset);
    EXPECT_EQ(chosen(scatter(), m, 0), (numbers{to})) << offset;
  }
}

/// Every rank's way leads to the root.
void expect_tree(const numbers& parents, int root) {
  for (std::size_t r = 0; r < parents.size(); ++r) {
    int at = static_cast<int>(r);
    for (std::size_t steps = 0; at != root && steps <= parents.size(); ++steps)
      at = parents[static_cast<std::size_t>(at)];
    EXPECT_EQ(at, root) << "from " << r;
  }
  EXPECT_EQ(parents[static_cast<std::size_t>(root)], -1);
}

TEST(reductions, go_to_the_root_on_any_machine) {
  for (const char* spec :
       {"cpu:1x1", "cpu:2x1", "cpu:5x1", "cpu:8x1", "sim:m60,ranks=8", "sim:peach2,ranks=6"}) {
    const auto m = machine::open(spec);
    for (int root = 0; root < m.size(); ++root)
      for (const auto shape :
           {reduction_shape::automatic, reduction_shape::many_to_one, reduction_shape::tree})
        expect_tree(reduction_parents(m, root, shape), root);
  }
}

// Two GPUs a board, two boards a socket, two sockets: siblings first, sockets last.
TEST(reductions, merge_near_ranks_first) {
  const auto m = machine::open("sim:m60,ranks=8");
  EXPECT_EQ(reduction_parents(m, 0), (numbers{-1, 0, 0, 2, 0, 4, 4, 6}));
  EXPECT_EQ(reduction_parents(m, 5), (numbers{5, 0, 0, 2, 5, -1, 5, 6}));
}

TEST(reductions, are_flat_where_few_are_alike) {
  const auto few = machine::open("cpu:4x1"), many = machine::open("cpu:8x1");
  EXPECT_EQ(reduction_parents(few, 1), (numbers{1, -1, 1, 1}));
  EXPECT_EQ(reduction_parents(many, 0), (numbers{-1, 0, 0, 2, 0, 4, 4, 6}));
  EXPECT_EQ(reduction_parents(many, 0, reduction_shape::many_to_one),
            (numbers{-1, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(reductions, refuse_roots_that_are_not_there) {
  const auto m = machine::open("cpu:2x1");
  try {
    reduction_parents(m, 2);
    FAIL();
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "dataflow: no rank 2 among 2 to reduce at");
  }
}

}  // namespace
}  // namespace gossamer::dataflow
