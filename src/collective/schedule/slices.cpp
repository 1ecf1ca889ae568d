// Collects what steps touch, per rank, and calls a schedule sliceable if no write overlaps a range
// that is cut otherwise. Also chooses the number of blocks.
#include "collective/schedule/slices.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace gossamer {

namespace {

struct access {
  buffer_id in;
  std::size_t begin, end;
  bool written;
};

class accesses {
 public:
  /// Of one rank, whose input and output are one memory in an operation in place.
  accesses(const schedule& s, int rank) {
    const auto& q = s.request();
    in_place_ = q.in_place && s.input_size(rank) != 0 && s.output_size(rank) != 0;
    const std::size_t at = s.in_place_offset(rank);
    const bool input_inside = s.input_size(rank) < s.output_size(rank);
    input_at_ = input_inside ? at : 0;
    output_at_ = input_inside ? 0 : at;
  }
  void add(const buffer_place& at, std::size_t n, bool written) {
    if (n == 0) return;
    auto where = at;
    if (in_place_ && at.in == buffer_id::input) where = {buffer_id::output, at.offset + input_at_};
    if (in_place_ && at.in == buffer_id::output) where.offset += output_at_;
    all_.push_back({where.in, where.offset, where.offset + n, written});
  }
  /// What a step of the rank itself does to its memory.
  void add_step(const step& s) {
    switch (s.kind) {
      case step_kind::put:
        return add(s.from, s.count, false);
      case step_kind::copy:
        add(s.from, s.count, false);
        return add(s.to, s.count, true);
      case step_kind::reduce:
        for (int k = 0; k < s.parts; ++k)
          if (k != s.own_part)
            add({s.from.in, s.from.offset + static_cast<std::size_t>(k) * s.stride}, s.count,
                false);
        if (s.own_part >= 0) add(s.own, s.count, false);
        return add(s.to, s.count, true);
      case step_kind::wait:
      case step_kind::flush:
        break;
    }
  }

  /// Sorted by place, what overlaps an access lies behind it until one begins at its end; those of
  /// one range are one, so that a range which meets another is found beside it or under the
  /// longest before it.
  [[nodiscard]] bool all_alike() {
    std::ranges::sort(all_, {},
                      [](const access& a) { return std::tuple(a.in, a.begin, a.end, !a.written); });
    access read{}, written{};  // those that reach farthest
    for (const auto& a : all_) {
      const auto cut_otherwise = [&](const access& b) {
        return b.in == a.in && a.begin < b.end && (a.begin != b.begin || a.end != b.end);
      };
      if (cut_otherwise(written) || (a.written && cut_otherwise(read))) return false;
      auto& farthest = a.written ? written : read;
      if (farthest.in != a.in || a.end >= farthest.end) farthest = a;
    }
    return true;
  }

 private:
  std::vector<access> all_;
  bool in_place_;
  std::size_t input_at_, output_at_;
};

}  // namespace

int blocks_for(std::size_t bytes, int sharing) {
  constexpr std::size_t by_one_block = 16 << 10;
  const std::size_t most = sharing > 1 ? 8 : most_slices;
  return static_cast<int>(std::bit_ceil(std::clamp<std::size_t>(bytes / by_one_block, 1, most)));
}

bool sliceable(const schedule& s, const std::vector<rank_schedule>& parts) {
  std::vector<accesses> at;
  for (const auto& part : parts) at.emplace_back(s, part.rank);
  for (const auto& part : parts)
    for (const auto& x : part.steps) {
      at[static_cast<std::size_t>(part.rank)].add_step(x);
      if (x.kind == step_kind::put) at[static_cast<std::size_t>(x.peer)].add(x.to, x.count, true);
    }
  return std::ranges::all_of(at, [](accesses& a) { return a.all_alike(); });
}

int slices_of(const machine& m, const schedule& s, const std::vector<rank_schedule>& parts,
              const packing& packed) {
  int sharing = 0;
  for (int r = 0; r < m.size(); ++r) {
    if (!m[r].is_cuda() || packed.words(r) != 0) return 1;
    sharing = std::max(sharing, m[r].share);
  }
  std::size_t most = 0;
  for (const auto& part : parts)
    for (const auto& x : part.steps)
      if (x.kind == step_kind::put) most = std::max(most, x.count);
  auto q = s.request();
  const int n = blocks_for(most * q.element, sharing);
  if (n < fewest_slices) return 1;
  const bool exchanges = q.op == collective_op::all_to_all || q.op == collective_op::all_to_all_v;
  for (const bool in_place : {false, true}) {
    if (in_place && exchanges && q.direct) continue;  // then nobody is
    q.in_place = in_place;
    const schedule either(q, s.algorithm().name);
    std::vector<rank_schedule> all;
    for (int r = 0; r < m.size(); ++r) all.push_back(either.of(r));
    if (!sliceable(either, all)) return 1;
  }
  return n;
}

}  // namespace gossamer
