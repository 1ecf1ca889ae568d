// Columns of a table into the sink that all readers fill, and the names of such columns.
#include "gossamer/graph/edge_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/io/edge_sink.hpp"
#include "graph/io/sparse_ids.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer {

edge_columns find_edge_columns(std::span<const std::string> names) {
  if (names.size() < 2)
    throw input_error("expected 2 columns or more (source, target, …), found " +
                      std::to_string(names.size()));
  std::vector<std::string> lower(names.begin(), names.end());
  for (auto& name : lower)
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  const auto place = [&](std::string_view name) -> std::int64_t {
    const auto at = std::find(lower.begin(), lower.end(), name);
    return at == lower.end() ? -1 : at - lower.begin();
  };
  constexpr std::array<std::array<std::string_view, 2>, 4> pairs{
      {{"source", "target"}, {"src", "dst"}, {"from", "to"}, {"u", "v"}}};
  edge_columns out;
  const auto both = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return place(pair[0]) >= 0 && place(pair[1]) >= 0;
  });
  if (both != pairs.end()) {
    out.source = place((*both)[0]);
    out.target = place((*both)[1]);
  } else {
    for (const auto& pair : pairs)
      for (const std::size_t side : {0, 1})
        if (place(pair[side]) >= 0)
          throw input_error("there is a column '" + std::string(pair[side]) + "' and none '" +
                            std::string(pair[1 - side]) + "'");
  }
  for (std::string_view name : {"weight", "w", "value"}) {
    const std::int64_t at = place(name);
    if (at < 0 || at == out.source || at == out.target) continue;
    out.weight = at;
    break;
  }
  for (const std::int64_t at : {out.source, out.target, out.weight})
    if (at >= 0 && std::count(lower.begin(), lower.end(), lower[static_cast<std::size_t>(at)]) > 1)
      throw input_error("there are several columns '" +
                        io::shown(names[static_cast<std::size_t>(at)]) + "'");
  return out;
}

struct edge_table::state {
  state(const std::string& path, int weight_bytes, const read_options& o)
      : options(o), context(path, options), sink(context, weight_bytes > 0, false) {}
  read_options options;  // the context refers to them
  io::read_context context;
  io::edge_sink sink;
  io::parsed_edges block;
};

edge_table::edge_table(const std::string& path, std::int64_t edges, int weight_bytes,
                       const read_options& o)
    : state_(std::make_unique<state>(path, weight_bytes, o)) {
  // Ids are known when all rows are: this is a table of as many as dense ids would be.
  read_plan plan = io::plan_sparse(state_->context, edges, edges, weight_bytes);
  plan.estimated = true;
  state_->context.settle_estimate(plan);
}

edge_table::~edge_table() = default;

void edge_table::append(std::span<const std::int64_t> sources,
                        std::span<const std::int64_t> targets, std::span<const double> weights) {
  // Not bound together: clang captures no such names in lambdas where OpenMP is on.
  const io::read_context& context = state_->context;
  io::edge_sink& sink = state_->sink;
  io::parsed_edges& block = state_->block;
  const auto fail = [&](std::size_t row, const std::string& what) {
    throw input_error(context.path + ": row " +
                      std::to_string(sink.edges() + static_cast<std::int64_t>(row)) + ": " + what);
  };
  if (targets.size() != sources.size() || (sink.weighted() && weights.size() != sources.size()))
    throw usage_error(context.path + ": columns of different lengths");
  block.reset(sources.size(), sink.weighted());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (const std::int64_t least = std::min(sources[i], targets[i]); least < 0)
      fail(i, "negative vertex id '" + std::to_string(least) + "'");
    if (!sink.weighted()) {
      block.add(sources[i], targets[i]);
      continue;
    }
    const double w = weights[i];
    if (!std::isfinite(w)) fail(i, "weight is not finite");
    block.add(sources[i], targets[i], w, w == std::trunc(w));
  }
  sink.append(block);
}

graph edge_table::finish(std::int64_t vertices, const std::stop_token& stop) {
  auto& [options, context, sink, block] = *state_;
  block = {};
  options.stop = context.build.stop = stop;
  if (sink.edges() == 0)
    throw input_error(context.path + ": the graph has no edges and so no vertices");
  if (vertices > 0) return sink.finish(vertices, {});
  auto [n, names] = io::renumbered(sink, io::largest_id(sink), context);
  return sink.finish(n, std::move(names));
}

}  // namespace gossamer
