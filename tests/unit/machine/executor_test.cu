// The executor suite on a GPU.
#include <string>

#include "gossamer/machine/executor_cuda.cuh"
#include "unit/machine/executor_suite.hpp"

namespace gossamer::testing {

struct cuda_fixture {
  cuda_fixture() {
    const auto gpus = cuda_devices();
    reason = "no GPU: " + cuda_unavailable_reason();
    if (gpus.empty()) return;
    device_ = gpus[0];
    stream_ = stream(device_);
  }
  const char* missing() const { return device_.is_cuda() ? nullptr : reason.c_str(); }
  cuda_stream on() const { return cuda_stream(stream_); }
  void finish() const {
    GOSSAMER_CHECK_CUDA(cudaStreamSynchronize(static_cast<cudaStream_t>(stream_.native())));
  }
  static memory_kind memory() { return memory_kind::device; }
  int ordinal() const { return device_.ordinal; }

  std::string reason;
  device device_;
  stream stream_;
};

using cuda_fixtures = ::testing::Types<cuda_fixture>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, executor_suite, cuda_fixtures);

}  // namespace gossamer::testing
