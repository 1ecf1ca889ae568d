// GOSSAMER_CHECK_CUDA: a failing call becomes a foreign_error that names call, code and place, and
// leaves nothing behind for the next check. Needs no GPU: the codes are given, not provoked.
#include "gossamer/base/check_cuda.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using gossamer::foreign_error;

cudaError_t answer(cudaError_t code) {
  return code;
}

TEST(check_cuda, success_passes_and_evaluates_once) {
  int calls = 0;
  auto call = [&] { return ++calls, cudaSuccess; };
  EXPECT_NO_THROW(GOSSAMER_CHECK_CUDA(call()));
  EXPECT_EQ(calls, 1);
}

TEST(check_cuda, failure_names_call_code_text_and_place) {
  int line = 0;
  try {
    line = __LINE__ + 1;
    GOSSAMER_CHECK_CUDA(answer(cudaErrorInvalidValue));
    FAIL() << "an error code passed the check";
  } catch (const foreign_error& e) {
    const std::string what = e.what();
    EXPECT_EQ(what.find("answer(cudaErrorInvalidValue): cudaErrorInvalidValue (invalid argument)"),
              0u)
        << what;
    EXPECT_NE(what.find("check_cuda_test.cpp:" + std::to_string(line)), std::string::npos) << what;
    EXPECT_EQ(e.code(), static_cast<int>(cudaErrorInvalidValue));
    EXPECT_FALSE(e.device_lost());
  }
}

TEST(check_cuda, a_real_refused_call_is_reported_and_cleared) {
  // Refused for its null argument, or for the missing driver: an error on every machine.
  EXPECT_THROW(GOSSAMER_CHECK_CUDA(cudaGetDeviceCount(nullptr)), foreign_error);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess)
    GTEST_SKIP() << "a missing driver stays an error";
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(check_cuda, errors_that_destroy_the_context_say_so) {
  for (cudaError_t code : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorAssert,
                           cudaErrorMisalignedAddress, cudaErrorLaunchTimeout}) {
    try {
      GOSSAMER_CHECK_CUDA(answer(code));
      FAIL() << cudaGetErrorName(code);
    } catch (const foreign_error& e) {
      EXPECT_TRUE(e.device_lost()) << e.what();
    }
  }
  EXPECT_FALSE(gossamer::cuda_device_lost(cudaErrorMemoryAllocation));
  EXPECT_FALSE(gossamer::cuda_device_lost(cudaErrorNoDevice));
}

}  // namespace
