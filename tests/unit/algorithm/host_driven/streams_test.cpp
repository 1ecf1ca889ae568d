// The same loop on GPUs that are not there (tests/fake_gpu): messages are taken in and packed in
// streams, which lag behind the host thread, so that what is reused too early shows. With
// GOSSAMER_TEST_PROCESSES each GPU is a process's, under `mpirun -n P`.
#include <mutex>

#include "fake_gpu/memory.hpp"
#include "fake_gpu/stream.hpp"
#include "unit/algorithm/host_driven/slow_lists.hpp"

namespace gossamer::testing_host_loop {
namespace {

using namespace testing_graphs;

/// Lists: slow_distances or slow_sums.
template <class Lists>
class lists_in_streams final : public Lists {
 public:
  lists_in_streams(const rank& r, const graph& g, const std::vector<std::int64_t>& first,
                   message_route route, std::int64_t source)
      : Lists(r, g, first, route, source),
        taking_(r.dev(), stream::priority::high),
        packing_(r.dev()),
        turned_(r.dev().ordinal) {}

  // In the order of the stream that takes: all that came before is in it.
  void begin() override {
    in_turn([this] { this->begin_now(); });
  }
  void turn(bool give) override {
    in_turn([this, give] { this->turn_now(give); });
  }
  void open_window(double threshold, bool give) override {
    in_turn([=, this] { this->open_now(threshold, give); });
  }
  bool shown(list_snapshot& into) override {
    if (!turned_.done()) return false;
    const std::lock_guard locked(mutex_);
    return Lists::shown(into);
  }
  bool worked() override {
    const std::lock_guard locked(mutex_);
    return Lists::worked();
  }
  void take(std::span<const std::byte> bytes) override {
    later(taking_, [this, bytes] { Lists::take({reached(bytes.data()), bytes.size()}); });
  }
  void pack(int to, std::uint64_t first, std::uint64_t n, std::span<std::byte> into) override {
    later(packing_, [=, this] { Lists::pack(to, first, n, {reached(into.data()), into.size()}); });
  }
  void grant(std::uint64_t first, std::uint64_t n, std::span<std::byte> into) override {
    later(packing_, [=, this] { Lists::grant(first, n, {reached(into.data()), into.size()}); });
  }
  void work_off(std::span<const std::byte> bytes) override {
    later(taking_, [this, bytes] { Lists::work_off({reached(bytes.data()), bytes.size()}); });
  }
  [[nodiscard]] const stream* taking() const override { return &taking_; }
  [[nodiscard]] const stream* packing() const override { return &packing_; }

 private:
  static std::byte* reached(const std::byte* at) {
    return static_cast<std::byte*>(fake_gpu::reach(const_cast<std::byte*>(at)));
  }
  void later(const stream& on, std::function<void()> work) {
    static_cast<fake_gpu::queue*>(on.native())->push([this, work = std::move(work)] {
      const std::lock_guard locked(mutex_);
      work();
    });
  }
  void in_turn(std::function<void()> work) {
    later(taking_, std::move(work));
    turned_.record(taking_);
  }

  std::mutex mutex_;
  stream taking_, packing_;
  event turned_;
};

class HostLoopInStreams : public on_machine_and_route {};

TEST_P(HostLoopInStreams, AgreesWithDijkstra) {
  agree_with_dijkstra<lists_in_streams<slow_distances>>(24, 40);
}

TEST_P(HostLoopInStreams, BackPressureHoldsMessagesBack) {
  graph g = undirected("random", 400, random_arcs(400, 1600, 3));
  set_weights<std::int32_t>(g, 90);
  options_.packet = 8;
  options_.delta = 1000;
  const auto found = search<lists_in_streams<slow_distances>>(machine_, g, 5, options_);
  ASSERT_EQ(found.distances(), serial_distances<std::uint32_t>(g, 5));
  EXPECT_GT(found.work.sent, 200);
}

TEST_P(HostLoopInStreams, SumsAreNeitherLostNorDoubled) {
  keep_sums<lists_in_streams<slow_sums>>(24);
}

#ifdef GOSSAMER_TEST_PROCESSES
const auto machines = ::testing::Values("mpi:cuda");
#else
TEST_P(HostLoopInStreams, WhatIsStolenCountsOnce) {
  options_.steal = true;
  agree_with_dijkstra<lists_in_streams<slow_distances>>(24, 40);
  keep_sums<lists_in_streams<slow_sums>>(24);
  EXPECT_GT(stolen_, 0);
}

const auto machines = ::testing::Values("cuda:0-1", "cuda:0*3");
#endif

INSTANTIATE_TEST_SUITE_P(Machines, HostLoopInStreams,
                         ::testing::Combine(machines, ::testing::Values(message_route::direct,
                                                                        message_route::ring)));

}  // namespace
}  // namespace gossamer::testing_host_loop
