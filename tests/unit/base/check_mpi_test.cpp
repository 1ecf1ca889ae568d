// GOSSAMER_CHECK_MPI: a failing call becomes a foreign_error that names call, code and place.
#include "gossamer/base/check_mpi.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using gossamer::foreign_error;

class check_mpi : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(MPI_Init(nullptr, nullptr), MPI_SUCCESS);
    ASSERT_EQ(MPI_Comm_dup(MPI_COMM_WORLD, &own), MPI_SUCCESS);
    ASSERT_EQ(MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN), MPI_SUCCESS);
  }
  static void TearDownTestSuite() {
    EXPECT_EQ(MPI_Comm_free(&own), MPI_SUCCESS);
    EXPECT_EQ(MPI_Finalize(), MPI_SUCCESS);
  }
  static inline MPI_Comm own = MPI_COMM_NULL;
};

TEST_F(check_mpi, success_passes_and_evaluates_once) {
  int calls = 0;
  auto call = [&] { return ++calls, MPI_SUCCESS; };
  EXPECT_NO_THROW(GOSSAMER_CHECK_MPI(call()));
  EXPECT_EQ(calls, 1);
}

TEST_F(check_mpi, a_refused_call_is_named_with_its_text_and_place) {
  int line = 0;
  const int nobody = 1000000;
  try {
    line = __LINE__ + 1;
    GOSSAMER_CHECK_MPI(MPI_Send(nullptr, 0, MPI_BYTE, nobody, 0, own));
    FAIL() << "an error code passed the check";
  } catch (const foreign_error& e) {
    const std::string what = e.what();
    EXPECT_TRUE(what.starts_with("MPI_Send(nullptr, 0, ")) << what;
    int kind = 0;
    EXPECT_EQ(MPI_Error_class(e.code(), &kind), MPI_SUCCESS);
    EXPECT_EQ(kind, MPI_ERR_RANK);
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    EXPECT_EQ(MPI_Error_string(e.code(), text, &length), MPI_SUCCESS);
    EXPECT_NE(what.find(std::string(": ") + text + " at "), std::string::npos) << what;
    EXPECT_NE(what.find("check_mpi_test.cpp:" + std::to_string(line)), std::string::npos) << what;
    EXPECT_FALSE(e.device_lost());
  }
}

}  // namespace
