// One link of a dataflow graph, by packet and number of buffers: bandwidth of a long message, and
// how long a counter that was sent behind it takes, in times of a packet. Prints one JSON object.
//
//   bench_link_stream SPEC [--mib N] [--packets KIB,KIB…] [--buffers N,N…]
//
// From rank 0 of the machine to its last, from pinned memory where rank 0 is a CPU team and some
// rank a GPU, else from the rank's own. The receiver gives each segment back as it comes. Medians
// of nine messages, the counter's value checked each time. defaults: 256, 1024 to 16384, 1 to 4
#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "bench_run.hpp"
#include "gossamer/dataflow/flow.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/memory.hpp"

namespace {

using namespace gossamer;
using namespace gossamer::dataflow;

constexpr int messages = 9;

struct measured {
  double gigabytes_per_second = 0;
  double packet_us = 0;           ///< bandwidth's reciprocal
  double counter_in_packets = 0;  ///< its time from send to receipt
};

/// What the sender and the receiver saw of one message; ranks of one process share it.
struct moments {
  bench::steady::time_point sent, counter_sent, counter_came, came;
};

void send_messages(flow& f, link_id wire, std::span<const std::byte> large,
                   std::vector<moments>& all) {
  for (moments& now : all) {
    const std::uint64_t counter = 42;
    f.rank().barrier();
    now.sent = bench::steady::now();
    const auto message = f[wire].send(large);
    now.counter_sent = bench::steady::now();
    f[wire].send(std::span(&counter, 1), {.tag = 1}).wait();
    message.wait();  // the barrier moves nothing on
  }
  f[wire].shutdown();
}

void receive_messages(flow& f, link_id wire, std::size_t bytes, std::vector<moments>& all) {
  buffer<std::uint64_t> shown(memory_kind::pinned, -1, 1);
  for (moments& now : all) {
    f.rank().barrier();
    for (std::size_t taken = 0, counters = 0; taken < bytes || counters == 0;) {
      const auto s = f[wire].receive().get();
      if (s.what().tag == 1) {
        now.counter_came = bench::steady::now();
        copy_bytes(shown.data(), s.as<std::uint64_t>().data(), sizeof(std::uint64_t));
        require(*shown.data() == 42, "the counter came as " + std::to_string(*shown.data()));
        ++counters;
      } else {
        taken += s.what().bytes;
      }
      f[wire].release(s);
    }
    now.came = bench::steady::now();
  }
}

measured measure(machine& m, std::span<const std::byte> large, const link_options& options) {
  wiring w(m);
  const auto wire = w.connect(w.device(0), w.device(m.size() - 1), options);
  std::vector<moments> all(messages);
  run(m, w, [&](flow& f) {
    if (f.id() == 0) return send_messages(f, wire, large, all);
    if (f.id() == m.size() - 1) return receive_messages(f, wire, large.size(), all);
    for (int i = 0; i < messages; ++i) f.rank().barrier();
  });
  std::vector<double> seconds, counters;
  for (const moments& one : all) {
    seconds.push_back(std::chrono::duration<double>(one.came - one.sent).count());
    counters.push_back(std::chrono::duration<double>(one.counter_came - one.counter_sent).count());
  }
  const double bytes = static_cast<double>(large.size()), middle = bench::quantile(seconds, 0.5);
  const double packet = middle * static_cast<double>(options.packet) / bytes;
  return {bytes / middle * 1e-9, packet * 1e6, bench::quantile(counters, 0.5) / packet};
}

std::vector<long> numbers(const std::string& text) {
  std::vector<long> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) found.push_back(std::stol(word));
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  auto given = bench::read_arguments(
      argc, argv,
      {{"graph", ""}, {"mib", "256"}, {"packets", "1024,4096,8192,16384"}, {"buffers", "1,2,3,4"}},
      "bench_link_stream: which machine?");
  machine m = machine::open(given["graph"]);
  require(m.size() > 1 && m.all_here(),
          "bench_link_stream: takes ranks of one process, two or more");
  const std::size_t bytes = static_cast<std::size_t>(std::stol(given["mib"])) << 20;
  const bool from_gpu = m[0].is_cuda(), any_gpu = from_gpu || m[m.size() - 1].is_cuda();
  buffer<std::byte> large(from_gpu  ? memory_kind::device
                          : any_gpu ? memory_kind::pinned
                                    : memory_kind::host,
                          m[0].ordinal, bytes);
  fill_bytes(large.kind(), large.ordinal(), large.data(), 1, bytes);
  std::printf("{\"machine\": \"%s\", \"mib\": %zu, \"rows\": [", given["graph"].c_str(),
              bytes >> 20);
  const char* comma = "";
  for (const long packet : numbers(given["packets"]))
    for (const long buffers : numbers(given["buffers"])) {
      const measured found = measure(
          m, large.span(), {static_cast<std::size_t>(packet) << 10, static_cast<int>(buffers)});
      std::printf(
          "%s\n  {\"packet_kib\": %ld, \"buffers\": %ld, \"GB_per_s\": %.1f, "
          "\"packet_us\": %.1f, \"counter_in_packets\": %.2f}",
          comma, packet, buffers, found.gigabytes_per_second, found.packet_us,
          found.counter_in_packets);
      comma = ",";
    }
  std::printf("]}\n");
}
