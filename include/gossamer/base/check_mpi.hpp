// GOSSAMER_CHECK_MPI: the one way an MPI call is checked, in every layer. Only files of a build
// with MPI include this.
//
// Communicators that Gossamer makes return errors (MPI_ERRORS_RETURN) instead of ending the
// process, so that the loss of a peer becomes an exception like any other failure.
#pragma once

#include <mpi.h>

#include <source_location>
#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer {

/// Throws foreign_error when `code` is a failure: "MPI_Isend(…): MPI_ERR_RANK: invalid rank at
/// FILE:LINE".
inline void check_mpi(int code, const char* call, const char* file, int line,
                      std::source_location where = std::source_location::current()) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw foreign_error(std::string(call) + ": " + text + " at " + file + ":" + std::to_string(line),
                      code, false, where);
}

}  // namespace gossamer

/// Evaluates an MPI call once and throws gossamer::foreign_error when it fails.
#define GOSSAMER_CHECK_MPI(expr) ::gossamer::check_mpi((expr), #expr, __FILE__, __LINE__)
