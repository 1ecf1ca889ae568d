// Scalar allreduce and allgather: every type and reduction, many epochs, the same bits everywhere.
#include <cstring>
#include <limits>
#include <type_traits>

#include "conformance/fabric_suite.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer::conformance {

namespace {

template <class T>
T value_of(int rank, int epoch) {
  const auto bits = pattern(static_cast<std::uint64_t>(rank), 3, 0, epoch);
  if constexpr (std::is_floating_point_v<T>)
    // Of very different sizes, so that the order of the additions shows in the last bits.
    return static_cast<T>(static_cast<std::int64_t>(bits)) / static_cast<T>(1 + (bits & 0xffff));
  else
    return static_cast<T>(bits);
}

template <class T>
T sum_in_rank_order(int p, int epoch) {
  T total = value_of<T>(0, epoch);
  for (int r = 1; r < p; ++r) {
    if constexpr (std::is_integral_v<T>)
      total = static_cast<T>(static_cast<std::make_unsigned_t<T>>(total) +
                             static_cast<std::make_unsigned_t<T>>(value_of<T>(r, epoch)));
    else
      total = total + value_of<T>(r, epoch);
  }
  return total;
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
void check_type(rank& r, int epochs, std::uint32_t first_epoch = 0) {
  scalar_plan<T> plan(r, first_epoch);
  int wrong = 0;
  for (int e = 0; e < epochs; ++e) {
    const T mine = value_of<T>(r.id(), e);
    T low = value_of<T>(0, e), high = low, bits = low;
    for (int k = 1; k < r.size(); ++k) {
      const T v = value_of<T>(k, e);
      low = v < low ? v : low;
      high = high < v ? v : high;
      if constexpr (std::is_integral_v<T>) bits = static_cast<T>(bits | v);
    }
    wrong += !same_bits(plan.allreduce(mine, reduction::sum), sum_in_rank_order<T>(r.size(), e));
    wrong += !same_bits(plan.allreduce(mine, reduction::min), low);
    wrong += !same_bits(plan.allreduce(mine, reduction::max), high);
    if constexpr (std::is_integral_v<T>)
      wrong += !same_bits(plan.allreduce(mine, reduction::bit_or), bits);
    std::vector<T> all(static_cast<std::size_t>(r.size()));
    plan.allgather(mine, all);
    for (int k = 0; k < r.size(); ++k)
      wrong += !same_bits(all[static_cast<std::size_t>(k)], value_of<T>(k, e));
  }
  EXPECT_EQ(wrong, 0) << "results that differ, rank " << r.id();
  if constexpr (std::is_floating_point_v<T>) {
    EXPECT_THROW(plan.allreduce(T{}, reduction::bit_or), usage_error);
  }
  std::vector<T> wrong_size(static_cast<std::size_t>(r.size()) + 1);
  EXPECT_THROW(plan.allgather(T{}, wrong_size), usage_error);
  EXPECT_EQ(plan.allreduce(T{1}, reduction::sum), static_cast<T>(r.size()));  // still in step
}

}  // namespace

TEST_P(fabric, scalar_plans_of_every_type) {
  const int epochs = p() <= 4 ? 100 : 15;
  for (int again = 0; again < 2; ++again)
    run([&](rank& r) {
      check_type<std::int32_t>(r, epochs);
      check_type<std::uint32_t>(r, epochs);
      check_type<std::int64_t>(r, epochs);
      check_type<std::uint64_t>(r, epochs);
      check_type<float>(r, epochs);
      check_type<double>(r, epochs);
    });
}

TEST_P(fabric, scalar_plans_outlive_their_epoch) {
  // The epoch has 32 bits: the first calls come before it wraps, the others after. From every
  // offset, so that each kind of call meets the wrap, and both parities begin.
  run([&](rank& r) {
    for (std::uint32_t before = 0; before < 9; ++before) {
      check_type<std::int64_t>(r, 5, ~std::uint32_t{0} - before);
      check_type<float>(r, 5, ~std::uint32_t{0} - before);
    }
    check_type<std::uint32_t>(r, 5, 0x7ffffffbu);  // where a signed count would wrap
  });
}

TEST_P(fabric, scalar_plans_live_side_by_side) {
  run([&](rank& r) {
    scalar_plan<std::int64_t> a(r);
    scalar_plan<float> b(r);
    scalar_plan<std::int64_t> c(r);
    for (std::int64_t i = 0; i < 50; ++i) {
      EXPECT_EQ(a.allreduce(i + r.id(), reduction::max), i + r.size() - 1);
      if (i % 3 == 0) {
        EXPECT_EQ(b.allreduce(0.5f, reduction::sum), 0.5f * static_cast<float>(r.size()));
      }
      if (i % 2 == 0) {
        EXPECT_EQ(c.allreduce(-i, reduction::min), -i);
      }
    }
  });
}

TEST_P(fabric, what_was_written_before_an_allreduce_is_seen_after) {
  run([&](rank& r) {
    const auto p = static_cast<std::size_t>(r.size());
    auto w = r.make_window<std::uint64_t>(p, home::host);
    scalar_plan<std::uint32_t> plan(r);
    std::size_t wrong = 0;
    for (std::uint64_t i = 1; i <= 30; ++i) {
      for (int peer = 0; peer < r.size(); ++peer) {
        const auto me = static_cast<std::size_t>(r.id());
        const std::uint64_t value[] = {pattern(r.id(), peer, 0, i)};
        if (auto theirs = w.direct(peer); !theirs.empty())
          theirs[me] = value[0];
        else
          r.put(w, peer, me, value);
      }
      plan.allreduce(1, reduction::sum);
      for (std::size_t k = 0; k < p; ++k)
        wrong += w.local()[k] != pattern(k, static_cast<std::uint64_t>(r.id()), 0, i);
      plan.allreduce(1, reduction::sum);
    }
    EXPECT_EQ(wrong, 0u);
  });
}

}  // namespace gossamer::conformance
