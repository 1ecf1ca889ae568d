// NCCL's functions, found in the library when a plan first asks for them, and the macro that checks
// their answers.
#pragma once

#include <nccl.h>

#include <string>

#include "gossamer/base/error.hpp"

/// Evaluates a call of NCCL once; throws foreign_error when it fails.
#define GOSSAMER_CHECK_NCCL(expr) ::gossamer::nccl::check((expr), #expr, __FILE__, __LINE__)

namespace gossamer::nccl {

/// Throws foreign_error "CALL: NCCL result 5 at FILE:LINE" for a failure. An unhandled error of
/// CUDA leaves a device that cannot be used any more.
inline void check(ncclResult_t result, const char* call, const char* file, int line) {
  if (result == ncclSuccess) return;
  throw foreign_error(std::string(call) + ": NCCL result " + std::to_string(result) + " at " +
                          file + ":" + std::to_string(line),
                      static_cast<int>(result), result == ncclUnhandledCudaError);
}

/// One pointer a function, with the type its header declares.
struct functions {
  decltype(&ncclCommInitAll) init_all;
  decltype(&ncclCommDestroy) destroy;
  decltype(&ncclCommAbort) abort;
  decltype(&ncclBroadcast) broadcast;
  decltype(&ncclReduce) reduce;
  decltype(&ncclAllReduce) allreduce;
  decltype(&ncclAllGather) allgather;
  decltype(&ncclReduceScatter) reduce_scatter;

  /// Opens the library at the first call; usage_error when it or a function is not there.
  static const functions& get();
};

}  // namespace gossamer::nccl
