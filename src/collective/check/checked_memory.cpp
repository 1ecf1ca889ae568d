// Lays the buffers of one rank out as symbolic cells, and says from the request alone what each
// must hold in the end.
#include "collective/check/checked_memory.hpp"

#include <algorithm>

namespace gossamer::checker {

memory::memory(const schedule& s, const rank_schedule& part)
    : input_size_(s.input_size(part.rank)), output_size_(s.output_size(part.rank)) {
  const auto& q = s.request();
  const bool rooted = q.op == collective_op::broadcast || q.op == collective_op::scatter ||
                      q.op == collective_op::gather || q.op == collective_op::reduce;
  const bool shared = q.in_place && (!rooted || part.rank == q.root);
  if (shared) {
    input_in_ = output_in_ = 0;
    const std::size_t at = s.in_place_offset(part.rank);
    (input_size_ < output_size_ ? input_at_ : output_at_) = at;
    user_[0].resize(std::max(input_size_, output_size_));
  } else {
    user_[0].resize(output_size_);
    user_[1].resize(input_size_);
  }
  for (auto& half : scratch_) half.resize(part.scratch);
}

std::size_t memory::size(buffer_id in) const {
  if (in == buffer_id::scratch) return scratch_[0].size();
  return in == buffer_id::input ? input_size_ : output_size_;
}

cell& memory::at(buffer_id in, std::size_t offset, int epoch) {
  if (in == buffer_id::scratch) return scratch_[epoch & 1][offset];
  return in == buffer_id::input ? user_[input_in_][input_at_ + offset]
                                : user_[output_in_][output_at_ + offset];
}

namespace {

// Sizes from the request, not from the code that algorithms use.
std::size_t block(const collective_request& q, int rank) {
  return q.counts.empty() ? q.count : q.counts[static_cast<std::size_t>(rank)];
}
std::size_t sum_before(const collective_request& q, int rank) {
  std::size_t sum = 0;
  for (int r = 0; r < rank; ++r) sum += block(q, r);
  return sum;
}
std::size_t pair(const collective_request& q, int from, int to) {
  return q.op == collective_op::all_to_all_v ? q.pair_count(from, to) : q.count;
}

std::uint64_t one(int rank) {
  return std::uint64_t{1} << rank;
}

}  // namespace

value expected(const collective_request& q, int rank, std::size_t i, int epoch) {
  const std::uint64_t all = q.ranks == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << q.ranks) - 1;
  switch (q.op) {
    case collective_op::broadcast:
      return {one(q.root), i, epoch};
    case collective_op::scatter:
      return {one(q.root), sum_before(q, rank) + i, epoch};
    case collective_op::reduce:
    case collective_op::allreduce:
      return {all, i, epoch};
    case collective_op::reduce_scatter:
      return {all, sum_before(q, rank) + i, epoch};
    case collective_op::gather:
    case collective_op::allgather: {
      int from = 0;
      while (i >= block(q, from)) i -= block(q, from++);
      return {one(from), i, epoch};
    }
    case collective_op::all_to_all:
    case collective_op::all_to_all_v: {
      int from = 0;
      while (i >= pair(q, from, rank)) i -= pair(q, from++, rank);
      for (int to = 0; to < rank; ++to) i += pair(q, from, to);
      return {one(from), i, epoch};
    }
    case collective_op::barrier:
      break;
  }
  return {};
}

std::string to_text(const value& v) {
  if (v.ranks == 0) return "nothing";
  std::string t = "element " + std::to_string(v.index) + " of rank";
  for (int r = 0; r < 64; ++r)
    if ((v.ranks >> r & 1) != 0) t += ' ' + std::to_string(r);
  return t + " in epoch " + std::to_string(v.epoch);
}

}  // namespace gossamer::checker
