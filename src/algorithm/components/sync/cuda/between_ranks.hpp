// A rank's arcs to other ranks' vertices, listed once, and what joins them in a run.
#pragma once

#include <vector>

#include "algorithm/components/gpu.hpp"
#include "algorithm/components/sync/cuda/between.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::components_detail::cuda {

/// Made while the rank's GPU is current.
template <class Id>
class between_ranks {
 public:
  between_ranks(const device& on, const device_rows<Id>& rows,
                const std::vector<std::int64_t>& first)
      : room_(few_between(rows.rows)),
        arcs_(make_native_buffer<arc_between<Id>>(on, static_cast<std::size_t>(room_))),
        first_(make_native_buffer<std::int64_t>(on, first.size())) {
    copy_bytes(first_.data(), first.data(), first.size() * sizeof(std::int64_t));
    list(on, rows);
  }

  [[nodiscard]] bool few() const { return count_ <= room_; }

  /// Joins what all ranks' own labels, compressed, and arcs between them say. finish_owned is left.
  void join(rank& r, const launch_site& on, const window<Id>& all, const signal_set& met) const {
    const trace_span traced(r, "merge", trace_class::exchange);
    const owned_labels<Id> everywhere{reinterpret_cast<Id**>(all.table().device_peers),
                                      first_.data(), r.id()};
    meet(r, met[0]);
    hook_between(on, arcs_.data(), count_, everywhere);
    meet(r, met[1]);
    settle_between(on, arcs_.data(), count_, everywhere);
  }

 private:
  void list(const device& on, const device_rows<Id>& rows) {
    const buffer<unsigned long long> found = make_native_buffer<unsigned long long>(on, 1);
    unsigned long long count = 0;
    copy_bytes(found.data(), &count, sizeof count);
    const stream queue(on);
    list_between(launch_site{queue.native(), on.units}, rows, room_, arcs_.data(), found.data());
    event done(on.ordinal);
    done.record(queue);
    done.block(stream());  // this thread waits, with a deadline
    copy_bytes(&count, found.data(), sizeof count);
    count_ = static_cast<std::int64_t>(count);
  }

  /// Streams of all ranks come to this point.
  static void meet(rank& r, const signal& here) {
    for (int peer = 0; peer < r.size(); ++peer)
      if (peer != r.id()) r.raise(here, peer, 1, signal_op::add);
    r.wait_signal(here, static_cast<std::uint64_t>(r.size() - 1));
  }

  std::int64_t room_, count_ = 0;
  buffer<arc_between<Id>> arcs_;
  buffer<std::int64_t> first_;
};

/// Of a rank's GPU's memory.
inline std::int64_t between_bytes(std::int64_t rows, int ranks, int id_width) {
  return few_between(rows) * 2 * id_width +
         static_cast<std::int64_t>((ranks + 1) * sizeof(std::int64_t) + sizeof(std::uint64_t));
}

}  // namespace gossamer::components_detail::cuda
