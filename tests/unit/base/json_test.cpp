// json_string(): quotes, backslashes and control characters are escaped, other text is left alone.
#include "gossamer/base/json.hpp"

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(JsonString, EscapesWhatJsonDoes) {
  EXPECT_EQ(json_string(""), "\"\"");
  EXPECT_EQ(json_string("rank 0 µs"), "\"rank 0 µs\"");
  EXPECT_EQ(json_string("a \"b\" \\c"), R"("a \"b\" \\c")");
  EXPECT_EQ(json_string("two\nlines\t\x01"), R"("two\u000alines\u0009\u0001")");
}

}  // namespace
}  // namespace gossamer
