// Edges that come as columns of a table, block by block: for readers outside of this library, which
// get the plan, the memory and the renumbering of those inside.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "gossamer/graph/io.hpp"

namespace gossamer {

/// Which columns of a table are the edges, counted from 0; weight -1: there is none.
struct edge_columns {
  std::int64_t source = 0, target = 1, weight = -1;
};

/// The columns called source and target, src and dst, from and to, or u and v, in any case of
/// letters; else the first two. The weight is called weight, w or value. input_error for a name of
/// an end without the other, for two columns of a name that is taken, and for fewer than two.
/// Those that `asked` names are taken instead, letter by letter; usage_error, with the names that
/// are there, for one that is not, for one end without the other, and for a column asked for twice.
edge_columns find_edge_columns(std::span<const std::string> names, const column_names& asked = {});

/// Whether a column of that name would be one of the ends.
bool is_usual_end(const std::string& name);

class edge_table {
 public:
  /// Plans with `edges` and, of ids that are names' numbers, what names take; and with
  /// `decoding_bytes` that the reader takes. capacity_error when that is far above the limit.
  /// `path` stands in messages, and its last part is the graph's name.
  edge_table(const std::string& path, std::int64_t edges, int weight_bytes,
             std::int64_t decoding_bytes, const read_options& o);
  ~edge_table();
  edge_table(const edge_table&) = delete;
  edge_table& operator=(const edge_table&) = delete;

  /// Edges sources[i] -> targets[i] with weights[i], which are empty when weight_bytes was 0.
  /// input_error, with the row counted from 0, for a negative id or a weight that is not finite.
  void append(std::span<const std::int64_t> sources, std::span<const std::int64_t> targets,
              std::span<const double> weights);
  /// The graph, once. Ids are those of `vertices` vertices, or any that are renumbered when it is
  /// 0.
  graph finish(std::int64_t vertices, const std::stop_token& stop = {});

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace gossamer
