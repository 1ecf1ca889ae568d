// The algorithms that have tables, and options of them by name.
#include <algorithm>

#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/betweenness.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/core_numbers.hpp"
#include "gossamer/algorithm/distances.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/algorithm/spanning_forest.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/algorithm/strong_components.hpp"
#include "gossamer/algorithm/triangles.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

const std::vector<algorithm_table>& algorithms() {
  static const std::vector<algorithm_table> all = {
      algorithm_detail::table_of<betweenness_options>().info(),
      algorithm_detail::table_of<bfs_options>().info(),
      algorithm_detail::table_of<cg_options>().info(),
      algorithm_detail::table_of<communities_options>().info(),
      algorithm_detail::table_of<components_options>().info(),
      algorithm_detail::table_of<core_numbers_options>().info(),
      algorithm_detail::table_of<distances_options>().info(),
      algorithm_detail::table_of<pagerank_options>().info(),
      algorithm_detail::table_of<random_walks_options>().info(),
      algorithm_detail::table_of<spanning_forest_options>().info(),
      algorithm_detail::table_of<sssp_options>().info(),
      algorithm_detail::table_of<strong_components_options>().info(),
      algorithm_detail::table_of<triangles_options>().info()};
  return all;
}

template <class Options>
Options options_from(std::span<const std::pair<std::string, option_value>> named) {
  const auto& table = algorithm_detail::table_of<Options>();
  Options options;
  for (const auto& pair : named) {  // clang with OpenMP lets no lambda take a structured binding
    const std::string& name = pair.first;
    const option_value& value = pair.second;
    if (name == "engine") {
      const auto* text = std::get_if<std::string>(&value);
      require(text != nullptr, table.algorithm + ": engine is a name");
      options.engine = *text;
      continue;
    }
    const auto found = std::find_if(table.options.begin(), table.options.end(),
                                    [&](const auto& o) { return o.info.name == name; });
    if (found == table.options.end())
      throw usage_error(table.algorithm + ": there is no option '" + name + "'");
    found->set(options, value, found->info, table.algorithm);
  }
  return options;
}

template betweenness_options options_from(std::span<const std::pair<std::string, option_value>>);
template bfs_options options_from(std::span<const std::pair<std::string, option_value>>);
template cg_options options_from(std::span<const std::pair<std::string, option_value>>);
template communities_options options_from(std::span<const std::pair<std::string, option_value>>);
template components_options options_from(std::span<const std::pair<std::string, option_value>>);
template core_numbers_options options_from(std::span<const std::pair<std::string, option_value>>);
template distances_options options_from(std::span<const std::pair<std::string, option_value>>);
template pagerank_options options_from(std::span<const std::pair<std::string, option_value>>);
template random_walks_options options_from(std::span<const std::pair<std::string, option_value>>);
template spanning_forest_options options_from(
    std::span<const std::pair<std::string, option_value>>);
template sssp_options options_from(std::span<const std::pair<std::string, option_value>>);
template strong_components_options options_from(
    std::span<const std::pair<std::string, option_value>>);
template triangles_options options_from(std::span<const std::pair<std::string, option_value>>);

}  // namespace gossamer
