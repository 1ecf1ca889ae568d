// What the suite holds GPU ranks to beyond: their way through streams and events.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

// Data that a stream makes, and buffers that a stream reads, are waited for by events.
TEST_P(dataflow_suite, streams_order_sends_and_returns) {
  if (gpus() < p()) GTEST_SKIP() << "needs GPU ranks alone";
  wiring w(m());
  const auto wire = w.connect(w.add_endpoint(0, "from"), w.add_endpoint(last(), "to"), {1024, 2});
  constexpr std::size_t n = 256 * 20;
  run(w, [&](flow& f) {
    const stream work(f.rank().dev());
    std::vector<std::uint32_t> received;
    if (f.id() == last())
      f[wire].on_receive([&](const pending_segment& s) {
        const auto part = held(s);
        received.insert(received.end(), part.begin(), part.end());
      });
    const buffer<std::uint32_t> made(memory_kind::device, f.rank().dev().ordinal, n);
    const auto source = values(n, 5);
    if (f.id() == 0) {
      copy_bytes(made.data(), source.data(), n * sizeof(std::uint32_t), work, copier::engine);
      f[wire].send(made.span(), {.after = &work}).wait();
    }
    f.finish();
    f.rank().synchronize(&work);
    EXPECT_EQ(received, f.id() == last() ? source : std::vector<std::uint32_t>());
  });
}

// Long copies leave beside the stream of their signals, from the host's memory in streams of the
// receivers' GPUs: all of a segment is there when it is received, segments of a message come in
// their order, and so do short messages between long ones.
TEST_P(dataflow_suite, long_copies_arrive_before_their_signals) {
  if (gpus() < p()) GTEST_SKIP() << "needs GPU ranks alone";
  constexpr std::size_t packet = std::size_t{1} << 20, n = 5 * packet / 4 + 37;
  wiring w(m());
  const auto from = w.add_endpoint(0, "from");
  std::vector<link_id> wires;
  for (int r = 0; r < p(); ++r)
    wires.push_back(w.connect(from, w.add_endpoint(r, "to" + std::to_string(r)), {packet, 2}));
  run(w, [&](flow& f) {
    std::vector<std::vector<std::uint32_t>> received(3);
    f[wires[static_cast<std::size_t>(f.id())]].on_receive([&](const pending_segment& s) {
      auto& message = received.at(s.what().number);
      EXPECT_EQ(s.what().offset, message.size() * sizeof(std::uint32_t));
      const auto part = held(s);
      message.insert(message.end(), part.begin(), part.end());
    });
    const auto long_one = values(n, 5), short_one = values(3, 8);
    const buffer<std::uint32_t> made(memory_kind::device, f.rank().dev().ordinal, n);
    const stream work(f.rank().dev());
    if (f.id() == 0) {
      copy_bytes(made.data(), long_one.data(), n * sizeof(std::uint32_t), work, copier::engine);
      for (const link_id wire : wires) {
        f[wire].send(std::span<const std::uint32_t>(long_one));
        f[wire].send(std::span<const std::uint32_t>(short_one));
        f[wire].send(made.span(), {.after = &work});
      }
    }
    f.finish();
    EXPECT_EQ(received[0], long_one);
    EXPECT_EQ(received[1], short_one);
    EXPECT_EQ(received[2], long_one);
    f.rank().synchronize(&work);
  });
}

TEST_P(dataflow_suite, reductions_refuse_gpus) {
  wiring w(m());
  const auto parents = reduction_parents(m(), 0);
  std::vector<endpoint> ends;
  for (int r = 0; r < p(); ++r) ends.push_back(w.device(r));
  const auto x = join_all(w, p(), reduction_policy(ends, parents), {1024, 2});
  expect_says(failure_of<usage_error>(w,
                                      [&](flow& f) {
                                        const auto me = static_cast<std::size_t>(f.id());
                                        std::vector<int> data(1);
                                        reduce_through(f, x.up[me], x.down[me], parents,
                                                       std::span(data), reduction::sum);
                                      }),
              "reduce_through: merges on CPU ranks only");
}

}  // namespace gossamer::dataflow
