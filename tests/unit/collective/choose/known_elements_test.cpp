// Outputs of collectives, right and altered: what `collective --verify` must pass and catch.
//
// The judge is a serial one: buffers of all ranks, and what each operation does to them, written as
// loops over whole buffers. GOSSAMER_TRIALS is how many wrong outputs there are to be.
#include "collective/choose/known_elements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace gossamer {
namespace {

using known_elements::element;
using buffer = std::vector<element>;

/// Every rank's output. Inputs are those of `round`, long enough for any operation.
std::vector<buffer> outputs(collective_op op, int ranks, std::size_t n, int round) {
  const auto p = static_cast<std::size_t>(ranks);
  std::vector<buffer> in(p, buffer(p * n)), out(p);
  for (int r = 0; r < ranks; ++r)
    for (std::size_t i = 0; i < p * n; ++i)
      in[static_cast<std::size_t>(r)][i] = known_elements::input_of(r, i, round);
  buffer sums(p * n, 0);
  for (const buffer& of : in)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of[i];
  const auto piece = [&](const buffer& of, std::size_t which) {
    const auto begin = of.begin() + static_cast<std::ptrdiff_t>(which * n);
    return buffer(begin, begin + static_cast<std::ptrdiff_t>(n));
  };
  const auto append = [](buffer& to, const buffer& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (std::size_t r = 0; r < p; ++r) switch (op) {
      case collective_op::broadcast:
        out[r] = piece(in[0], 0);
        break;
      case collective_op::scatter:
        out[r] = piece(in[0], r);
        break;
      case collective_op::gather:
      case collective_op::allgather:
        if (op == collective_op::allgather || r == 0)
          for (const buffer& of : in) append(out[r], piece(of, 0));
        break;
      case collective_op::reduce:
      case collective_op::allreduce:
        if (op == collective_op::allreduce || r == 0) out[r] = piece(sums, 0);
        break;
      case collective_op::reduce_scatter:
        out[r] = piece(sums, r);
        break;
      case collective_op::all_to_all:
      case collective_op::all_to_all_v:
        for (const buffer& of : in) append(out[r], piece(of, r));
        break;
      case collective_op::barrier:
        break;
    }
  return out;
}

class altered_outputs {
 public:
  explicit altered_outputs(std::int64_t wanted) : wanted_(wanted) {}

  void run() {
    while (wrong_ < wanted_ && missed_.empty())
      for (int o = 0; o < collective_ops; ++o) trial(static_cast<collective_op>(o));
    std::printf("verify_collective: caught %lld of %lld wrong outputs, passed %lld right ones\n",
                static_cast<long long>(caught_), static_cast<long long>(wrong_),
                static_cast<long long>(right_));
    for (const auto& [kind, count] : kinds_)
      std::printf("  %-44s %8lld\n", kind.c_str(), static_cast<long long>(count));
    EXPECT_EQ(missed_, "");
    EXPECT_EQ(kinds_.size(), 7u);
  }

 private:
  std::size_t draw(std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_);
  }

  /// One alteration of one rank's output.
  void trial(collective_op op) {
    if (op == collective_op::barrier) return;
    const int ranks = static_cast<int>(1 + draw(7)), round = static_cast<int>(draw(2));
    const std::size_t n = 1 + draw(draw(4) == 0 ? 40 : 5);
    collective_request q;
    q.op = op;
    q.ranks = ranks;
    q.count = n;
    q.element = sizeof(element);
    const auto all = outputs(op, ranks, n, round);
    for (int r = 0; r < ranks; ++r)
      count("none", all[static_cast<std::size_t>(r)], all[static_cast<std::size_t>(r)], q, r,
            round);
    const std::size_t rank = draw(static_cast<std::size_t>(ranks));
    const buffer& right = all[rank];
    if (right.empty()) return;
    buffer altered = right;
    const std::size_t i = draw(right.size()), j = draw(right.size());
    std::string kind;
    switch (draw(7)) {
      case 0:
        kind = "an element off by one";
        altered[i] += draw(2) == 0 ? 1 : -1;
        break;
      case 1:
        kind = "an element off by one ulp";
        altered[i] = std::nextafter(altered[i], draw(2) == 0 ? 0 : 1e300);
        break;
      case 2:
        kind = "two elements exchanged";
        std::swap(altered[i], altered[j]);
        break;
      case 3:
        kind = "an element as it was in the other round";
        altered[i] = outputs(op, ranks, n, 1 - round)[rank][i];
        break;
      case 4: {
        kind = "another rank's output";
        const buffer& other = all[draw(all.size())];
        if (other.size() == altered.size()) altered = other;
        break;
      }
      case 5:
        kind = "an element without one rank's share";
        altered[i] -= known_elements::input_of(static_cast<int>(rank), i, round);
        break;
      default:
        kind = "no number, or none yet";
        altered[i] = draw(2) == 0 ? std::numeric_limits<double>::quiet_NaN() : 0;
        break;
    }
    count(kind, right, altered, q, static_cast<int>(rank), round);
  }

  void count(const std::string& kind, const buffer& right, const buffer& given,
             const collective_request& q, int rank, int round) {
    const std::string found = known_elements::wrong_element(q, rank, round, given);
    const bool is_wrong = given != right;  // no number differs from itself, too
    if (is_wrong) {
      ++wrong_;
      ++kinds_[kind];
      caught_ += !found.empty();
    } else {
      ++right_;
    }
    if (found.empty() == is_wrong && missed_.empty())
      missed_ = kind + ", " + std::string(name_of(q.op)) + ": " + found;
  }

  std::int64_t wanted_, wrong_ = 0, caught_ = 0, right_ = 0;
  std::map<std::string, std::int64_t> kinds_;
  std::string missed_;
  std::mt19937_64 random_{20};
};

TEST(verify_collective, catches_every_altered_output) {
  const char* asked = std::getenv("GOSSAMER_TRIALS");
  altered_outputs(asked != nullptr ? std::atoll(asked) : 4000).run();
}

TEST(verify_collective, names_the_element) {
  collective_request q;
  q.op = collective_op::allreduce;
  q.ranks = 1;
  q.count = 2;
  const element first = known_elements::input_of(0, 0, 0);
  const element second = known_elements::input_of(0, 1, 0);
  EXPECT_EQ(known_elements::wrong_element(q, 0, 0, buffer{first, second}), "");
  EXPECT_EQ(
      known_elements::wrong_element(q, 0, 0, buffer{first, second + 1}),
      "element 1 of rank 0 is " + std::to_string(second + 1) + ", not " + std::to_string(second));
}

}  // namespace
}  // namespace gossamer
