// Predicate-based filtering by links and routers: the example program of Ben-Nun et al., "Groute"
// (PPoPP 2017), Fig. 6. The host scatters an array to whichever rank is free; each filters the
// segments that it gets and sends back what it keeps.
//
//   predicate_filter [SPEC [ELEMENTS]]      e.g. predicate_filter cpu:3 1000000
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include "gossamer/dataflow/flow.hpp"
#include "gossamer/machine/memory.hpp"

using namespace gossamer;
using namespace gossamer::dataflow;

static bool keep(int x) {
  return x % 3 == 0;
}

/// A GPU rank's segments lie in its memory, rank 0's host endpoint's too where rank 0 is a GPU.
static void append(std::span<const int> in, std::vector<int>& out) {
  const std::size_t before = out.size();
  out.resize(before + in.size());
  copy_bytes(out.data() + before, in.data(), in.size_bytes());
}

/// On the host, whatever the rank; gossamer::filter has the kernel that filters where they lie.
static void filter(std::span<const int> in, std::vector<int>& out) {
  out.clear();
  append(in, out);
  std::erase_if(out, [](int x) { return !keep(x); });
}

int main(int count, char** arguments) try {
  auto m = machine::open(count > 1 ? arguments[1] : "cpu:2");
  std::vector<int> input(count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1000000), output;
  std::iota(input.begin(), input.end(), 0);
  constexpr std::size_t packet = 64 << 10;

  wiring w(m);
  const auto host = w.add_endpoint(0, "host");
  const auto host_to_ranks = w.add_router(1, m.size(), any_device(), "host to ranks");
  const auto ranks_to_host = w.add_router(m.size(), 1, any_device(), "ranks to host");
  const auto dist = w.connect(host, host_to_ranks, {packet});
  const auto collect = w.connect(ranks_to_host, host, {packet, 2});
  std::vector<link_id> in, out;
  for (int r = 0; r < m.size(); ++r) {
    in.push_back(w.connect(host_to_ranks, w.device(r), {packet, 2, /*one_at_a_time=*/true}));
    out.push_back(w.connect(w.device(r), ranks_to_host));
  }

  run(m, w, [&](flow& f) {
    if (f.id() == 0) {
      f[collect].on_receive([&](const pending_segment& s) { append(s.as<int>(), output); });
      f[dist].send(std::span(input));
      f[dist].shutdown();
    }
    const auto me = static_cast<std::size_t>(f.id());
    std::vector<int> kept;
    for (auto s = f[in[me]].receive().get(); s; s = f[in[me]].receive().get()) {
      filter(s.as<int>(), kept);
      f[in[me]].release(s);
      f[out[me]].send(std::span(kept)).wait();
    }
    f[out[me]].shutdown();
  });

  if (!m.here(0)) return 0;
  std::sort(output.begin(), output.end());
  const bool right = output.size() == (input.size() + 2) / 3 &&
                     std::all_of(output.begin(), output.end(), keep) &&
                     std::adjacent_find(output.begin(), output.end()) == output.end();
  std::cout << output.size() << " of " << input.size() << " kept"
            << (right ? "\n" : ", which is wrong\n");
  return right ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "predicate_filter: " << e.what() << '\n';
  return 2;
}
