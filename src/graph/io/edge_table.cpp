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

namespace {

/// Of a wide table a message says the first.
constexpr std::size_t most_listed = 12;

[[noreturn]] void fail_several(const std::string& name) {
  throw input_error("there are several columns '" + shown(name) + "'");
}

/// Of a column that was asked for by this name.
std::int64_t place_of(std::span<const std::string> names, const std::string& asked) {
  const auto at = std::find(names.begin(), names.end(), asked);
  if (at == names.end()) {
    std::string there;
    for (const auto& name : names.first(std::min(names.size(), most_listed)))
      there += (there.empty() ? "'" : ", '") + shown(name) + "'";
    throw usage_error("no column '" + asked + "' (there are " + there +
                      (names.size() > most_listed ? ", …)" : ")"));
  }
  if (std::find(at + 1, names.end(), asked) != names.end()) fail_several(asked);
  return at - names.begin();
}

/// What columns of ends are usually called.
constexpr std::array<std::array<std::string_view, 2>, 4> pairs{
    {{"source", "target"}, {"src", "dst"}, {"from", "to"}, {"u", "v"}}};

std::string in_lower_case(std::string name) {
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return name;
}

/// Columns with the names that are usual, in any case of letters.
class usual_columns {
 public:
  explicit usual_columns(std::span<const std::string> names) : names_(names) {
    for (const auto& name : names) lower_.push_back(in_lower_case(name));
  }
  void find_ends(edge_columns& out) const {
    const auto both = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return place(pair[0]) >= 0 && place(pair[1]) >= 0;
    });
    if (both != pairs.end()) {
      out.source = place((*both)[0]);
      out.target = place((*both)[1]);
    } else {
      for (const auto& pair : pairs)
        for (const std::size_t side : {0, 1})
          if (const auto at = place(pair[side]); at >= 0 && at != out.weight)
            throw input_error("there is a column '" + std::string(pair[side]) + "' and none '" +
                              std::string(pair[1 - side]) + "'");
      // The first two, but for a weight that stands among them.
      out.source = out.weight == 0 ? 1 : 0;
      out.target = out.source + (out.weight == out.source + 1 ? 2 : 1);
    }
    for (const std::int64_t at : {out.source, out.target}) check(at);
  }
  void find_weight(edge_columns& out) const {
    for (std::string_view name : {"weight", "w", "value"}) {
      const std::int64_t at = place(name);
      if (at < 0 || at == out.source || at == out.target) continue;
      check(at);
      out.weight = at;
      return;
    }
  }

 private:
  [[nodiscard]] std::int64_t place(std::string_view name) const {
    const auto at = std::find(lower_.begin(), lower_.end(), name);
    return at == lower_.end() ? -1 : at - lower_.begin();
  }
  void check(std::int64_t column) const {
    const auto at = static_cast<std::size_t>(column);
    if (std::count(lower_.begin(), lower_.end(), lower_[at]) > 1) fail_several(names_[at]);
  }
  std::span<const std::string> names_;
  std::vector<std::string> lower_;
};

}  // namespace

bool is_usual_end(const std::string& name) {
  return std::ranges::any_of(pairs, [lower = in_lower_case(name)](const auto& pair) {
    return lower == pair[0] || lower == pair[1];
  });
}

edge_columns find_edge_columns(std::span<const std::string> names, const column_names& asked) {
  const bool weight_named = !asked.weight.empty(), ends_named = !asked.source.empty();
  require(asked.source.empty() == asked.target.empty(),
          "columns: source and target are named together, or neither");
  edge_columns out;
  if (weight_named) out.weight = place_of(names, asked.weight);
  if (ends_named) {
    out.source = place_of(names, asked.source);
    out.target = place_of(names, asked.target);
  }
  if (const auto least = weight_named && !ends_named ? 3U : 2U; names.size() < least)
    throw input_error("expected " + std::to_string(least) +
                      " columns or more (source, target, …), " + "found " +
                      std::to_string(names.size()));
  const usual_columns usual(names);
  if (!ends_named) usual.find_ends(out);
  if (!weight_named) usual.find_weight(out);
  for (const auto& [one, other] :
       {std::pair(out.source, out.target), std::pair(out.source, out.weight),
        std::pair(out.target, out.weight)})
    require(one != other, "column '" + shown(names[static_cast<std::size_t>(one)]) +
                              "' cannot be two of source, target and weight");
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
                       std::int64_t decoding_bytes, const read_options& o)
    : state_(std::make_unique<state>(path, weight_bytes, o)) {
  state_->context.window_bytes = decoding_bytes;
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
