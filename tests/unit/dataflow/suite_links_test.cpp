// Links: segments, buffers, order, futures, callbacks, ends of streams.
#include <algorithm>

#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {
namespace {

constexpr std::size_t packet = 1024;  // bytes; 256 elements

TEST_P(dataflow_suite, messages_of_any_size_arrive_whole) {
  const std::vector<std::size_t> sizes = {0, 1, 255, 256, 257, 2563, 40000};
  for (const int buffers : {1, 2, 3, 64}) {
    wiring w(m());
    const auto from = w.add_endpoint(0, "from"), to = w.add_endpoint(last(), "to");
    const auto wire = w.connect(from, to, {packet, buffers});
    std::vector<std::vector<std::uint32_t>> sent;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      sent.push_back(values(sizes[i], static_cast<std::uint32_t>(i)));
    run(w, [&](flow& f) {
      if (f.id() == 0) {
        for (const auto& v : sent) f[wire].send(std::span(v));
        f[wire].shutdown();
      }
      if (f.id() != last()) return;
      const auto got = receive_all(f[wire]);
      EXPECT_EQ(got.messages, sent);
      for (const auto& s : got.segments) EXPECT_LE(s.bytes, packet);
      EXPECT_TRUE(f[wire].receive().get().empty()) << "the end stays the end";
    });
  }
}

TEST_P(dataflow_suite, packets_and_buffers_are_chosen_when_not_given) {
  wiring w(m());
  const auto wire = w.connect(w.add_endpoint(0, "from"), w.add_endpoint(last(), "to"));
  EXPECT_GE(lane_packet(m(), 0, last()), std::size_t{64} << 10);
  EXPECT_LE(lane_packet(m(), 0, last()), std::size_t{8} << 20);
  const auto sent = values((3u << 20) / 4 + 5, 7);
  run(w, [&](flow& f) {
    if (f.id() == 0) {
      f[wire].send(std::span(sent));
      f[wire].shutdown();
    }
    if (f.id() != last()) return;
    EXPECT_EQ(receive_all(f[wire]).messages.at(0), sent);
  });
}

TEST_P(dataflow_suite, a_sender_fills_no_buffer_that_is_held) {
  if (p() < 2) GTEST_SKIP() << "needs two ranks";
  wiring w(m());
  const auto wire = w.connect(w.device(0), w.device(last()), {packet, 2});
  const auto sent = values(256 * 5, 3);
  run(w, [&](flow& f) {
    if (f.id() == 0) f[wire].send(std::span(sent)).wait();
    if (f.id() != last()) return;
    auto in = f[wire];
    const auto first = in.receive().get(), second = in.receive().get();
    // Both buffers are held: however long one looks, nothing further can come.
    for (int i = 0; i < 200; ++i) {
      f.rank().progress();  // in virtual time: on to whatever happens next
      f.progress();
      ASSERT_FALSE(in.receive().ready());
    }
    EXPECT_EQ(held(first)[0], sent[0]);
    EXPECT_EQ(held(second)[0], sent[256]);
    in.release(second);  // out of order: held back until the first is
    in.release(first);
    for (int i = 2; i < 5; ++i) {
      const auto s = in.receive().get();
      EXPECT_EQ(s.what().offset, static_cast<std::uint64_t>(i) * packet);
      EXPECT_EQ(held(s)[255], sent[static_cast<std::size_t>(i) * 256 + 255]);
      in.release(s);
    }
  });
}

// Head-of-line blocking: the counter takes the next buffer that is free, not the last.
TEST_P(dataflow_suite, a_counter_overtakes_a_large_message) {
  for (const int buffers : {2, 3}) {
    wiring w(m());
    const auto wire =
        w.connect(w.add_endpoint(0, "from"), w.add_endpoint(last(), "to"), {packet, buffers});
    const auto large = values(256 * 1000, 1), counter = values(1, 2);
    run(w, [&](flow& f) {
      if (f.id() == 0) {
        f[wire].send(std::span(large));
        f[wire].send(std::span(counter), {.tag = 99});
        f[wire].shutdown();
      }
      if (f.id() != last()) return;
      const auto got = receive_all(f[wire]);
      EXPECT_EQ(got.messages.at(0), large);
      EXPECT_EQ(got.messages.at(1), counter);
      const auto at = std::find_if(got.segments.begin(), got.segments.end(),
                                   [](const message& s) { return s.tag == 99; });
      // Behind those that filled the buffers, and the one whose turn it was.
      EXPECT_LE(at - got.segments.begin(), buffers + 1);
    });
  }
}

TEST_P(dataflow_suite, callbacks_are_called_while_a_rank_waits) {
  wiring w(m());
  const auto host = w.add_endpoint(0, "host"), worker = w.add_endpoint(last(), "worker");
  const auto there = w.connect(host, worker, {packet, 2});
  const auto back = w.connect(worker, host, {packet, 2});
  const auto sent = values(5000, 11);
  run(w, [&](flow& f) {
    std::vector<std::uint32_t> returned(sent.size());
    std::size_t elements = 0;
    if (f.id() == last())
      f[there].on_receive([&](const pending_segment& s) {
        auto part = held(s);
        for (auto& x : part) ++x;
        f[back].send(std::span(part), {.tag = s.what().offset}).wait();
      });
    if (f.id() == 0) {
      f[back].on_receive([&](const pending_segment& s) {
        const auto part = held(s);
        std::copy(part.begin(), part.end(),
                  returned.begin() + static_cast<std::ptrdiff_t>(s.what().tag / 4));
        elements += part.size();
      });
      f[there].send(std::span(sent));
      f[there].shutdown();
    }
    // The worker's stream back ends when the one to it has.
    if (f.id() == last() && f.id() != 0) {
      f.serve();
      f[back].shutdown();
    }
    if (f.id() == 0 && last() == 0)
      while (elements < sent.size()) {
        f.rank().progress();
        f.progress();
      }
    f.finish();
    if (f.id() == 0) {
      ASSERT_EQ(elements, sent.size());
      for (std::size_t i = 0; i < sent.size(); ++i) ASSERT_EQ(returned[i], sent[i] + 1);
    }
  });
}

TEST_P(dataflow_suite, futures_tell_when_a_message_has_left) {
  if (p() < 2) GTEST_SKIP() << "needs two ranks";
  wiring w(m());
  const auto wire = w.connect(w.device(0), w.device(last()), {packet, 2});
  const auto go = w.connect(w.add_endpoint(0, "starter"), w.add_endpoint(last(), "started"));
  const auto sent = values(256 * 4, 5);
  run(w, [&](flow& f) {
    if (f.id() == 0) {
      const auto future = f[wire].send(std::span(sent));
      EXPECT_FALSE(future.done()) << "two of four segments have no buffer";
      auto moment = future.moment();
      EXPECT_FALSE(moment.recorded());
      f[go].shutdown();
    }
    if (f.id() == last()) {
      EXPECT_TRUE(f[go].receive().get().empty());
      for (int i = 0; i < 2; ++i) f[wire].release(f[wire].receive().get());
    }
  });
}

TEST_P(dataflow_suite, moments_are_recorded_when_a_message_has_left) {
  wiring w(m());
  const auto wire = w.connect(w.add_endpoint(0, "from"), w.add_endpoint(last(), "to"), {packet, 2});
  const auto sent = values(256 * 40, 5);
  run(w, [&](flow& f) {
    if (f.id() == last())
      f[wire].on_receive([](const pending_segment& s) { EXPECT_FALSE(s.empty()); });
    if (f.id() != 0) return;
    const auto future = f[wire].send(std::span(sent));
    const auto early = future.moment();
    future.wait();
    EXPECT_TRUE(future.done());
    EXPECT_TRUE(early.recorded());
    EXPECT_TRUE(early.done());
    future.moment().wait(std::chrono::seconds(10));
    EXPECT_TRUE(send_future().done());
  });
}

// More messages than a queue takes: send() waits for room, and order within each is kept.
TEST_P(dataflow_suite, queues_are_bounded) {
  wiring w(m());
  const auto wire = w.connect(w.add_endpoint(0, "from"), w.add_endpoint(last(), "to"), {packet, 2});
  const auto sent = values(300, 5);
  run(w, [&](flow& f) {
    std::size_t count = 0;
    if (f.id() == last())
      f[wire].on_receive([&](const pending_segment& s) {
        ++count;
        EXPECT_EQ(held(s).size(), 3u);
      });
    if (f.id() == 0)
      for (std::size_t i = 0; i < 100; ++i) f[wire].send(std::span(sent).subspan(3 * i, 3));
    f.finish();
    EXPECT_EQ(count, f.id() == last() ? 100u : 0u);
  });
}

}  // namespace
}  // namespace gossamer::dataflow
