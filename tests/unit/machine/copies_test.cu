// Copies in streams of GPUs: between all places, and that a queued one holds up no other GPU's.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {
namespace {

using bytes = buffer<unsigned char>;

__global__ void wait_for(volatile unsigned* flag) {
  while (*flag == 0) {
  }
}

class Copies : public ::testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices().empty()) GTEST_SKIP() << "no GPU: " << cuda_unavailable_reason();
  }
  static bool finishes(const stream& s, std::chrono::milliseconds within) {
    const auto limit = steady::now() + within;
    while (!s.idle())
      if (steady::now() > limit) return false;
    return true;
  }
};

TEST_F(Copies, move_every_size_and_alignment_between_all_places) {
  const auto gpus = cuda_devices();
  constexpr std::size_t room = 300000;
  for (const bool own_engines : {true, false}) {
    device d = gpus[0];
    d.own_engines = own_engines;
    const stream s(d);
    std::vector<bytes> places;
    places.emplace_back(memory_kind::device, d.ordinal, room);
    places.emplace_back(memory_kind::pinned, d.ordinal, room);
    places.emplace_back(memory_kind::host, -1, room);
    if (gpus.size() > 1) {
      const auto m = machine::open("cuda:0-1");
      if (m.between(0, 1).load_store) places.emplace_back(memory_kind::device, 1, room);
    }
    std::vector<unsigned char> there(room);
    for (const auto& from : places)
      for (const auto& to : places)
        for (const std::size_t n : {0, 1, 7, 8, 12, 4096, 4100, 65536, 65537, 250000})
          for (const std::size_t at : {0, 1, 4, 8}) {
            std::vector<unsigned char> data(n + at);
            std::iota(data.begin(), data.end(), static_cast<unsigned char>(n + at + 1));
            copy_bytes(from.data(), data.data(), data.size());
            fill_bytes(to.kind(), to.ordinal(), to.data(), 0, room);
            if (&from == &to) continue;
            copy_bytes(to.data() + 8 - at, from.data() + at, n, s);
            ASSERT_TRUE(finishes(s, std::chrono::seconds(10)));
            copy_bytes(there.data(), to.data(), room);
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(there[8 - at + i], data[at + i]) << n;
            ASSERT_EQ(there[8 - at + n], 0);
            if (at < 8) ASSERT_EQ(there[7 - at], 0);
          }
  }
}

// The streams of one GPU wait in a kernel before they copy; the other GPU's must go on.
TEST_F(Copies, wait_for_no_other_stream) {
  const auto gpus = cuda_devices();
  if (gpus.size() < 2) GTEST_SKIP() << "needs 2 GPUs";
  const auto m = machine::open("cuda:0-1");
  if (!m.between(0, 1).load_store) GTEST_SKIP() << "no peer access";
  constexpr std::size_t longest = 100000, count = 6;
  const buffer<unsigned> flag(memory_kind::pinned, 0, 1);
  volatile unsigned& go = *flag.data();
  const bytes host(memory_kind::pinned, 0, longest), more_host(memory_kind::pinned, 0, longest);
  std::vector<bytes> memory;
  std::vector<std::vector<stream>> streams(2);
  for (int d = 0; d < 2; ++d) {
    GOSSAMER_CHECK_CUDA(cudaSetDevice(d));
    cudaFuncAttributes attributes;
    GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, wait_for));
    memory.emplace_back(memory_kind::device, d, longest);
    for (std::size_t i = 0; i < count; ++i) streams[d].emplace_back(m[d]);
  }
  GOSSAMER_CHECK_CUDA(cudaSetDevice(0));
  const char* const names[] = {"own", "peer", "host", "other host"};
  const auto queue = [&](int d, int to, int from, std::size_t n) {
    const bytes* const places[] = {&memory[d], &memory[1 - d], &host, &more_host};
    for (const auto& s : streams[d]) copy_bytes(places[to]->data(), places[from]->data(), n, s);
  };
  for (const std::size_t n : {std::size_t{8}, longest}) {  // loads kernels: that waits for others
    for (int d = 0; d < 2; ++d) {
      queue(d, 0, 2, n);
      for (const auto& s : streams[d]) ASSERT_TRUE(finishes(s, std::chrono::seconds(10)));
    }
    for (int pair = 0; pair < 16 * 16; ++pair) {
      const int to = pair % 4, from = pair / 4 % 4, next_to = pair / 16 % 4, next_from = pair / 64;
      if (to == from || next_to == next_from) continue;
      go = 0;
      for (const auto& s : streams[0])
        wait_for<<<1, 1, 0, static_cast<cudaStream_t>(s.native())>>>(flag.data());
      queue(0, to, from, n);
      queue(1, next_to, next_from, n);
      for (const auto& s : streams[1])
        EXPECT_TRUE(finishes(s, std::chrono::seconds(1)))
            << n << " bytes from " << names[next_from] << " to " << names[next_to] << ", behind "
            << names[from] << " to " << names[to];
      go = 1;
      for (const auto& s : streams[0]) ASSERT_TRUE(finishes(s, std::chrono::seconds(10)));
    }
  }
}

}  // namespace
}  // namespace gossamer
