// A CPU rank of engine host, beside GPU ranks.
#pragma once

#include <memory>

#include "algorithm/host_driven/drive.hpp"
#include "algorithm/sssp/rank_search.hpp"

namespace gossamer::sssp_detail {

/// `rows`: of rank `self`, which stay; `g` is placed like that, and outlives the search.
template <class Id, class Distance>
std::unique_ptr<rank_search<Distance>> make_cpu_list(const weighted_rows<Id, Distance>& rows,
                                                     const placed_graph& g, int self,
                                                     const algorithm_detail::list_drive& how);

/// What that takes.
void declare_cpu_list(memory_layout& l, const machine& m, const problem& p, int self,
                      const algorithm_detail::list_drive& how);

}  // namespace gossamer::sssp_detail
