// What is thrown on one thread is thrown again on another.
#include "gossamer/base/throwing.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "../../message_of.hpp"

namespace gossamer {
namespace {

TEST(throwing, tells_what_work_threw) {
  std::exception_ptr failure;
  std::thread([&] { failure = failure_of([] { throw std::runtime_error("broken"); }); }).join();
  ASSERT_TRUE(failure);
  EXPECT_EQ(message_of<std::runtime_error>([&] { std::rethrow_exception(failure); }), "broken");
}

TEST(throwing, tells_nothing_of_work_that_ends) {
  bool done = false;
  EXPECT_FALSE(failure_of([&] { done = true; }));
  EXPECT_TRUE(done);
}

TEST(throwing, is_ready_in_each_thread) {
  bool ready = false;
  std::thread([&] { ready = ready_to_throw(); }).join();
  EXPECT_TRUE(ready);
}

}  // namespace
}  // namespace gossamer
