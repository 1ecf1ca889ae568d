// What every reader is given: the name for messages, the options, the memory limit and the hooks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/base/configuration.hpp"
#include "gossamer/graph/io.hpp"
#include "graph/parallel.hpp"
#include "graph/saturating.hpp"

namespace gossamer::io {

using detail::sat_add, detail::sat_mul;

/// Bytes per id for n vertices: 4 below 2^31, else 8 (configuration::narrow_ids).
inline int id_bytes(std::int64_t n) {
  return configuration::narrow_ids(n) ? 4 : 8;
}

class read_context {
 public:
  read_context(std::string path, const read_options& options);

  std::string path;      ///< for messages
  bool on_disk = false;  ///< `path` is a graph's file, beside which others may lie
  std::string name;      ///< file name without folder
  const read_options& options;
  build_options build;  ///< options.build with threads settled
  int threads = 1;
  std::int64_t limit = 0;
  std::string limit_source;
  std::int64_t window_bytes = 0;  ///< that decompressing takes; every plan has them

  /// Shows the plan to the caller; capacity_error with the plan when it is over the limit.
  void settle(const read_plan& plan) const;
  /// The same for a guess from the file size: refused only when half of it is over the limit, since
  /// a guess may be wrong and growth is checked again while reading.
  void settle_estimate(const read_plan& plan) const;
  /// Refuses without telling the hook; for checks while data grows.
  void refuse_if_over(const read_plan& plan) const;
  /// The plan of edges -> CSR. `input_edges` counts edges as held in chunks; `weight_bytes` 0|4|8.
  [[nodiscard]] read_plan edge_plan(std::int64_t vertices, std::int64_t input_edges,
                                    int weight_bytes, bool estimated) const;
  /// The plan of arrays taken from a binary file of `held` bytes in memory (0 when mapped);
  /// `symmetric`: the file says that they are.
  [[nodiscard]] read_plan csr_plan(std::int64_t vertices, std::int64_t arcs, int weight_bytes,
                                   std::int64_t held, bool symmetric = false) const;
  /// True when rows that come whole have to go through the builder once more.
  [[nodiscard]] bool rebuilds() const {
    return build.symmetrize || build.deduplicate || build.remove_self_loops;
  }
  /// Reports progress and throws cancelled_error when a stop was asked for.
  void tick(std::int64_t bytes, std::int64_t total, std::int64_t edges) const;
  /// For sweeps over what was read: cancelled_error when a stop was asked for.
  [[nodiscard]] detail::stop_watch watch() const { return {options.stop, path.c_str()}; }
};

}  // namespace gossamer::io
