// What is said when processes do not agree on a run.
#include "fabric/mpi/terms.hpp"

#include <gtest/gtest.h>

namespace gossamer::mpi {
namespace {

std::string said(const std::vector<std::vector<run_term>>& of_ranks) {
  std::vector<message> texts(of_ranks.size());
  std::vector<std::span<const std::byte>> all;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    append_terms(texts[r], of_ranks[r]);
    all.emplace_back(texts[r]);
  }
  return disagreement(all);
}

const std::vector<run_term> none;
const std::vector<run_term> ours{{"program", "bfs"}, {"graph", "9"}, {"alpha", "15"}, {"note", ""}};

std::vector<run_term> with(const char* name, const char* value) {
  auto changed = ours;
  for (auto& t : changed)
    if (t.name == name) t.value = value;
  return changed;
}

TEST(Terms, ThatAreTheSameAreNothingToTalkOf) {
  EXPECT_EQ(said({ours}), "");
  EXPECT_EQ(said({ours, ours, ours}), "");
  EXPECT_EQ(said({none, none}), "");
}

TEST(Terms, NameWhoDiffersInWhat) {
  EXPECT_EQ(said({ours, ours, with("graph", "8")}),
            "bfs: rank 2 differs from rank 0 in graph (8 against 9)");
  EXPECT_EQ(said({with("alpha", ""), ours}),
            "bfs: rank 1 differs from rank 0 in alpha (15 against none)");
  auto two = with("graph", "8");
  two.push_back({"delta", "3"});
  EXPECT_EQ(said({ours, two, ours, with("note", "x")}),
            "bfs: ranks 1 and 3 differ from rank 0 in graph (8 against 9) and delta (3 against "
            "none), as rank 1 has it");
}

TEST(Terms, OfAnotherProgramAreNotCompared) {
  EXPECT_EQ(said({ours, with("program", "cg")}),
            "rank 1 differs from rank 0 in program (cg against bfs)");
  EXPECT_EQ(said({ours, none}), "rank 1 differs from rank 0 in program (none against bfs)");
  EXPECT_EQ(said({{{"x", "1"}}, {{"x", "2"}}}), "rank 1 differs from rank 0 in x (2 against 1)");
}

TEST(Terms, OfManyRanksNameSome) {
  std::vector<std::vector<run_term>> all(12, with("alpha", "20"));
  all[0] = ours;
  EXPECT_EQ(said(all),
            "bfs: ranks 1, 2, 3, 4, 5, 6, 7, 8 and 3 more differ from rank 0 in alpha (20 against "
            "15), as rank 1 has it");
}

}  // namespace
}  // namespace gossamer::mpi
