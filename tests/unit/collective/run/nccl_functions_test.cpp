// NCCL: a failing call names itself, its result and its place; the functions are found in the
// library, or the error names what is missing. Needs no GPU.
#include "collective/run/cuda/nccl_functions.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::nccl {
namespace {

ncclResult_t answer(ncclResult_t result) {
  return result;
}

TEST(nccl_functions, a_failing_call_names_itself_and_its_place) {
  EXPECT_NO_THROW(GOSSAMER_CHECK_NCCL(answer(ncclSuccess)));
  for (const auto result : {ncclInvalidUsage, ncclUnhandledCudaError}) try {
      GOSSAMER_CHECK_NCCL(answer(result));
      ADD_FAILURE() << "passed the check";
    } catch (const foreign_error& e) {
      const std::string what = e.what(), code = std::to_string(static_cast<int>(result));
      EXPECT_EQ(what.find("answer(result): NCCL result " + code + " at "), 0u) << what;
      EXPECT_NE(what.find("nccl_functions.cpp:"), std::string::npos) << what;
      EXPECT_EQ(e.code(), static_cast<int>(result));
      EXPECT_EQ(e.device_lost(), result == ncclUnhandledCudaError);
    }
}

TEST(nccl_functions, all_are_found_where_the_library_is) {
  try {
    const auto& all = functions::get();
    EXPECT_NE(all.broadcast, nullptr);
    EXPECT_EQ(&functions::get(), &all);
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find("nccl: "), 0u) << e.what();
    GTEST_SKIP() << e.what();
  }
}

}  // namespace
}  // namespace gossamer::nccl
