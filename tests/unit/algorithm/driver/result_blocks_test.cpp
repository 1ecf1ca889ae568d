// Blocks of results: shared by who needs as many bytes on one device, given back with the last.
#include "algorithm/driver/result_blocks.hpp"

#include <gtest/gtest.h>

#include "gossamer/base/memory_use.hpp"

namespace gossamer::algorithm_detail {
namespace {

std::int64_t in_use() {
  return memory_in_use(host_account).now;
}

TEST(ResultBlocks, AreSharedByThoseOfOneSize) {
  const device host;
  const std::int64_t before = in_use();
  const void* first = nullptr;
  {
    const result_blocks paths(host, 0, 1000, 4), labels(host, 0, 1000, 4);
    EXPECT_EQ(in_use() - before, result_bytes(1000, 4)) << "one block for both";
    {
      auto held = paths.lend(paths.take());
      first = held->data();
      const auto another = labels.take();
      EXPECT_NE(another->data(), first) << "a result keeps its own";
    }
    const auto again = labels.take();
    EXPECT_EQ(again->data(), first);
    const result_blocks wide(host, 0, 1000, 8), of_another_rank(host, 1, 1000, 4);
    EXPECT_NE(wide.take()->data(), first);
    EXPECT_NE(of_another_rank.take()->data(), first);
  }
  EXPECT_EQ(in_use(), before);
}

TEST(ResultBlocks, ResultsOutliveSearches) {
  const std::int64_t before = in_use();
  std::shared_ptr<result_blocks::memory> result;
  {
    const result_blocks blocks(device{}, 0, 64, 4, 2);
    EXPECT_EQ(in_use() - before, 2 * result_bytes(64, 4));
    result = blocks.lend(blocks.take());
    *reinterpret_cast<std::int32_t*>(result->data()) = 7;
  }
  EXPECT_EQ(in_use() - before, result_bytes(64, 4)) << "what is idle went with the last search";
  EXPECT_EQ(*reinterpret_cast<const std::int32_t*>(result->data()), 7);
  result.reset();
  EXPECT_EQ(in_use(), before);
}

}  // namespace
}  // namespace gossamer::algorithm_detail
