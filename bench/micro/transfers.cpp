// Paper C's Fig. 2 on GPUs, as one JSON object on standard output
// (python -m gossamer.reproduce.figures.c_fig02_transfers FOLDER --measured FILE draws it):
//
//   bench_transfers [SPEC]            default: cuda, which has to be two GPUs or more
//
// a: a kernel's accesses to a peer's memory and to the host's, coalesced and random, loads and
// stores, beside one copy; b: packets; c: pushes from rank 0 to rank 1 against the way through host
// memory; d: one to all. 100 MB (a: 2^24 words), the median of 11 rounds by the devices' clocks,
// the slowest rank's. What arrived is compared, word by word, after each measurement.
#include <string>
#include <vector>

#include "collective_chain.hpp"
#include "transfer_runs.hpp"

namespace gossamer::bench {

namespace {

constexpr std::size_t most_pieces = 64;
const std::vector<std::size_t> packets = {100'000,   200'000,    500'000,    1'000'000,  2'000'000,
                                          5'000'000, 10'000'000, 20'000'000, 50'000'000, bytes};

// --- b and c: packets from rank 0 to rank 1 -----------------------------------------------------

/// Calls one(first word, words) for each packet.
template <class F>
void each_packet(std::size_t packet, const F& one) {
  const std::size_t n = bytes / sizeof(std::uint32_t), step = packet / sizeof(std::uint32_t);
  for (std::size_t at = 0; at < n; at += step) one(at, std::min(step, n - at));
}

struct pair_ways {
  rank& r;
  report& out;
  const buffers& b;
  signal flag;
  std::uint64_t epoch = 0;

  void run(const char* figure, const std::string& curve, std::size_t packet, const enqueue& one) {
    const words to = r.id() == 1 ? b.target.local() : words{};
    measure(r, out, figure, curve, packet, bytes, to, one, [&] {
      if (r.id() == 1) check(to, bytes / sizeof(std::uint32_t), itself, curve);
    });
  }
  void push(std::size_t packet, bool stores, bool awaited, cudaStream_t on) {
    if (r.id() != 0) return;
    each_packet(packet, [&](std::size_t at, std::size_t n) {
      if (stores)
        move_by_kernel(b.target.direct(1).data() + at, b.source.data() + at, 4 * n, on);
      else
        r.put(b.target, 1, at, b.source.subspan(at, n));
      if (awaited) r.synchronize();
    });
  }
  /// Into the host memory of rank 1, which takes it from there when its flag says so.
  void push_pull(std::size_t packet, bool stores, cudaStream_t on) {
    if (r.id() > 1) return;
    each_packet(packet, [&](std::size_t at, std::size_t n) {
      ++epoch;
      if (r.id() == 0 && stores) {
        move_by_kernel(b.host.direct(1).data() + at, b.source.data() + at, 4 * n, on);
        r.raise(flag, 1, epoch);
      } else if (r.id() == 0) {
        r.put_signal(b.host, 1, at, b.source.subspan(at, n), flag, epoch);
      } else {
        r.wait_signal(flag, epoch, 0);
        std::uint32_t* to = b.target.local().data() + at;
        if (stores)
          move_by_kernel(to, b.host.local().data() + at, 4 * n, on);
        else
          copy_bytes(to, b.host.local().data() + at, 4 * n, r.stream());
      }
    });
  }
};

void pairs(rank& r, report& out, const buffers& b) {
  pair_ways ways{r, out, b, r.make_signal()};
  for (const std::size_t packet : packets) {
    const auto push = [&](bool stores, bool awaited) {
      return [&ways, packet, stores, awaited](int, cudaStream_t on) {
        ways.push(packet, stores, awaited, on);
      };
    };
    const auto through_host = [&](bool stores) {
      return [&ways, packet, stores](int, cudaStream_t on) { ways.push_pull(packet, stores, on); };
    };
    ways.run("b", "packets, each awaited by the host", packet, push(false, true));
    ways.run("b", "packets, in one stream", packet, push(false, false));
    ways.run("c", "peers, push, by the host", packet, push(false, false));
    ways.run("c", "peers, push, stores", packet, push(true, false));
    ways.run("c", "peers, push/pull, by the host", packet, through_host(false));
    ways.run("c", "peers, push/pull, stores", packet, through_host(true));
  }
}

// --- d: one to all ------------------------------------------------------------------------------

void broadcast(machine& m, report& out, const std::string& curve, std::size_t packet,
               const plan_options& how) {
  run_options options;
  options.arenas = {{4 * bytes + (std::size_t{64} << 20), std::size_t{64} << 20}};
  m.run(
      [&](rank& r) {
        chain c(r, collective_op::broadcast, bytes / sizeof(double), how);
        c.verify(r);
        const double time = time_in_stream(
            r, [&](int, cudaStream_t) { c.run(0); }, 1, rounds);
        c.verify(r);
        if (r.id() == 0) out.add("d", curve, packet, bytes, time);
      },
      options);
}

void one_to_all(machine& m, report& out) {
  const auto plan = [](const char* algorithm, std::size_t pieces, plan_runner by) {
    plan_options how;
    how.algorithm = algorithm;
    how.segments = static_cast<int>(pieces);
    how.runner = by;
    return how;
  };
  broadcast(m, out, "to each in turn, whole", bytes, plan("flat", 0, plan_runner::steps));
  broadcast(m, out, "ring, whole", bytes, plan("ring", 1, plan_runner::steps));
  for (const std::size_t packet : packets) {
    const std::size_t pieces = bytes / packet;
    if (pieces > most_pieces) continue;
    broadcast(m, out, "ring, packets", packet, plan("ring", pieces, plan_runner::steps));
    broadcast(m, out, "ring, packets, stores", packet,
              plan("ring", pieces, plan_runner::one_kernel));
  }
}

void measure_all(const std::string& spec) {
  auto m = machine::open(spec);
  require(m.size() > 1 && m[0].is_cuda() && m[1].is_cuda(), "needs two GPUs, not " + spec);
  report out(m);
  m.run(
      [&](rank& r) {
        const buffers b(r);
        require(r.id() > 0 || !b.target.direct(1).empty(), "the GPUs cannot address each other");
        direct_access(r, out, b);
        pairs(r, out, b);
      },
      buffers::room());
  one_to_all(m, out);
  report::end();
}

}  // namespace

}  // namespace gossamer::bench

int main(int argc, char** argv) {
  try {
    gossamer::bench::measure_all(argc > 1 ? argv[1] : "cuda");
    return 0;
  } catch (const gossamer::error& e) {
    std::fprintf(stderr, "bench_transfers: %s\n", e.what());
    return 1;
  }
}
