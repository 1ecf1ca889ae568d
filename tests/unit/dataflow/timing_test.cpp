// Head-of-line blocking in virtual time: a counter behind a gigabyte, as the paper has it.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <utility>

#include "gossamer/dataflow/flow.hpp"

namespace gossamer::dataflow {
namespace {

/// Zeros that take no memory: pages that are only read share one.
class zeros {
 public:
  explicit zeros(std::size_t bytes)
      : bytes_(bytes),
        data_(::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {}
  ~zeros() { ::munmap(data_, bytes_); }
  zeros(const zeros&) = delete;
  [[nodiscard]] bool made() const { return data_ != MAP_FAILED; }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data_), bytes_};
  }

 private:
  std::size_t bytes_;
  void* data_;
};

struct times {
  double packet = 0;   ///< s that one packet takes, alone
  double counter = 0;  ///< s from sending the counter to its receipt
  double large = 0;    ///< s from sending the gigabyte to the receipt of its last byte
};

times behind(const std::string& spec, std::size_t bytes, std::size_t packet, int buffers) {
  auto m = machine::open(spec);
  const zeros large(bytes);
  EXPECT_TRUE(large.made());
  times t;
  wiring w(m);
  const auto wire = w.connect(w.device(0), w.device(1), {packet, buffers});
  const auto alone = w.connect(w.add_endpoint(0, "other"), w.add_endpoint(1, "end"), {packet, 1});
  run(m, w, [&](flow& f) {
    const std::uint64_t counter = 42;
    double sent[2] = {};
    if (f.id() == 0) {
      sent[0] = f.rank().clock();
      f[alone].send(large.bytes().first(packet));
    } else {
      f[alone].release(f[alone].receive().get());
    }
    const double first = f.rank().clock();
    double at[2] = {first, 0};
    f.rank().barrier();
    if (f.id() == 0) {
      const double begin = f.rank().clock();
      f[wire].send(large.bytes());
      sent[1] = f.rank().clock();
      f[wire].send(std::span(&counter, 1), {.tag = 1});
      f[wire].shutdown();
      f.finish();
      at[1] = begin;
    } else {
      for (auto s = f[wire].receive().get(); s; s = f[wire].receive().get()) {
        if (s.what().tag == 1) {
          EXPECT_EQ(s.as<std::uint64_t>()[0], 42u);
          at[1] = f.rank().clock();
        }
        f[wire].release(s);
      }
    }
    double all[2][2];
    const double mine[2] = {f.id() == 0 ? sent[0] : at[0], f.id() == 0 ? sent[1] : at[1]};
    f.rank().exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
    if (f.id() == 0) return;
    t.packet = all[1][0] - all[0][0];
    t.counter = all[1][1] - all[0][1];
    t.large = f.rank().clock() - all[0][1];
  });
  return t;
}

TEST(head_of_line, a_counter_behind_a_gigabyte_takes_two_packets_time) {
  for (const char* spec : {"sim:m60,ranks=2", "sim:k40c-m4000,ranks=2"}) {
    // As many bytes and buffers as one may ask for, and those chosen when nobody does.
    const auto chosen = lane_packet(machine::open(spec), 0, 1);
    for (const auto& [packet, buffers] : {std::pair{std::size_t{4} << 20, 2}, {chosen, 0}}) {
      const auto t = behind(spec, std::size_t{1} << 30, packet, buffers);
      EXPECT_GT(t.packet, 0);
      EXPECT_LE(t.counter, 2 * t.packet) << spec << ", " << packet;
      EXPECT_GT(t.large, 100 * t.packet) << spec << ": the gigabyte was not behind it";
      RecordProperty("packet_us", std::to_string(t.packet * 1e6));
      RecordProperty("counter_us", std::to_string(t.counter * 1e6));
    }
  }
}

// Whoever wants a lower bound than triple buffering gives cuts the packets.
TEST(head_of_line, smaller_packets_wait_less) {
  const auto coarse = behind("sim:m60,ranks=2", std::size_t{64} << 20, std::size_t{4} << 20, 3);
  const auto fine = behind("sim:m60,ranks=2", std::size_t{64} << 20, std::size_t{1} << 20, 3);
  EXPECT_LE(coarse.counter, 3 * coarse.packet);
  EXPECT_LT(fine.counter, 0.4 * coarse.counter);
}

}  // namespace
}  // namespace gossamer::dataflow
