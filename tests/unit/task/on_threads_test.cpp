// The suite on CPU teams; also under ThreadSanitizer.
#include "unit/task/global_suite.hpp"

namespace gossamer {

INSTANTIATE_TEST_SUITE_P(threads, global_suite,
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:7x1",
                                           "cpu:2x1 thread", "cpu:3x1 thread"),
                         spec_text);

}  // namespace gossamer
