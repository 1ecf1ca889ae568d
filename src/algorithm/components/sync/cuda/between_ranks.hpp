// A rank's arcs to other ranks' vertices, listed once, and what joins them in a run.
#pragma once

#include <vector>

#include "algorithm/components/gpu.hpp"
#include "algorithm/components/sync/cuda/between.hpp"
#include "algorithm/driver/array_list.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::components_detail::cuda {

template <class Id>
struct between_arrays {
  buffer<arc_between<Id>> arcs;
  buffer<std::int64_t> first;  // [ranks + 1] row ranges
  buffer<unsigned long long> found;

  void list(algorithm_detail::array_list& of, std::int64_t rows, int ranks) {
    of.add(arcs, few_between(rows));
    of.add(first, ranks + 1);
    of.add(found, 1);
  }
};

/// Made while the rank's GPU is current.
template <class Id>
class between_ranks {
 public:
  between_ranks(const device& on, const device_rows<Id>& rows,
                const std::vector<std::int64_t>& first)
      : room_(few_between(rows.rows)) {
    algorithm_detail::array_list taken(on);
    arrays_.list(taken, rows.rows, static_cast<int>(first.size()) - 1);
    copy_bytes(arrays_.first.data(), first.data(), first.size() * sizeof(std::int64_t));
    list(on, rows);
  }

  [[nodiscard]] bool few() const { return count_ <= room_; }

  /// Joins what all ranks' own labels, compressed, and arcs between them say. finish_owned is left.
  void join(rank& r, const launch_site& on, const window<Id>& all, const signal_set& met) const {
    const trace_span traced(r, "merge", trace_class::exchange);
    const owned_labels<Id> everywhere{reinterpret_cast<Id**>(all.table().device_peers),
                                      arrays_.first.data(), r.id()};
    meet(r, met[0]);
    hook_between(on, arrays_.arcs.data(), count_, everywhere);
    meet(r, met[1]);
    settle_between(on, arrays_.arcs.data(), count_, everywhere);
  }

 private:
  void list(const device& on, const device_rows<Id>& rows) {
    const buffer<unsigned long long>& found = arrays_.found;
    unsigned long long count = 0;
    copy_bytes(found.data(), &count, sizeof count);
    const stream queue(on);
    list_between(launch_site{queue.native(), on.units}, rows, room_, arrays_.arcs.data(),
                 found.data());
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
  between_arrays<Id> arrays_;
};

}  // namespace gossamer::components_detail::cuda
