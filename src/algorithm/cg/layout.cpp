// Finds the columns that each rank does not own, chooses halo or allgather by the bytes each would
// move, then renumbers columns and lists what every rank sends.
#include "algorithm/cg/layout.hpp"

#include <algorithm>
#include <cstdio>

namespace gossamer::cg_detail {

namespace {

using columns_by_rank = std::vector<std::vector<std::int64_t>>;

/// The columns outside its own rows that each rank touches, ascending.
template <class Id>
columns_by_rank foreign_columns(const csr_view<Id>& rows, const std::vector<std::int64_t>& first) {
  columns_by_rank all(first.size() - 1);
  for (std::size_t r = 0; r + 1 < first.size(); ++r) {
    auto& mine = all[r];
    for (edge_offset k = rows.offsets[first[r]]; k < rows.offsets[first[r + 1]]; ++k) {
      const auto j = static_cast<std::int64_t>(rows.indices[k]);
      if (j < first[r] || j >= first[r + 1]) mine.push_back(j);
    }
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    mine.shrink_to_fit();
  }
  return all;
}

int owner_of(const std::vector<std::int64_t>& first, std::int64_t row) {
  return static_cast<int>(std::upper_bound(first.begin(), first.end(), row) - first.begin()) - 1;
}

void choose_exchange(layout& l, const columns_by_rank& foreign, std::int64_t n,
                     const cg_options& options) {
  const auto p = static_cast<std::int64_t>(foreign.size());
  std::int64_t touched = 0;
  for (const auto& columns : foreign) touched += static_cast<std::int64_t>(columns.size());
  const std::int64_t all = (p - 1) * n;  // every rank receives what it does not own
  const auto width = static_cast<std::int64_t>(sizeof(double));
  const long long halo = touched * width, gathered = all * width;
  char counts[128];
  std::snprintf(counts, sizeof counts, "halo moves %lld bytes an iteration, allgather %lld", halo,
                gathered);
  if (p == 1) {
    l.reason = "one rank needs no exchange";
  } else if (options.exchange == cg_exchange::automatic) {
    // Halo gathers entries from memory before it sends them, and is no collective that the
    // network could help with; it has to save bytes to pay.
    l.halo = 2 * touched <= all;
    l.reason = counts;
  } else {
    l.halo = options.exchange == cg_exchange::halo;
    l.reason = std::string("asked for; ") + counts;
  }
  l.bytes = (l.halo ? touched : all) * width;
}

/// Position of a global column in rank r's extended vector.
class column_map {
 public:
  column_map(const layout& l, int r, const std::vector<std::int64_t>& foreign)
      : layout_(l), first_(l.first[r]), last_(l.first[r + 1]), foreign_(foreign) {}
  std::int32_t operator()(std::int64_t column) const {
    if (!layout_.halo) return static_cast<std::int32_t>(column);
    if (column >= first_ && column < last_) return static_cast<std::int32_t>(column - first_);
    const auto at = std::lower_bound(foreign_.begin(), foreign_.end(), column) - foreign_.begin();
    return static_cast<std::int32_t>(last_ - first_ + at);
  }

 private:
  const layout& layout_;
  std::int64_t first_, last_;
  const std::vector<std::int64_t>& foreign_;
};

template <class Id>
local_matrix take_rows(const graph& g, const csr_view<Id>& rows, const layout& l, int r,
                       const std::vector<std::int64_t>& foreign, bool preconditioned,
                       bool entries) {
  local_matrix part;
  part.first_row = l.first[r];
  part.rows = l.first[r + 1] - part.first_row;
  const column_map position(l, r, foreign);
  if (l.halo) {
    part.extended = part.rows + static_cast<std::int64_t>(foreign.size());
  } else {
    // Whole blocks, so that every rank's block has the same size in a collective.
    part.extended =
        std::max(g.vertices(), l.allgather_block * static_cast<int>(l.first.size() - 1));
    part.own_offset = part.first_row;
  }
  const edge_offset base = rows.offsets[part.first_row];
  const edge_offset end = rows.offsets[part.first_row + part.rows];
  part.offsets.reserve(static_cast<std::size_t>(part.rows) + 1);
  for (std::int64_t i = 0; i <= part.rows; ++i)
    part.offsets.push_back(rows.offsets[part.first_row + i] - base);
  if (!entries) return part;
  part.columns.reserve(static_cast<std::size_t>(end - base));
  part.values.reserve(static_cast<std::size_t>(end - base));
  for (edge_offset k = base; k < end; ++k) {
    part.columns.push_back(position(static_cast<std::int64_t>(rows.indices[k])));
    part.values.push_back(entry(g, k));
  }
  if (preconditioned) {
    part.inverse_diagonal.assign(static_cast<std::size_t>(part.rows), 0);
    for (std::int64_t i = 0; i < part.rows; ++i) {
      const std::int64_t row = part.first_row + i;
      for (edge_offset k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k)
        if (static_cast<std::int64_t>(rows.indices[k]) == row)
          part.inverse_diagonal[static_cast<std::size_t>(i)] += entry(g, k);
    }
    for (double& d : part.inverse_diagonal) d = 1 / d;  // check_matrix has seen that it is > 0
  }
  return part;
}

/// For each rank, what it sends: the receivers' foreign columns, cut by owner.
void make_sends(layout& l, const columns_by_rank& foreign) {
  const int p = static_cast<int>(foreign.size());
  l.sends.resize(foreign.size());
  for (int receiver = 0; receiver < p; ++receiver) {
    const auto& wanted = foreign[static_cast<std::size_t>(receiver)];
    const std::int64_t own = l.first[receiver + 1] - l.first[receiver];
    for (std::size_t i = 0; i < wanted.size();) {
      const int owner = owner_of(l.first, wanted[i]);
      halo_message message;
      message.peer = receiver;
      message.at = own + static_cast<std::int64_t>(i);
      for (; i < wanted.size() && wanted[i] < l.first[owner + 1]; ++i)
        message.entries.push_back(static_cast<std::int32_t>(wanted[i] - l.first[owner]));
      l.sends[static_cast<std::size_t>(owner)].push_back(std::move(message));
    }
  }
}

/// The rows of each rank but the last, where all have as many; else 0.
std::int64_t common_block(const std::vector<std::int64_t>& first) {
  const std::int64_t block = first[1];
  for (std::size_t r = 0; r < first.size(); ++r)
    if (first[r] != std::min(first.back(), static_cast<std::int64_t>(r) * block)) return 0;
  return block;
}

}  // namespace

layout make_layout(const machine& m, const graph& matrix, const std::vector<std::int64_t>& first,
                   const cg_options& options, bool entries) {
  const int ranks = m.size();
  layout l;
  l.first = first;
  l.allgather_block = common_block(first);
  matrix.visit([&](const auto& rows) {
    const auto foreign = foreign_columns(rows, l.first);
    choose_exchange(l, foreign, matrix.vertices(), options);
    for (int r = 0; r < ranks; ++r)
      l.parts.push_back(take_rows(matrix, rows, l, r, foreign[static_cast<std::size_t>(r)],
                                  options.jacobi, entries && m.here(r)));
    if (l.halo) make_sends(l, foreign);
  });
  return l;
}

}  // namespace gossamer::cg_detail
