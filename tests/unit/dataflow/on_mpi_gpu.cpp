// The suite on the stand-ins of tests/fake_gpu, under `mpirun -n P`: the way of GPU ranks through
// streams and events, on a host without a GPU. Their memory is open, since tests look into it.
#include "unit/dataflow/dataflow_suite.hpp"

namespace gossamer::dataflow {

INSTANTIATE_TEST_SUITE_P(mpi_gpu, dataflow_suite, ::testing::Values("mpi:cuda"),
                         spec_name<std::string>);

// Data that a stream makes, and buffers that a stream reads, are waited for by events.
TEST_P(dataflow_suite, streams_order_sends_and_returns) {
  wiring w(m());
  const auto wire = w.connect(w.add_endpoint(0, "from"), w.add_endpoint(last(), "to"), {1024, 2});
  constexpr std::size_t n = 256 * 20;
  run(w, [&](flow& f) {
    const stream work(f.rank().dev());
    std::vector<std::uint32_t> received;
    if (f.id() == last())
      f[wire].on_receive([&](const pending_segment& s) {
        const auto part = s.as<std::uint32_t>();
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
