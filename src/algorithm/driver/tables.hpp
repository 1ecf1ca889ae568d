// The tables of all algorithms; each is in its algorithm's folder.
#pragma once

#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/algorithm/cg.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"

namespace gossamer::algorithm_detail {

const option_table<bfs_options>& bfs_table();
const option_table<cg_options>& cg_table();
const option_table<components_options>& components_table();
const option_table<pagerank_options>& pagerank_table();
const option_table<sssp_options>& sssp_table();

}  // namespace gossamer::algorithm_detail
