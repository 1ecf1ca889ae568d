// Checks a request and computes from it where each rank's blocks begin.
#include "collective/schedule/layout.hpp"

#include <algorithm>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/collective/pattern.hpp"

namespace gossamer {

namespace {
using op = collective_op;

// These work on one vector of `count` elements, which blocks only split.
bool one_vector(op o) {
  return o == op::broadcast || o == op::reduce || o == op::allreduce;
}
}  // namespace

bool layout::rooted() const noexcept {
  const auto o = request_.op;
  return o == op::broadcast || o == op::scatter || o == op::gather || o == op::reduce;
}

bool layout::reduces() const noexcept {
  const auto o = request_.op;
  return o == op::reduce || o == op::allreduce || o == op::reduce_scatter;
}

layout::layout(collective_request asked) : request_(std::move(asked)) {
  auto& q = request_;
  const std::string name(name_of(q.op));
  require(q.ranks >= 1, name + ": needs at least one rank");
  if (!rooted()) q.root = 0;
  if (q.root < 0 || q.root >= q.ranks)
    throw usage_error(name + ": no root " + std::to_string(q.root) + " among " +
                      std::to_string(q.ranks) + " ranks");
  require(q.element > 0, name + ": elements must have a size");
  if (q.op == op::barrier) q.count = 0;
  const auto p = static_cast<std::size_t>(q.ranks);
  if (!q.mapping.empty()) {
    positions_.assign(p, -1);
    bool good = q.mapping.size() == p;
    for (std::size_t v = 0; good && v < p; ++v) {
      const int r = q.mapping[v];
      good = r >= 0 && r < q.ranks && positions_[static_cast<std::size_t>(r)] < 0;
      if (good) positions_[static_cast<std::size_t>(r)] = static_cast<int>(v);
    }
    require(good, name + ": the mapping is not a permutation of the " + std::to_string(q.ranks) +
                      " ranks");
  }
  if (!q.counts.empty()) {
    const bool blocks = q.op == op::scatter || q.op == op::gather || q.op == op::allgather ||
                        q.op == op::reduce_scatter;
    require(blocks, name + ": takes one count, not one per rank");
    if (q.counts.size() != p)
      throw usage_error(name + ": " + std::to_string(q.counts.size()) + " counts for " +
                        std::to_string(q.ranks) + " ranks");
    begins_.assign(1, 0);
    for (const auto n : q.counts) begins_.push_back(begins_.back() + n);
    largest_ = *std::max_element(q.counts.begin(), q.counts.end());
  } else {
    largest_ = one_vector(q.op) ? pattern::split_size(q.count, q.ranks, 0) : q.count;
  }
  if (q.op == op::all_to_all_v)
    require(static_cast<bool>(q.pair_count), "all_to_all_v: needs pair_count");
  require(!(q.direct && q.in_place && (q.op == op::all_to_all || q.op == op::all_to_all_v)),
          name + ": in place, others cannot write straight into the output");
  // Order of position differs from order of rank: prefix sums of its own.
  if (!begins_.empty() || one_vector(q.op)) {
    packed_.assign(1, 0);
    for (int v = 0; v < q.ranks; ++v) packed_.push_back(packed_.back() + size(rank_at(v)));
  }
}

int layout::rank_at(int position) const {
  const int v = rooted() ? pattern::shifted(position, position_of(-1), p()) : position;
  return request_.mapping.empty() ? v : request_.mapping[static_cast<std::size_t>(v)];
}

int layout::position_of(int rank) const {
  const auto unrotated = [&](int r) {
    return positions_.empty() ? r : positions_[static_cast<std::size_t>(r)];
  };
  const int first = unrotated(request_.root);
  if (rank < 0) return first;
  return rooted() ? pattern::shifted(unrotated(rank), -first, p()) : unrotated(rank);
}

std::size_t layout::begin(int block) const {
  if (!begins_.empty()) return begins_[static_cast<std::size_t>(block)];
  if (one_vector(request_.op))
    return block == p() ? request_.count : pattern::split_begin(request_.count, p(), block);
  return request_.count * static_cast<std::size_t>(block);
}

std::size_t layout::packed(int position) const {
  return packed_.empty() ? request_.count * static_cast<std::size_t>(position)
                         : packed_[static_cast<std::size_t>(position)];
}

std::size_t layout::packed_around(int position, int n) const {
  const int end = position + n;
  if (end <= p()) return packed(end) - packed(position);
  return packed(p()) - packed(position) + packed(end - p());
}

std::size_t layout::pair(int from, int to) const {
  return request_.op == op::all_to_all_v ? request_.pair_count(from, to) : request_.count;
}

std::vector<std::size_t> layout::send_begins(int rank) const {
  std::vector<std::size_t> begins(1, 0);
  for (int to = 0; to < p(); ++to) begins.push_back(begins.back() + pair(rank, to));
  return begins;
}

std::size_t layout::receive_begin(int at, int from) const {
  if (request_.op != op::all_to_all_v) return request_.count * static_cast<std::size_t>(from);
  std::size_t sum = 0;
  for (int i = 0; i < from; ++i) sum += pair(i, at);
  return sum;
}

std::vector<std::size_t> layout::begins_at_peers(int rank) const {
  std::vector<std::size_t> begins;
  for (int to = 0; to < p(); ++to) begins.push_back(receive_begin(to, rank));
  return begins;
}

std::size_t layout::input_size(int rank) const {
  switch (request_.op) {
    case op::broadcast:
      return rank == request_.root ? request_.count : 0;
    case op::scatter:
      return rank == request_.root ? total() : 0;
    case op::gather:
    case op::allgather:
      return size(rank);
    case op::reduce:
    case op::allreduce:
      return request_.count;
    case op::reduce_scatter:
    case op::all_to_all:
      return total();
    case op::all_to_all_v:
      return send_begins(rank).back();
    case op::barrier:
      break;
  }
  return 0;
}

std::size_t layout::output_size(int rank) const {
  switch (request_.op) {
    case op::broadcast:
    case op::allreduce:
      return request_.count;
    case op::scatter:
    case op::reduce_scatter:
      return size(rank);
    case op::gather:
      return rank == request_.root ? total() : 0;
    case op::reduce:
      return rank == request_.root ? request_.count : 0;
    case op::allgather:
    case op::all_to_all:
      return total();
    case op::all_to_all_v:
      return receive_begin(rank, p());
    case op::barrier:
      break;
  }
  return 0;
}

std::size_t layout::in_place_offset(int rank) const {
  const auto o = request_.op;
  const bool own_block =
      o == op::gather || o == op::allgather || o == op::scatter || o == op::reduce_scatter;
  return own_block ? begin(rank) : 0;
}

}  // namespace gossamer
