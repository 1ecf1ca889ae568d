// What goes wrong: mistakes of a program, a rank that throws, waits that run out.
#include <stdexcept>

#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {
namespace {

using std::chrono::milliseconds;

constexpr link_options small{1024, 2};
constexpr milliseconds soon{400};

TEST_P(dataflow_suite, the_watchdog_names_a_policy_that_never_forwards) {
  wiring w(m());
  const auto hub = w.add_router(
      1, 1, {"never", [](const message&, endpoint, std::span<const endpoint>, endpoint_list&) {}},
      "hub");
  const auto up = w.connect(w.add_endpoint(0, "host"), hub);
  const auto down = w.connect(hub, w.add_endpoint(last(), "worker"), small);
  const auto sent = values(100, 1);
  const auto text = failure_of<rank_error>(
      w,
      [&](flow& f) {
        if (f.id() == 0) f[up].send(std::span(sent));
        if (f.id() == last() && last() != 0) f[down].receive().get();
      },
      soon);
  // The rank that waits names it, whichever that is; another process may have only heard of it.
  if (!m().all_here() && text.find("stopped because") != std::string::npos) return;
  expect_says(text, "endpoint 'host'");
  expect_says(text, "400 bytes queued on 'host -> hub'");
  expect_says(text, "the policy of router 'hub' (never) names no destination");
}

TEST_P(dataflow_suite, the_watchdog_names_a_receiver_that_gives_nothing_back) {
  if (p() < 2) GTEST_SKIP() << "needs two ranks";
  wiring w(m());
  const auto wire = w.connect(w.add_endpoint(0, "host"), w.add_endpoint(last(), "worker"), small);
  const auto sent = values(256 * 3, 1);
  const auto text = failure_of<rank_error>(
      w,
      [&](flow& f) {
        if (f.id() == 0) f[wire].send(std::span(sent)).wait();
        // Takes, and keeps.
        for (int i = 0; f.id() == last() && i < 2; ++i)
          EXPECT_FALSE(f[wire].receive().get().empty());
      },
      soon);
  if (!m().all_here() && text.find("stopped because") != std::string::npos) return;
  expect_says(text, "endpoint 'host' waits for a message to leave on 'host -> worker'");
  expect_says(text,
              "1 message of 1024 bytes queued on 'host -> worker', no buffer free at 'worker'");
}

TEST_P(dataflow_suite, the_watchdog_names_receivers_that_break_their_promise) {
  if (p() < 2) GTEST_SKIP() << "needs two ranks";
  wiring w(m());
  const auto hub = w.add_router(1, 2, any_device(), "hub");
  const auto up = w.connect(w.add_endpoint(0, "host"), hub);
  std::vector<link_id> down;
  for (const char* name : {"one", "other"})
    down.push_back(w.connect(hub, w.add_endpoint(last(), name), {small.packet, 4, true}));
  const auto sent = values(256 * 8, 1);
  const auto text = failure_of<rank_error>(
      w,
      [&](flow& f) {
        if (f.id() == 0) f[up].send(std::span(sent)).wait();
        // Takes, and keeps.
        for (int i = 0; f.id() == last() && i < 2; ++i)
          for (const auto& in : down) EXPECT_FALSE(f[in].receive().get().empty());
      },
      soon);
  if (!m().all_here() && text.find("stopped because") != std::string::npos) return;
  expect_says(text,
              "4096 bytes queued on 'host -> hub', too little has come back from 'one' 'other'");
}

TEST_P(dataflow_suite, the_watchdog_names_who_waits_for_a_silent_sender) {
  if (p() < 2) GTEST_SKIP() << "needs two ranks";
  wiring w(m());
  const auto there = w.connect(w.add_endpoint(0, "host"), w.add_endpoint(last(), "worker"), small);
  const auto back =
      w.connect(w.add_endpoint(last(), "worker's other"), w.add_endpoint(0, "host's"));
  const auto text = failure_of<rank_error>(
      w,
      [&](flow& f) {
        if (f.id() == 0) f[back].receive().get();
        if (f.id() == last()) f[there].receive().get();
      },
      soon);
  if (!m().all_here() && text.find("stopped because") != std::string::npos) return;
  expect_says(text, "waits to receive on '");
}

TEST_P(dataflow_suite, a_rank_that_throws_ends_the_run_for_all) {
  wiring w(m());
  const auto x = join_all(w, p(), ring(), small);
  const auto text = failure_of<std::runtime_error>(w, [&](flow& f) {
    if (f.id() == last()) throw std::runtime_error("the worker's own mistake");
    f[x.down[static_cast<std::size_t>(f.id())]].receive().get();
  });
  expect_says(text, "the worker's own mistake");
  run(w, [](flow&) {});  // the machine and the wiring stay usable
}

TEST_P(dataflow_suite, a_policy_must_choose_an_output) {
  wiring w(m());
  const auto host = w.add_endpoint(0, "host"), stranger = w.add_endpoint(0, "stranger");
  const auto hub = w.add_router(
      1, 1,
      {"astray", [stranger](const message&, endpoint, std::span<const endpoint>,
                            endpoint_list& possible) { possible.push_back(stranger); }},
      "hub");
  const auto up = w.connect(host, hub);
  w.connect(hub, w.add_endpoint(last(), "worker"), small);
  w.connect(stranger, host);
  const auto sent = values(1, 1);
  const auto text = failure_of<usage_error>(w, [&](flow& f) {
    if (f.id() == 0) f[up].send(std::span(sent));
    if (f.id() != 0) f.rank().barrier();
  });
  expect_says(text,
              "dataflow: the policy of router 'hub' (astray) chose 'stranger', which is no output "
              "of it");
}

TEST_P(dataflow_suite, mistakes_on_links_are_refused) {
  wiring w(m());
  const auto wire = w.connect(w.add_endpoint(0, "from"), w.add_endpoint(0, "to"), {64, 2});
  const auto hub = w.add_router(1, 1, peer_to_peer(), "hub");
  const auto up = w.connect(w.add_endpoint(0, "caller"), hub);
  w.connect(hub, w.add_endpoint(0, "called"), small);
  struct wide {
    std::byte bytes[65];
  };
  const auto refused = [&](const std::function<void(flow&)>& act) {
    return failure_of<usage_error>(w, [&](flow& f) {
      if (f.id() == 0) act(f);
      if (f.id() != 0) f.rank().barrier();
    });
  };
  const std::vector<std::uint32_t> one(1);
  expect_says(refused([&](flow& f) {
                f[wire].shutdown();
                f[wire].send(std::span(one));
              }),
              "dataflow: send on 'from -> to' after its shutdown");
  expect_says(refused([&](flow& f) {
                const wide x{};
                f[wire].send(std::span(&x, 1));
              }),
              "dataflow: link 'from -> to': an element of 65 bytes does not fit a packet of 64");
  expect_says(refused([&](flow& f) { f[up].send(std::span(one)); }),
              "dataflow: a send through a peer-to-peer router names nobody (send_options::to)");
  expect_says(refused([&](flow& f) {
                f[wire].send(std::span(one));
                const auto s = f[wire].receive().get();
                f[wire].release(s);
                f[wire].release(s);
              }),
              "dataflow: a segment of 'from -> to' is released twice");
  expect_says(refused([&](flow& f) { f[wire].release({}); }),
              "dataflow: release of the end of a stream, which has no buffer");
  expect_says(refused([&](flow& f) {
                f[wire].on_receive([](const pending_segment&) {});
                static_cast<void>(f[wire].receive());
              }),
              "dataflow: receive on 'from -> to', which has a callback");
  expect_says(refused([&](flow& f) { static_cast<void>(f[up].receive()); }),
              "dataflow: link 'caller -> hub' does not end at an endpoint of rank 0");
  expect_says(refused([&](flow& f) { static_cast<void>(f[{7}]); }), "dataflow: no link 7 among 3");
  expect_says(refused([&](flow&) { static_cast<void>(send_future().moment()); }),
              "dataflow: moment() of a future that no send has made");
  if (p() < 2) return;
  expect_says(failure_of<usage_error>(w,
                                      [&](flow& f) {
                                        if (f.id() == 1) static_cast<void>(f[wire]);
                                        f.rank().barrier();
                                      }),
              "dataflow: link 'from -> to' has no end on rank 1");
}

}  // namespace
}  // namespace gossamer::dataflow
