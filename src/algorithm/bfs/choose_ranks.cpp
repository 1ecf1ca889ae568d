// Takes one GPU for graphs of few arcs or of short rows alone, if its memory suffices. From a
// graph's shape it also says what that choice takes for granted.
#include "algorithm/bfs/choose_ranks.hpp"

#include "algorithm/driver/chosen_ranks.hpp"
#include "algorithm/driver/one_kernel.hpp"
#include "gossamer/algorithm/bfs_ranks.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"

namespace gossamer {

namespace bfs_detail {

namespace {

constexpr std::int64_t arcs_for_several = algorithm_detail::arcs_for_several_gpus;
constexpr std::int64_t short_row = dataflow::longest_short_row,
                       short_mean = dataflow::mean_short_row;

bool has_short_rows(const graph& g) {
  if (!dataflow::short_in_the_mean(g.vertices(), g.arcs())) return false;
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    if (g.degree(v) > short_row) return false;
  return true;
}

ranks_choice small(std::int64_t arcs, const std::string& provided) {
  return {
      true,
      "to agree takes several longer than one takes to search " + std::to_string(arcs) + " arcs",
      provided};
}

ranks_choice network() {
  return {true, algorithm_detail::too_little_for_several, ""};
}

}  // namespace

ranks_choice one_or_all(const graph& g) {
  if (g.arcs() < arcs_for_several) return small(g.arcs(), "");
  return has_short_rows(g) ? network() : ranks_choice{};
}

// A bound of the arcs decides for one rank; for several it only says what may be.
ranks_choice one_or_all(const graph_shape& g) {
  const std::string limit = std::to_string(arcs_for_several) + " arcs";
  if (g.arcs < arcs_for_several)
    return small(g.arcs, g.arcs_are == certainty::about ? "it has fewer than " + limit : "");
  if (g.longest_row > 0 && dataflow::has_short_rows(g.vertices, g.arcs, g.longest_row))
    return network();
  ranks_choice all;
  if (g.arcs_are != certainty::exact) all.provided = "it has " + limit + " or more";
  // Rows that are not known may all be short, unless the mean says otherwise.
  const bool known = g.longest_row > short_row ||
                     (g.arcs_are == certainty::exact && g.arcs > short_mean * g.vertices);
  if (!known)
    all.provided += std::string(all.provided.empty() ? "" : " and ") + "a row of more than " +
                    std::to_string(short_row) + " arcs, or more than " +
                    std::to_string(short_mean) + " in the mean";
  return all;
}

}  // namespace bfs_detail

namespace {

/// What a GPU lacks for all that `plan` has for it, in words; empty: nothing. Memory of the host is
/// the same for any number of GPUs.
std::string lacks_memory(const machine& one, const memory_plan& plan) {
  const std::int64_t needs = plan.of(0), has = plan.limit.front();
  if (needs <= has) return {};
  return one.spec() + " alone would need " + configuration::format_bytes(needs) + " of its " +
         configuration::format_bytes(has);
}

bool arcs_are_known(const graph& /*there*/) {
  return true;
}
bool arcs_are_known(const graph_shape& g) {
  return g.arcs_are == certainty::exact;
}

template <class Graph>
bfs_ranks choose(const machine& m, const Graph& g, const place_options& place,
                 const bfs_options& options) {
  if (m.size() == 1 || !m.all_here() || !lacks_for_one_kernel(m).empty()) return {m.spec(), "", ""};
  for (int r = 0; r < m.size(); ++r)
    if (m[r].share > 1) return {m.spec(), "", ""};  // asked for by name: cuda:0*3
  const auto choice = bfs_detail::one_or_all(g);
  if (!choice.one) return {m.spec(), "", choice.provided};
  const machine one = machine::open("cuda:" + std::to_string(m[0].ordinal));
  place_options all_there = place;  // rows spill where all GPUs together have no room
  all_there.spill = spilling::none;
  const std::string lack = lacks_memory(one, bfs_search::plan(one, g, all_there, options));
  const std::string all = std::to_string(m.size());
  if (lack.empty()) return {one.spec(), "1 of " + all + " ranks: " + choice.why, choice.provided};
  return {m.spec(), "all " + all + " ranks: " + lack,
          arcs_are_known(g) ? "" : "it has as many arcs as are planned for"};
}

}  // namespace

bfs_ranks choose_bfs_ranks(const machine& m, const graph& g, const place_options& place,
                           const bfs_options& options) {
  return choose(m, g, place, options);
}
bfs_ranks choose_bfs_ranks(const machine& m, const graph_shape& g, const place_options& place,
                           const bfs_options& options) {
  return choose(m, g, place, options);
}

}  // namespace gossamer
