#include "algorithm/one_kernel.hpp"
#include "gossamer/algorithm/bfs_ranks.hpp"

namespace gossamer {

namespace {

constexpr std::int64_t arcs_for_several = std::int64_t{1} << 28;
/// A network, as single_kernel sees it: cuda/persistent/view.hpp.
constexpr std::int64_t short_row = 64, short_mean = 6;

bool has_short_rows(const graph& g) {
  if (g.arcs() > short_mean * g.vertices()) return false;
  for (std::int64_t v = 0; v < g.vertices(); ++v)
    if (g.degree(v) > short_row) return false;
  return true;
}

}  // namespace

bfs_ranks choose_bfs_ranks(const machine& m, const graph& g) {
  if (m.size() == 1 || !m.all_here() || !lacks_for_one_kernel(m).empty()) return {m.spec(), ""};
  for (int r = 0; r < m.size(); ++r)
    if (m[r].share > 1) return {m.spec(), ""};  // asked for by name: cuda:0*3
  const auto one = [&](const std::string& why) {
    return bfs_ranks{"cuda:" + std::to_string(m[0].ordinal),
                     "1 of " + std::to_string(m.size()) + " ranks: " + why};
  };
  if (g.arcs() < arcs_for_several)
    return one("to agree takes several longer than one takes to search " +
               std::to_string(g.arcs()) + " arcs");
  if (has_short_rows(g)) return one("the levels of a network are too small to share");
  return {m.spec(), ""};
}

}  // namespace gossamer
