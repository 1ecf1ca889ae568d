// The modelled network: latencies add up, flows share links, routes are the papers'.
#include "gossamer/fabric/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "gossamer/base/error.hpp"

namespace gossamer::model {

namespace {

struct request {
  double time;
  int from, to;
  std::size_t bytes;
  memory source = memory::host, target = memory::host;
  bool first = true;
};

/// Arrival times, in the order of the requests.
std::vector<double> arrivals(network& net, const std::vector<request>& all) {
  std::map<network::id, std::size_t> which;
  std::vector<double> times(all.size());
  std::size_t i = 0;
  while (i < all.size() || net.next() < 1e9) {
    if (i < all.size() && all[i].time <= net.next()) {
      const auto& r = all[i];
      const auto& kind = net.what().kind_of(r.source, r.target, r.bytes, r.from == r.to);
      which[net.inject(r.time, r.from, r.to, kind, r.bytes, r.first)] = i++;
    } else if (const auto done = net.advance()) {
      times[which[*done]] = net[*done].arrived;
      net.forget(*done);
    }
  }
  return times;
}

double alone(network& net, const request& r) {
  net.reset();
  return arrivals(net, {r})[0] - r.time;
}

constexpr double us = 1e-6;

}  // namespace

TEST(network, a_small_message_takes_the_latencies) {
  network net(load_system("peach2"), 16);
  const auto& s = net.what();
  const auto& pio = s.kind_of(memory::host, memory::host, 8, false);
  EXPECT_EQ(pio.name, "pio");
  EXPECT_NEAR(alone(net, {5.0, 0, 1, 8}),
              pio.setup + 8 / pio.bandwidth + s.network.latency[0] + pio.latency, 1e-12);
  // Ranks 0 and 3 are three hops apart.
  EXPECT_NEAR(alone(net, {0, 0, 3, 8}) - alone(net, {0, 0, 1, 8}), 2 * s.network.latency[0], 1e-12);
}

TEST(network, a_large_message_takes_its_slowest_part) {
  network net(load_system("peach2"), 16);
  const std::size_t n = 64 << 20;
  const double bytes = static_cast<double>(n);
  EXPECT_NEAR(bytes / alone(net, {0, 0, 1, n}), 3.5e9, 1e7);
  EXPECT_NEAR(bytes / alone(net, {0, 0, 1, n, memory::device, memory::device}), 2.8e9, 1e7);
  network slow(load_system("peach2", {"network.bandwidth=1e9"}), 16);
  EXPECT_NEAR(bytes / alone(slow, {0, 0, 3, n}), 1e9, 1e7);
}

TEST(network, two_flows_over_one_link_get_half_each) {
  network net(load_system("peach2"), 16);
  const std::size_t n = 16 << 20;
  // 0 -> 2 and 1 -> 2 share the link from 1 to 2, and the port of 2.
  const auto both = arrivals(net, {{0, 0, 2, n}, {0, 1, 2, n}});
  const double half = static_cast<double>(n) / (3.66e9 / 2);
  EXPECT_NEAR(both[0], half, 0.02 * half);
  EXPECT_NEAR(both[1], half, 0.02 * half);
  // A flow elsewhere does not notice.
  net.reset();
  const auto apart = arrivals(net, {{0, 0, 1, n}, {0, 2, 3, n}});
  EXPECT_NEAR(apart[0], static_cast<double>(n) / 3.5e9, 0.01 * half);
  EXPECT_NEAR(apart[1], apart[0], 1e-9);
  // When one ends, the other gets the whole link: a quarter of the bytes takes half of the time.
  net.reset();
  const auto uneven = arrivals(net, {{0, 0, 2, n}, {0, 1, 2, n / 4}});
  EXPECT_NEAR(uneven[1], half / 4, 0.03 * half);
  EXPECT_NEAR(uneven[0], half * 5 / 8, 0.03 * half);
}

TEST(network, transfers_of_one_adapter_share_what_it_reads_in_a_second) {
  // Two messages to two nodes: no link in common but the port, which would carry both at once.
  network net(load_system("hapacs-ib"), 4);
  const auto& kind = net.what().kind_of(memory::device, memory::device, 262144, false);
  ASSERT_EQ(kind.name, "mpi-gpudirect");
  ASSERT_LT(2 * kind.bandwidth, net.what().network.bandwidth[0]);
  const request one{0, 0, 1, 262144, memory::device, memory::device};
  const request two{0, 0, 2, 262144, memory::device, memory::device};
  const request other{0, 3, 2, 262144, memory::device, memory::device};
  const double single = alone(net, one);
  net.reset();
  const auto both = arrivals(net, {one, two});
  EXPECT_NEAR(both[1] - single, 262144 / kind.bandwidth, 0.02 * single);
  EXPECT_NEAR(both[0], both[1], 0.05 * single);  // packet by packet
  net.reset();
  const auto apart = arrivals(net, {one, other});
  EXPECT_NEAR(apart[0], single, 1e-9);
  EXPECT_NEAR(apart[1], single, 1e-9);
}

TEST(network, an_engine_takes_one_transfer_at_a_time_and_sets_a_chain_up_once) {
  network net(load_system("peach2"), 16);
  const auto& dma = net.what().kind_of(memory::device, memory::device, 8, false);
  const request first{0, 0, 1, 8, memory::device, memory::device};
  auto second = first;
  const auto apart = arrivals(net, {first, second});
  EXPECT_NEAR(apart[1] - apart[0], dma.setup + 8 / dma.bandwidth, 1e-12);
  net.reset();
  second.first = false;
  const auto chained = arrivals(net, {first, second});
  EXPECT_NEAR(chained[1] - chained[0], dma.gap + 8 / dma.bandwidth, 1e-12);
  // Adapters have no such queue.
  network mpi(load_system("hapacs-ib"), 16);
  const auto free = arrivals(mpi, {first, first});
  EXPECT_NEAR(free[1], free[0], 10e-9);
}

TEST(network, torus_routes_are_minimal_and_go_along_one_dimension_after_the_other) {
  network net(load_system("peach2"), 16);
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) {
      const int along = std::abs(a % 8 - b % 8);
      EXPECT_EQ(net.hops(a, b), (a / 8 != b / 8) + std::min(along, 8 - along)) << a << ' ' << b;
    }
  const auto names = [&](int a, int b) {
    std::string text;
    for (const int l : net.route(a, b)) text += net.link_name(l) + " ";
    return text;
  };
  EXPECT_EQ(names(1, 10), "1->hub 1 1->9 9->10 hub 10->10 ");
  EXPECT_EQ(names(0, 7), "0->hub 0 0->7 hub 7->7 ");
  EXPECT_EQ(names(0, 4), "0->hub 0 0->1 1->2 2->3 3->4 hub 4->4 ");
  EXPECT_TRUE(net.route(3, 3).empty());
  // Each direction of a link is one link, also where a dimension has only two nodes.
  std::set<int> used;
  for (const int l : net.route(0, 8)) used.insert(l);
  for (const int l : net.route(8, 0)) EXPECT_FALSE(used.contains(l));
  // Eight ranks are a block of 2 x 4 of the torus of 2 x 8: no way round.
  network part(load_system("peach2"), 8);
  EXPECT_EQ(part.hops(0, 3), 3);
  EXPECT_EQ(part.hops(0, 4), 1);
  EXPECT_EQ(network(load_system("peach2"), 17).hops(0, 8), 1);
}

