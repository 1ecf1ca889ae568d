// Each thread has one of its own, until it ends.
#include "base/thread_owned.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace gossamer {
namespace {

std::atomic<int> living{0};

struct counted {
  counted() { ++living; }
  ~counted() { --living; }
  int value = 0;
};

TEST(thread_owned, is_made_once_for_each_thread_and_ends_with_it) {
  const int before = living;
  std::vector<counted*> seen(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < seen.size(); ++t)
    threads.emplace_back([&, t] {
      seen[t] = &thread_owned<counted>::mine();
      seen[t]->value = static_cast<int>(t);
      EXPECT_EQ(&thread_owned<counted>::mine(), seen[t]);
      EXPECT_EQ(thread_owned<counted>::mine().value, static_cast<int>(t));
      EXPECT_GE(living, before + 1);
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(living, before);
}

struct impossible {
  impossible() { throw std::bad_alloc(); }
};

TEST(thread_owned, what_cannot_be_made_is_asked_for_again) {
  EXPECT_THROW(thread_owned<impossible>::mine(), std::bad_alloc);
  EXPECT_THROW(thread_owned<impossible>::mine(), std::bad_alloc);
}

}  // namespace
}  // namespace gossamer
