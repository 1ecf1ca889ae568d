// How the result of paper A's search comes to the host's memory (bfs_options::results).
//
//   serial      The paper's way, and its open problem: when the search has ended, Label goes to the
//               host as 8 bytes a vertex from one GPU after the other, in the same time on any
//               number of them.
//   slices      At the end too, but all ranks at the same time, each by its own way to the host,
//               with depths: 8 bytes a vertex (12).
//   overlapped  Each level's finds (finds.hpp) leave for the host while the next level is gathered,
//               behind its queues, from all GPUs at the same time: 4 bytes a reached vertex instead
//               of 8 a vertex, and little of it after the last level. The host puts every label at
//               its place, ascending; the level that it came in is the depth, which is not sent.
//
// Labels are as wide as the graph's ids, and as the paper's 8 bytes with serial, unless
// bfs_options::label_bytes says otherwise.
//
// The host's arrays are taken with the search. Both ways go through windows in host memory. These
// are pinned on GPUs; on modelled machines they lie over the link that all nodes share, if they do.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class delivery {
 public:
  delivery(const placed_graph& g, int rank, int label_bytes);
  virtual ~delivery() = default;
  delivery(const delivery&) = delete;
  delivery& operator=(const delivery&) = delete;

  /// Collective, inside a run, not timed.
  virtual void begin(rank& r, std::int64_t source_local) = 0;
  /// Where the level's last kernel writes what it finds; nullptr: nowhere.
  [[nodiscard]] virtual std::uint32_t* room() { return nullptr; }
  /// That kernel has found `n` rows, of this depth.
  virtual void found(std::int64_t n, std::int32_t depth) {
    static_cast<void>(n), static_cast<void>(depth);
  }
  /// Links are free for what was found last.
  virtual void send(rank& r) { static_cast<void>(r); }
  /// After the last level: returns when labels are in the host's memory.
  virtual void finish(rank& r, vector_queue_steps<Id>& steps) = 0;
  /// The result on the host, in place of the one on the rank.
  [[nodiscard]] virtual bfs_result::part part(bfs_result::part on_rank) = 0;
  /// Since begin(); seconds are those of finish().
  [[nodiscard]] const traffic& sent() const noexcept { return sent_; }

 protected:
  const int rank_, label_bytes_;
  const std::int64_t rows_;
  const ownership_view owners_;
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  traffic sent_;
};

/// Of a label on its way, and in a modelled GPU's memory; ids have `id_width` bytes.
int label_bytes(const bfs_options& options, int id_width);

/// nullptr for "stay".
template <class Id>
std::unique_ptr<delivery<Id>> make_delivery(const placed_graph& g, int rank,
                                            const bfs_options& options);

/// Lists the windows of such a delivery.
void list_delivery(algorithm_detail::array_list& of, const planned_rank& p,
                   const bfs_options& options);

}  // namespace gossamer::bfs_detail
