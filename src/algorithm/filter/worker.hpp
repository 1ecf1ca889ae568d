// worker: filter's part on every rank: takes segments as they come, keeps what the predicate says,
// and hands it on, to the host or to its place on this rank.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithm/filter/gpu.hpp"
#include "algorithm/filter/graph.hpp"
#include "algorithm/filter/kept_blocks.hpp"
#include "gossamer/dataflow/flow.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::filter_detail {

using dataflow::flow;
using dataflow::pending_segment;

/// Elements between two looks at the links: some 10 us, so that rank 0 keeps the others fed.
inline constexpr std::size_t piece = 16384;
/// The same on a modelled machine, for the part of a segment's time that slowdown adds.
inline constexpr int modelled_pieces = 16;

/// Seconds that the calling thread has computed.
inline double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Who decides: a function on CPU ranks, a kernel on each GPU rank.
template <class T>
struct deciders {
  filter_function<T> function;
  std::vector<std::unique_ptr<gpu_compactor<T>>> kernels = {};  ///< [ranks]
  std::vector<std::int64_t> room = {};  ///< [ranks] bytes for results that stay on a GPU
  std::string text = "function";        ///< of what is kept: what processes compare
};

/// Wherever they lie.
template <class T>
void append(gossamer::rank& r, std::span<const T> from, std::vector<T>& to) {
  if (!r.dev().is_cuda()) {
    to.insert(to.end(), from.begin(), from.end());
    return;
  }
  const std::size_t before = to.size();
  to.resize(before + from.size());
  copy_bytes(to.data() + before, from.data(), from.size_bytes());
}

template <class T>
class worker {
 public:
  worker(flow& f, const filter_graph& graph, const deciders<T>& keep, double slowdown)
      : flow_(f),
        graph_(graph),
        keep_(keep.function),
        kernel_(keep.kernels.empty() ? nullptr
                                     : keep.kernels[static_cast<std::size_t>(f.id())].get()),
        slowdown_(slowdown),
        blocks_(f.rank().dev(),
                keep.room.empty() ? 0 : keep.room[static_cast<std::size_t>(f.id())]) {
    for (auto& s : staging_) s = f.rank().template scratch<T>(graph.packet / sizeof(T));
  }

  /// Until the stream of segments ends.
  void run(double begin, filter_part<T>& part) {
    const auto me = static_cast<std::size_t>(flow_.id());
    auto in = flow_[graph_.down[me]];
    for (auto segment = in.receive().get(); segment; segment = in.receive().get()) {
      const auto at = segment.what().tag + segment.what().offset;
      const auto kept = filter_segment(segment);
      in.release(segment);
      hand_on(kept, at, part);
    }
    share.ended = flow_.rank().clock() - begin;
    part.blocks = blocks_.take();
    if (!graph_.out.empty()) flow_[graph_.out[me]].shutdown();
  }

  filter_share share;

 private:
  [[nodiscard]] bool stays() const { return kernel_ != nullptr && graph_.out.empty(); }
  std::span<const T> filter_segment(const pending_segment& segment) {
    sent_[turn_].wait();  // what was staged there before has left
    const auto in = segment.as<T>();
    auto out = stays() ? blocks_.room_for(in.size()) : std::span<T>();
    in_block_ = !out.empty();
    if (!in_block_) out = staging_[turn_];
    const trace_span traced(flow_.rank(), "predicate");
    const double begin = flow_.rank().clock();
    const std::size_t kept =
        kernel_ == nullptr ? by_function(in, out, begin) : by_kernel(in, out, begin);
    ++share.segments;
    share.elements += static_cast<std::int64_t>(in.size());
    share.matched += static_cast<std::int64_t>(kept);
    share.busy += flow_.rank().clock() - begin;
    return out.first(kept);
  }

  std::size_t by_function(std::span<const T> in, std::span<T> out, double begin) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < in.size(); i += piece) {
      const auto part = in.subspan(i, std::min(piece, in.size() - i));
      piece_began_ = processor_time();
      const std::size_t more = keep_(part, out.subspan(kept));
      require(more <= part.size(), "filter: the function keeps " + std::to_string(more) + " of " +
                                       std::to_string(part.size()) + " elements");
      kept += more;
      take_time(begin, i + part.size() == in.size() ? static_cast<double>(in.size() + kept) : 0,
                in.size());
    }
    return kept;
  }

  std::size_t by_kernel(std::span<const T> in, std::span<T> out, double begin) {
    auto& r = flow_.rank();
    kernel_->compact(in, out, r.stream());
    r.synchronize();
    const double end = begin + slowdown_ * (r.clock() - begin);
    while (r.clock() < end) flow_.progress();
    flow_.progress();
    return kernel_->kept();
  }

  /// Makes the work since `begin` last as long as it should, looking at the links meanwhile.
  /// `moved`: at a segment's end, elements read and written; a modelled machine is charged for it.
  void take_time(double begin, double moved, std::size_t elements) {
    auto& r = flow_.rank();
    if (r.dev().model != nullptr) {
      if (moved == 0) return;
      r.charge(moved * sizeof(T), static_cast<double>(elements));
      const double more = (slowdown_ - 1) * (r.clock() - begin);
      for (int i = 0; i < modelled_pieces && more > 0; ++i) {
        flow_.progress();
        r.charge(more / modelled_pieces);
      }
    } else if (slowdown_ > 1) {
      // By the thread's own time: what a core gives to others must not be multiplied, too.
      const double end = piece_began_ + slowdown_ * (processor_time() - piece_began_);
      while (processor_time() < end) flow_.progress();
    }
    flow_.progress();
  }

  void hand_on(std::span<const T> kept, std::uint64_t at, filter_part<T>& part) {
    if (kept.empty()) return;
    if (graph_.out.empty()) {
      const auto begin = in_block_ ? blocks_.keep(kept.size()) : part.values.size();
      part.pieces.push_back(
          {static_cast<std::int64_t>(at / sizeof(T)), static_cast<std::int64_t>(begin),
           static_cast<std::int64_t>(kept.size()), in_block_ ? blocks_.last() : -1});
      if (!in_block_) append(flow_.rank(), kept, part.values);
      return;
    }
    auto out = flow_[graph_.out[static_cast<std::size_t>(flow_.id())]];
    sent_[turn_] = out.send(kept, {.tag = at});
    turn_ = 1 - turn_;
  }

  flow& flow_;
  const filter_graph& graph_;
  const filter_function<T>& keep_;
  gpu_compactor<T>* kernel_;  ///< of a GPU rank
  const double slowdown_;
  std::span<T> staging_[2];
  dataflow::send_future sent_[2];
  int turn_ = 0;
  double piece_began_ = 0;
  kept_blocks<T> blocks_;  ///< of a GPU rank whose results stay
  bool in_block_ = false;  ///< the last segment's
};

}  // namespace gossamer::filter_detail
