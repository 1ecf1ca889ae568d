// cuSPARSE and cuBLAS: a failing call names itself, its status and its place; the functions are
// found in the libraries, or the error names what is missing. Needs no GPU.
#include <gtest/gtest.h>

#include <string>

#include "algorithm/cg/library/cuda/library_functions.hpp"
#include "message_of.hpp"

namespace gossamer::cg_detail {
namespace {

TEST(CudaLibraries, a_failing_call_names_itself_and_its_place) {
  EXPECT_EQ(message_of<foreign_error>([] { GOSSAMER_CHECK_CUBLAS(CUBLAS_STATUS_SUCCESS); }), "");
  EXPECT_EQ(message_of<foreign_error>([] { GOSSAMER_CHECK_CUSPARSE(CUSPARSE_STATUS_SUCCESS); }),
            "");
  const auto blas =
      message_of<foreign_error>([] { GOSSAMER_CHECK_CUBLAS(CUBLAS_STATUS_INVALID_VALUE); });
  EXPECT_EQ(blas.find("CUBLAS_STATUS_INVALID_VALUE: cuBLAS status 7 at "), 0u) << blas;
  const auto sparse =
      message_of<foreign_error>([] { GOSSAMER_CHECK_CUSPARSE(CUSPARSE_STATUS_INVALID_VALUE); });
  EXPECT_EQ(sparse.find("CUSPARSE_STATUS_INVALID_VALUE: cuSPARSE status 3 at "), 0u) << sparse;
  EXPECT_NE(sparse.find("cuda_libraries.cpp:"), std::string::npos) << sparse;
}

TEST(CudaLibraries, a_failed_kernel_means_a_lost_device) {
  try {
    GOSSAMER_CHECK_CUBLAS(CUBLAS_STATUS_EXECUTION_FAILED);
    FAIL() << "an error code passed the check";
  } catch (const foreign_error& e) {
    EXPECT_TRUE(e.device_lost());
  }
}

TEST(CudaLibraries, all_functions_are_found_where_the_libraries_are) {
  try {
    const auto& all = library_functions::get();
    EXPECT_NE(all.blas_dot, nullptr);
    EXPECT_NE(all.multiply, nullptr);
    EXPECT_EQ(&library_functions::get(), &all);
  } catch (const usage_error& e) {
    EXPECT_EQ(std::string(e.what()).find("cg: engine library: "), 0u) << e.what();
    GTEST_SKIP() << e.what();
  }
}

}  // namespace
}  // namespace gossamer::cg_detail
