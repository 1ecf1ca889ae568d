// The suite on CPU teams; also under ThreadSanitizer.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(threads, dataflow_suite,
                         ::testing::Values("cpu:1x1", "cpu:2x1", "cpu:3x1", "cpu:5x1", "cpu:2x2"),
                         spec_name<std::string>);

}  // namespace gossamer::dataflow
