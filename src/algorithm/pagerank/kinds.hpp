// The engines of PageRank, each defined in its folder.
#pragma once

#include "algorithm/pagerank/engine.hpp"

namespace gossamer::pagerank_detail {

const engine_kind& sync_kind();
const engine_kind& async_kind();
const engine_kind& host_kind();

}  // namespace gossamer::pagerank_detail
