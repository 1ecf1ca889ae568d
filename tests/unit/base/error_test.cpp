// Error types: what they say, what they carry, and which catch clause takes them.
#include "gossamer/base/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace {

using namespace gossamer;

TEST(error, carries_its_source_position_outside_what) {
  const error e("it broke");
  const int line = __LINE__ - 1;
  EXPECT_STREQ(e.what(), "it broke");
  EXPECT_EQ(static_cast<int>(e.where().line()), line);
  EXPECT_NE(std::string(e.where().file_name()).find("error_test.cpp"), std::string::npos);
}

TEST(error, derived_types_are_caught_as_their_bases) {
  EXPECT_TRUE((std::is_base_of_v<std::runtime_error, error>));
  EXPECT_TRUE((std::is_base_of_v<usage_error, not_compiled>));
  EXPECT_THROW(throw input_error("g.gr:3: no such vertex"), error);
  EXPECT_THROW(throw capacity_error("too large"), error);
  EXPECT_THROW(throw cancelled_error("stopped"), error);
  EXPECT_THROW(throw verification_error("wrong depth"), error);
}

TEST(error, input_and_usage_are_told_apart) {
  EXPECT_FALSE((std::is_base_of_v<usage_error, input_error>));
  EXPECT_FALSE((std::is_base_of_v<usage_error, verification_error>));
  EXPECT_FALSE((std::is_base_of_v<usage_error, rank_error>));
}

TEST(not_compiled, names_the_feature_and_the_way_to_get_it) {
  const not_compiled e("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
  EXPECT_STREQ(e.what(), "CUDA devices not compiled in: configure with -DGOSSAMER_CUDA=ON");
}

TEST(rank_error, says_who_waited_for_whom) {
  const rank_error e("rank 2 waited 60 s for rank 5", 2, 5, true);
  EXPECT_EQ(e.rank(), 2);
  EXPECT_EQ(e.peer(), 5);
  EXPECT_TRUE(e.timed_out());
  EXPECT_FALSE(rank_error("rank 0 threw", 0, -1, false).timed_out());
}

TEST(foreign_error, carries_the_code_and_whether_the_device_is_lost) {
  const foreign_error e("cudaMalloc: …", 2, false);
  EXPECT_EQ(e.code(), 2);
  EXPECT_FALSE(e.device_lost());
  EXPECT_TRUE(foreign_error("illegal address", 700, true).device_lost());
}

TEST(require, makes_a_message_where_it_is_needed) {
  int made = 0;
  const auto message = [&] { return "vertex " + std::to_string(++made); };
  require(true, message);
  EXPECT_EQ(made, 0);
  const auto line = std::source_location::current().line() + 2;
  try {
    require(false, message);
    FAIL() << "require(false) returned";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "vertex 1");
    EXPECT_EQ(e.where().line(), line);
  }
}

TEST(require, throws_the_message_from_the_callers_line) {
  EXPECT_NO_THROW(require(true, "unused"));
  unsigned line = 0;
  try {
    line = __LINE__ + 1;
    require(false, "source must be below 8");
    FAIL() << "require(false) returned";
  } catch (const usage_error& e) {
    EXPECT_STREQ(e.what(), "source must be below 8");
    EXPECT_EQ(e.where().line(), line);
  }
}

}  // namespace
