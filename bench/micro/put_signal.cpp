// Latencies of the fabric on one machine spec: put_signal round trip, barrier, allreduce, and what
// machine::run itself costs. Prints one JSON object.
//
//   bench_put_signal [SPEC] [REPETITIONS]      defaults: cpu:2x1, 20000
//
// Each number is the median over blocks of repetitions, timed on rank 0's clock; the machine is
// warmed up first. A round trip is two put_signal of 8 bytes, one each way, between ranks 0 and 1.
// The bare one is what two threads with a core each need when each only stores a word that the
// other spins on: the floor, which depends on the cores that a virtual machine is lent.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/device.hpp"

namespace {

using namespace gossamer;

constexpr int blocks = 21;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Median time of one call of `once`, in nanoseconds; the first block warms up.
double median_ns(int repetitions, const std::function<void()>& once) {
  const int per_block = std::max(1, repetitions / blocks);
  std::vector<double> times;
  for (int b = 0; b <= blocks; ++b) {
    const double begin = seconds();
    for (int i = 0; i < per_block; ++i) once();
    if (b > 0) times.push_back((seconds() - begin) / per_block * 1e9);
  }
  std::nth_element(times.begin(), times.begin() + blocks / 2, times.end());
  return times[blocks / 2];
}

double round_trip(machine& m, int repetitions) {
  double result = 0;
  m.run([&](rank& r) {
    auto w = r.make_window<std::uint64_t>(1);
    auto flag = r.make_signal();
    auto slot = r.scratch<std::uint64_t>(1, home::host);
    slot[0] = 0;
    std::uint64_t turn = 0;
    r.barrier();
    if (r.id() > 1) return;
    const int peer = 1 - r.id();
    auto once = [&] {
      ++turn;
      if (r.id() == 0) r.put_signal(w, peer, 0, slot, flag, turn);
      r.wait_signal(flag, turn, peer);
      if (r.id() == 1) r.put_signal(w, peer, 0, slot, flag, turn);
      if (r.stream().is_cuda() && turn % 64 == 0) r.synchronize();  // bounds the queue's depth
    };
    const double ns = median_ns(repetitions, once);
    if (r.id() == 0) result = ns;
  });
  return result;
}

/// Two words on lines of their own; 0 where ranks are no threads with a core each.
double bare_round_trip(machine& m, int repetitions) {
  if (m.fabric() != "threads" || m.size() != 2 || host().cores < 2) return 0;
  struct alignas(128) {
    std::atomic<std::uint64_t> at{0};
  } words[2];
  double result = 0;
  m.run([&](rank& r) {
    std::uint64_t turn = 0;
    const auto self = static_cast<std::size_t>(r.id());
    auto once = [&] {
      ++turn;
      if (self == 0) words[1].at.store(turn, std::memory_order_release);
      for (backoff pace; words[self].at.load(std::memory_order_acquire) < turn;) pace.pause();
      if (self == 1) words[0].at.store(turn, std::memory_order_release);
    };
    const double ns = median_ns(repetitions, once);
    if (self == 0) result = ns;
  });
  return result;
}

double collective(machine& m, int repetitions, bool barrier) {
  double result = 0;
  m.run([&](rank& r) {
    scalar_plan<std::int64_t> plan(r);
    std::int64_t sum = 0;
    const double ns =
        barrier ? median_ns(repetitions, [&] { r.barrier(); })
                : median_ns(repetitions, [&] { sum = plan.allreduce(sum & 1, reduction::sum); });
    if (r.id() == 0) result = ns;
  });
  return result;
}

int measure(const std::string& spec, int repetitions) {
  auto m = machine::open(spec);
  const double trip = m.size() > 1 ? round_trip(m, repetitions) : 0;
  const double bare = bare_round_trip(m, repetitions);
  const double barrier = collective(m, repetitions, true);
  const double allreduce = collective(m, repetitions, false);
  const double run = median_ns(repetitions / 10, [&] { m.run([](rank&) {}); });
  std::printf(
      "{\"bench\": \"put_signal\", \"spec\": \"%s\", \"ranks\": %d, \"fabric\": \"%s\", "
      "\"repetitions\": %d, \"put_signal_round_trip_ns\": %.1f, \"bare_round_trip_ns\": %.1f, "
      "\"barrier_ns\": %.1f, \"allreduce_ns\": %.1f, \"run_ns\": %.1f}\n",
      spec.c_str(), m.size(), m.fabric().c_str(), repetitions, trip, bare, barrier, allreduce, run);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string spec = argc > 1 ? argv[1] : "cpu:2x1";
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 20000;
  if (repetitions <= 0) {
    std::fprintf(stderr, "usage: bench_put_signal [SPEC] [REPETITIONS > 0]\n");
    return 2;
  }
  try {
    return measure(spec, repetitions);
  } catch (const gossamer::error& e) {
    std::fprintf(stderr, "bench_put_signal: %s\n", e.what());
    return 1;
  }
}
