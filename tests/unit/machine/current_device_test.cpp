// Without CUDA no GPU can be current, and the error says how to get one.
#include <gtest/gtest.h>

#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/current_device.hpp"

namespace gossamer::testing {

TEST(CurrentDevice, IsNotThereWithoutCuda) {
  try {
    const current_device here(0);
    ADD_FAILURE() << "a GPU was made current";
  } catch (const not_compiled& e) {
    EXPECT_NE(std::string(e.what()).find("GOSSAMER_CUDA=ON"), std::string::npos) << e.what();
  }
}

}  // namespace gossamer::testing
