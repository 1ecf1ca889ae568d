// The suite in virtual time, where many ranks are fibers of one thread.
#include "unit/task/global_suite.hpp"

namespace gossamer {

INSTANTIATE_TEST_SUITE_P(sim, global_suite,
                         ::testing::Values("sim:hapacs-ib,ranks=1", "sim:hapacs-ib,ranks=3",
                                           "sim:hapacs-ib,ranks=13", "sim:peach2,ranks=5",
                                           "sim:hapacs-ib,ranks=5 hardware"),
                         spec_text);

}  // namespace gossamer