TEST(network, trees_go_up_to_the_common_switch_and_down) {
  network m60(load_system("m60"), 8);
  EXPECT_EQ(m60.hops(0, 1), 2);
  EXPECT_EQ(m60.hops(0, 3), 4);
  EXPECT_EQ(m60.hops(0, 7), 6);
  // Two pairs across the sockets share that link in a PCIe tree …
  const std::size_t n = 16 << 20;
  const request across[] = {{0, 0, 4, n, memory::device, memory::device},
                            {0, 2, 6, n, memory::device, memory::device}};
  const double one = alone(m60, across[0]);
  m60.reset();
  EXPECT_GT(arrivals(m60, {across[0], across[1]})[1], 1.8 * one);
  // … and not in a fat tree, which has full bisection bandwidth.
  network ib(load_system("hapacs-ib"), 64);
  std::vector<request> all;
  for (int i = 0; i < 32; ++i) all.push_back({0, i, i + 32, n});
  const double single = alone(ib, all[0]);
  ib.reset();
  for (const double t : arrivals(ib, all)) EXPECT_NEAR(t, single, 0.05 * single);
}

TEST(network, one_host_of_all_nodes_has_one_link) {
  network net(load_system("expether"), 4);
  const auto& s = net.what();
  const std::size_t n = 16 << 20;
  // What a node calls a copy to its host crosses its own links and the host's, and so do puts into
  // any node's host memory: it is one.
  const auto up = [&](int from, int to) {
    return request{0, from, to, n, memory::device, memory::host};
  };
  const double wire = static_cast<double>(n) / s.network.host_bandwidth;
  EXPECT_NEAR(alone(net, up(2, 2)), wire, 0.02 * wire);
  EXPECT_NEAR(alone(net, up(2, 0)), wire, 0.02 * wire);
  // Four at a time share it, and leave the links between the nodes alone.
  net.reset();
  const request between{0, 0, 1, n, memory::device, memory::device};
  auto times = arrivals(net, {up(1, 1), up(2, 2), up(3, 3), between});
  EXPECT_NEAR(*std::max_element(times.begin(), times.begin() + 3), 3 * wire, 0.05 * wire);
  EXPECT_NEAR(times[3], wire, 0.05 * wire);
  // Down and up are two directions.
  net.reset();
  times = arrivals(net, {up(1, 1), {0, 2, 2, n, memory::host, memory::device}});
  EXPECT_NEAR(times[1], wire, 0.02 * wire);
  // Within the host nothing is crossed.
  const auto& store = s.kind_of(memory::host, memory::host, 8, false);
  EXPECT_NEAR(alone(net, {0, 0, 3, 8}), store.latency + 8 / store.bandwidth, 1e-12);
}

TEST(network, every_system_loads_and_talks) {
  const auto names = system_names();
  EXPECT_GE(names.size(), 10u);
  for (const auto& name : names) {
    const auto s = load_system(name);
    EXPECT_EQ(s->name, name);
    network net(s, 2);
    for (const memory a : {memory::device, memory::host})
      for (const memory b : {memory::device, memory::host})
        for (const std::size_t n : {8u, 4096u, 1u << 20}) {
          const double t = alone(net, {0, 0, 1, n, a, b});
          EXPECT_GT(t, 50e-9) << name;
          EXPECT_LT(t, 20e-3) << name;
        }
  }
  EXPECT_THROW(network(load_system("gaming"), 5), usage_error);
}

TEST(network, it_repeats) {
  network a(load_system("peach2"), 16), b(load_system("peach2"), 16);
  std::vector<request> all;
  for (int i = 0; i < 200; ++i)
    all.push_back({i * 0.3 * us, i * 7 % 16, i * 11 % 16, static_cast<std::size_t>(i * 997 + 1),
                   i % 2 ? memory::device : memory::host, memory::device});
  EXPECT_EQ(arrivals(a, all), arrivals(b, all));
}

}  // namespace gossamer::model
