// Filter: against NumPy's meaning of each predicate, on every kind of machine, and its balance.
#include "gossamer/algorithm/filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "gossamer/base/error.hpp"
#include "message_of.hpp"
#include "on_machine.hpp"

namespace gossamer {
namespace {

template <class T>
std::vector<T> noise(std::size_t n, T low, T high) {
  std::mt19937_64 random(n);
  std::vector<T> v(n);
  for (auto& x : v)
    x = static_cast<T>(static_cast<double>(low) +
                       static_cast<double>(random() >> 11) * 0x1p-53 *
                           (static_cast<double>(high) - static_cast<double>(low)));
  return v;
}

template <class T>
std::vector<T> expected(const std::vector<T>& input, const filter_interval<T>& keep) {
  std::vector<T> kept;
  std::copy_if(input.begin(), input.end(), std::back_inserter(kept), keep);
  return kept;
}

class filters : public testing_machines::OnMachine {};

TEST_P(filters, keep_what_the_predicate_says_in_the_inputs_order) {
  const auto keep = parse_filter<std::int32_t>("<-10");
  for (const std::size_t n : {0, 1, 5, 4096, 100003}) {
    const auto input = noise<std::int32_t>(n, -100, 100);
    for (const auto split : {filter_split::first_available, filter_split::even}) {
      filter_options options;
      options.split = split;
      options.packet = 4096;
      const auto got = filter(*machine_, std::span<const std::int32_t>(input), keep, options);
      const auto right = expected(input, keep);
      EXPECT_EQ(std::vector(got.values.begin(), got.values.end()), right) << n;
      EXPECT_EQ(got.matched, static_cast<std::int64_t>(right.size()));
      EXPECT_EQ(verify_filter<std::int32_t>(input, keep, got).reason, "");
      std::int64_t elements = 0;
      for (const auto& s : got.shares) elements += s.elements;
      EXPECT_EQ(elements, static_cast<std::int64_t>(n));
      const auto part = (static_cast<std::int64_t>(n) + machine_->size() - 1) / machine_->size();
      for (const auto& share : got.shares)
        EXPECT_TRUE(split != filter_split::even || share.elements <= part) << share.elements;
    }
  }
}

TEST_P(filters, leave_results_where_they_are) {
  const auto keep = parse_filter<double>("0.25..0.75");
  const auto input = noise<double>(50001, 0, 1);
  filter_options options;
  options.gather = false;
  const auto got = filter(*machine_, std::span<const double>(input), keep, options);
  EXPECT_TRUE(got.values.empty());
  ASSERT_EQ(got.parts.size(), static_cast<std::size_t>(machine_->size()));
  EXPECT_EQ(verify_filter<double>(input, keep, got).reason, "");
  std::vector<double> all;
  for (int r = 0; r < machine_->size(); ++r) {
    const auto& part = got.parts[static_cast<std::size_t>(r)];
    const auto values = part.to_host();
    all.insert(all.end(), values.begin(), values.end());
    EXPECT_TRUE(!(*machine_)[r].is_cuda() || part.values.empty()) << "rank " << r;
    EXPECT_TRUE((*machine_)[r].is_cuda() || part.blocks.empty()) << "rank " << r;
  }
  auto right = expected(input, keep);
  std::sort(all.begin(), all.end());
  std::sort(right.begin(), right.end());
  EXPECT_EQ(all, right);
}

TEST_P(filters, leave_results_on_the_host_where_a_gpu_has_no_room) {
  // Everything is kept, and a GPU may take what the host needs for it: less than all, since buffers
  // are in it.
  const auto keep = parse_filter<double>("<2");
  const auto input = noise<double>(200001, 0, 1);
  filter_options options;
  options.gather = false;
  for (const auto& e : plan_filter(*machine_, 200001, sizeof(double), options).entries)
    if (e.kind == memory_kind::host) options.memory += e.bytes;
  const auto plan = plan_filter(*machine_, 200001, sizeof(double), options);
  if (plan.total() == options.memory || (*machine_)[0].share > 1)
    GTEST_SKIP() << "needs GPUs of their own";
  const auto got = filter(*machine_, std::span<const double>(input), keep, options);
  EXPECT_EQ(verify_filter<double>(input, keep, got).reason, "");
  for (int r = 0; r < machine_->size(); ++r) {
    const auto& part = got.parts[static_cast<std::size_t>(r)];
    std::size_t kept = 0;
    for (const auto& b : part.blocks) kept += b->size() * sizeof(double);
    EXPECT_LE(static_cast<std::int64_t>(kept), plan.limit[static_cast<std::size_t>(r)]);
    EXPECT_TRUE(machine_->size() > 1 || (kept > 0 && !part.values.empty()));
  }
}

TEST_P(filters, take_the_users_own_function) {
  const auto input = noise<std::int64_t>(30000, 0, 1000000);
  const filter_function<std::int64_t> odd = [](std::span<const std::int64_t> in,
                                               std::span<std::int64_t> out) {
    return static_cast<std::size_t>(
        std::copy_if(in.begin(), in.end(), out.begin(), [](std::int64_t x) { return x % 2 == 1; }) -
        out.begin());
  };
  for (int r = 0; r < machine_->size(); ++r) {
    if (!(*machine_)[r].is_cuda()) continue;
    const auto text = message_of<usage_error>(
        [&] { filter(*machine_, std::span<const std::int64_t>(input), odd); });
    expect_contains(text, "filter: rank " + std::to_string(r) + " is ");
    expect_contains(text, "a function decides on CPU ranks only, an interval on GPUs too");
    return;
  }
  const auto got = filter(*machine_, std::span<const std::int64_t>(input), odd);
  std::vector<std::int64_t> right;
  for (const auto x : input)
    if (x % 2 == 1) right.push_back(x);
  EXPECT_EQ(std::vector(got.values.begin(), got.values.end()), right);
}

INSTANTIATE_TEST_SUITE_P(machines, filters, ::testing::ValuesIn(testing_machines::machine_specs()),
                         testing_machines::spec_name<std::string>);

template <class T>
void expect_kept(const char* text, const std::vector<T>& kept) {
  const auto low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
  const auto keep = parse_filter<T>(text);
  EXPECT_EQ(expected<T>({low, 1, 2, 3, high}, keep), kept) << text;
}

TEST(filter_predicates, mean_what_they_say) {
  constexpr auto low = std::numeric_limits<std::int32_t>::lowest(),
                 high = std::numeric_limits<std::int32_t>::max();
  expect_kept<std::int32_t>("<2", {low, 1});
  expect_kept<std::int32_t>("<=2", {low, 1, 2});
  expect_kept<std::int32_t>(">2", {3, high});
  expect_kept<std::int32_t>(">=2", {2, 3, high});
  expect_kept<std::int32_t>("==2", {2});
  expect_kept<std::int32_t>("!=2", {low, 1, 3, high});
  expect_kept<std::int32_t>("1..2", {1, 2});
  expect_kept<std::int32_t>("2..1", {});
  expect_kept<std::int32_t>("<-2147483648", {});
  expect_kept<std::int32_t>(">2147483647", {});
  expect_kept<float>("<2", {std::numeric_limits<float>::lowest(), 1});
  expect_kept<double>(">2", {3, std::numeric_limits<double>::max()});
  expect_kept<std::int64_t>("-5..3", {1, 2, 3});
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(expected<double>({nan, inf, -inf}, parse_filter<double>("<0")),
            std::vector<double>{-inf});
  EXPECT_EQ(expected<double>({nan, 1}, parse_filter<double>("!=1")).size(), 1u);
  EXPECT_TRUE(expected<double>({inf}, parse_filter<double>(">inf")).empty());
}

TEST(filter_predicates, refuse_other_texts) {
  for (const char* text : {"", "<", "3", "=3", "<x", "1..", "..2", "<3 "})
    EXPECT_EQ(message_of<error>([&] { parse_filter<std::int32_t>(text); }),
              std::string("filter: '") + text +
                  "' is no predicate; there are <V, <=V, >V, >=V, ==V, !=V and A..B");
  EXPECT_EQ(message_of<error>([&] { parse_filter<std::int32_t>("<3000000000"); }),
            "filter: '3000000000' is out of the elements' range");
  EXPECT_EQ(message_of<error>([&] {
              parse_filter<double>("<1\n" + std::string(10000, 'x'));
            }).find("filter: '<1?xxx"),
            0u);
  EXPECT_LT(message_of<error>([&] { parse_filter<int>("<" + std::string(10000, '9')); }).size(),
            100u);
}

TEST(filter_options, are_checked) {
  auto m = machine::open("cpu:2x1");
  const std::vector<double> input(1000);
  const auto keep = parse_filter<double>(">0");
  const auto with = [&](const filter_options& o) {
    return message_of<error>([&] { filter(m, std::span<const double>(input), keep, o); });
  };
  filter_options o;
  o.slowdown = {1};
  EXPECT_EQ(with(o), "filter: slowdown needs a factor for each of the 2 ranks");
  o.slowdown = {1, 0.5};
  EXPECT_EQ(with(o), "filter: a slowdown must be 1 or more");
  o = {};
  o.buffers = 65;
  EXPECT_EQ(with(o), "filter: buffers must be 1 to 64");
  o = {};
  const auto by = [&](const filter_function<double>& function) {
    return message_of<error>([&] { filter(m, std::span<const double>(input), function, o); });
  };
  EXPECT_EQ(by(nullptr), "filter: no function to decide by");
  EXPECT_NE(by([](auto in, auto) { return in.size() + 1; }).find("filter: the function keeps"),
            std::string::npos);
  o.packet = std::size_t{1} << 61;
  EXPECT_NE(with(o).find("packets of more than 1 TiB"), std::string::npos) << with(o);
  o = {};
  o.memory = 4096;
  EXPECT_NE(with(o).find("receive buffers"), std::string::npos) << with(o);
}

TEST(filter_verifier, finds_what_is_wrong) {
  auto m = machine::open("cpu:2x1");
  const std::vector<std::int32_t> input = {5, 1, 7, 2, 9, 3};
  const auto keep = parse_filter<std::int32_t>(">2");
  const auto right = filter(m, std::span<const std::int32_t>(input), keep);
  EXPECT_TRUE(verify_filter<std::int32_t>(input, keep, right).ok);
  auto wrong = right;
  wrong.values = shared_array<std::int32_t>(4);
  std::copy_n(std::vector{5, 9, 7, 3}.begin(), 4, wrong.values.begin());
  EXPECT_EQ(verify_filter<std::int32_t>(input, keep, wrong).reason,
            "kept element 1 is 9, the input has 7 at 2");
  wrong = right;
  wrong.matched = 3;
  EXPECT_EQ(verify_filter<std::int32_t>(input, keep, wrong).reason,
            "3 elements are said to be kept, 4 should be");
  wrong = right;
  wrong.values = right.values.first(3);
  EXPECT_EQ(verify_filter<std::int32_t>(input, keep, wrong).reason,
            "3 elements are there, 4 should be");
  // A segment given twice makes up for another one's elements.
  wrong = right;
  wrong.values = {};
  wrong.parts.resize(1);
  wrong.parts[0] = {{5, 7, 5, 7}, {{0, 0, 2, -1}, {0, 2, 2, -1}}, {}};
  EXPECT_EQ(verify_filter<std::int32_t>(input, keep, wrong).reason,
            "kept element 0 is there twice");
  const std::vector<double> zero = {0.0};
  filter_result<double> negative;
  negative.matched = 1;
  negative.values = shared_array<double>(1);
  negative.values[0] = -0.0;
  EXPECT_EQ(verify_filter<double>(zero, parse_filter<double>("==0"), negative).reason,
            "kept element 0 is -0, the input has 0 at 0");
}

// The paper's Table 6 in small: in virtual time, where nothing else runs. Whoever is four times as
// slow gets about a fifth; the static split waits for it.
TEST(filter_balance, follows_the_speed_of_the_ranks) {
  for (const int slow : {0, 1}) {
    auto m = machine::open("sim:k40c-m4000,ranks=2");
    const auto input = noise<float>(1 << 22, 0, 1);
    const auto keep = parse_filter<float>("<0.5");
    filter_options options;
    options.slowdown = {1, 1};
    options.slowdown[static_cast<std::size_t>(slow)] = 200;
    const auto dynamic = filter(m, std::span<const float>(input), keep, options);
    options.split = filter_split::even;
    const auto even = filter(m, std::span<const float>(input), keep, options);
    const auto fast = static_cast<std::size_t>(1 - slow);
    EXPECT_GT(dynamic.shares[fast].elements, 2 * dynamic.shares[1 - fast].elements) << slow;
    EXPECT_LT(dynamic.milliseconds, 0.7 * even.milliseconds) << slow;
  }
}

}  // namespace
}  // namespace gossamer
