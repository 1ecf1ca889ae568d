// The rule behind choose_bfs_ranks(), for machines whose GPUs could search together.
#pragma once

#include <string>

#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::bfs_detail {

struct ranks_choice {
  bool one = false;
  std::string why;       ///< of one
  std::string provided;  ///< as bfs_ranks::provided
};

ranks_choice one_or_all(const graph& g);
ranks_choice one_or_all(const graph_shape& g);

}  // namespace gossamer::bfs_detail
