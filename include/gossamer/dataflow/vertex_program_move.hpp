// The members of vertex_program by which blocks change their owner (balance.hpp); included by its
// header alone.
#pragma once

#include "gossamer/dataflow/balance_parcels.hpp"
#include "gossamer/dataflow/vertex_program.hpp"

namespace gossamer {

template <class Operator, class Id, class Weight, class Owners>
void vertex_program<Operator, Id, Weight, Owners>::prepare(const balance_options& options) {
  require(!takes_rows || options.policy == balance_policy::none,
          "balance: this program works on whole rows, which cannot be given away");
  if (options.policy == balance_policy::move && ranks_ > 1)
    blocks_ =
        blocks(owners_, self_, ranks_, placed_, balance_detail::weight_bytes<Weight> > 0, options);
}

template <class Operator, class Id, class Weight, class Owners>
std::size_t vertex_program<Operator, Id, Weight, Owners>::least_parcel() {
  using namespace balance_detail;
  constexpr std::size_t arc = sizeof(Id) + weight_bytes<Weight>;
  return std::max(sizeof(piece_head<Id, value>) + arc,
                  sizeof(part_head) + std::max(sizeof(marked_value<value>), arc));
}

template <class Operator, class Id, class Weight, class Owners>
route vertex_program<Operator, Id, Weight, Owners>::where_it_is(Id v, bool better) {
  const bool own = owner_of(v) == self_;
  if (!own) {
    ++misdirected_;
    misdirected_block_ = blocks_.block_of(v);
  }
  if (!better) return route::drop();  // what this rank has sent there was as good
  return on_send(v);
}

template <class Operator, class Id, class Weight, class Owners>
block_news vertex_program<Operator, Id, Weight, Owners>::misdirected(std::int64_t& items) {
  items = misdirected_;
  const std::int64_t b = misdirected_block_;
  misdirected_ = 0;
  misdirected_block_ = -1;
  return b < 0 ? block_news{-1, -1, 0} : blocks_.news(b);
}

template <class Operator, class Id, class Weight, class Owners>
std::int64_t vertex_program<Operator, Id, Weight, Owners>::pick_block(
    std::span<const std::int64_t> work, int to, std::int64_t room) const {
  std::int64_t total = 0, best = -1;
  for (const std::int64_t w : work) total += w;
  for (std::int64_t b = 0; b < blocks_.blocks(); ++b) {
    const auto at = [&](std::int64_t i) { return work[static_cast<std::size_t>(i)]; };
    if (at(b) == 0 || 2 * at(b) > total || (best >= 0 && at(b) <= at(best))) continue;
    if (blocks_.owner(b) != self_ || blocks_.arriving(b)) continue;
    const edge_offset arcs = row_of(static_cast<Id>(blocks_.last(b) - 1)).end -
                             row_of(static_cast<Id>(blocks_.first(b))).begin;
    if (blocks_.home(b) == to || arcs <= room) best = b;
  }
  return best;
}

template <class Operator, class Id, class Weight, class Owners>
void vertex_program<Operator, Id, Weight, Owners>::leave(std::int64_t b, int to) {
  leaving_ = b;
  leaving_arcs_ = row_of(static_cast<Id>(blocks_.first(b)));
  leaving_arcs_.end = row_of(static_cast<Id>(blocks_.last(b) - 1)).end;
  next_vertex_ = blocks_.first(b);
  next_arc_ = 0;
  blocks_.leave(b, to);
}

template <class Operator, class Id, class Weight, class Owners>
std::size_t vertex_program<Operator, Id, Weight, Owners>::give_block(std::span<std::byte> out,
                                                                     bool& last) {
  using namespace balance_detail;
  const std::int64_t b = leaving_, first = blocks_.first(b), end = blocks_.last(b);
  const std::int64_t arcs =
      blocks_.owner(b) == blocks_.home(b) ? 0 : leaving_arcs_.end - leaving_arcs_.begin;
  part_head head{blocks_.news(b), arcs, 0, 0, 0, 0};
  std::byte* to = out.data() + sizeof head;
  const auto fits = [&](std::int64_t left, std::size_t each) {
    const auto most = static_cast<std::int64_t>((out.size() - sizeof head) / each);
    return static_cast<std::uint32_t>(std::min(left, most));
  };
  if (next_vertex_ < end) {
    head.first = next_vertex_ - first;
    head.vertices = fits(end - next_vertex_, sizeof(marked_value<value>));
    for (std::uint32_t i = 0; i < head.vertices; ++i, ++next_vertex_) {
      const auto v = static_cast<Id>(next_vertex_);
      std::uint8_t& state = states_[index(v)];
      // Found here since it left, and waiting to go there: the new owner would see nothing new.
      const bool waits = (state & (dirty | queued)) != 0;
      const auto marks = static_cast<std::uint8_t>((state & worked) | (waits ? dirty : 0));
      state &= queued;
      const auto row = row_of(v);
      write(to, marked_value<value>{give(v), row.end - row.begin, marks});
    }
  } else {
    head.first = next_arc_;
    head.arcs = fits(arcs - next_arc_, sizeof(Id) + weight_bytes<Weight>);
    auto rest = leaving_arcs_;
    rest.begin += next_arc_;
    write_arcs(to, rest, head.arcs);
    next_arc_ += head.arcs;
  }
  last = next_vertex_ == end && next_arc_ == arcs;
  head.last = last;
  std::memcpy(out.data(), &head, sizeof head);
  if (last) blocks_.left(b);
  return static_cast<std::size_t>(to - out.data());
}

template <class Operator, class Id, class Weight, class Owners>
template <class Ready>
bool vertex_program<Operator, Id, Weight, Owners>::take_block(std::span<const std::byte> part,
                                                              Ready&& ready) {
  using namespace balance_detail;
  const std::byte* from = part.data();
  const auto head = read<part_head>(from);
  const std::int64_t b = head.news.block, first = blocks_.first(b);
  if (!blocks_.arriving(b)) blocks_.arrive(head.news, head.block_arcs);
  for (std::uint32_t i = 0; i < head.vertices; ++i) {
    const auto x = read<marked_value<value>>(from);
    const auto v = static_cast<Id>(first + head.first + i);
    const bool better = merge(v, x.content);
    std::uint8_t& state = states_[index(v)];
    state = static_cast<std::uint8_t>((state & queued) | x.marks | (better ? dirty : 0));
    if (blocks_.is_guest(b)) blocks_.set_degree(v, x.degree);
  }
  const std::byte* weights = from + head.arcs * sizeof(Id);
  for (std::uint32_t i = 0; i < head.arcs; ++i) {
    Weight w{};
    const auto to = read<Id>(from);
    if constexpr (weight_bytes < Weight >> 0) w = read<Weight>(weights);
    blocks_.set_arc(b, head.first + i, to, w);
  }
  if (head.last == 0) return false;
  blocks_.arrived(b);
  for (std::int64_t v = first; v < blocks_.last(b); ++v)
    if ((states_[static_cast<std::size_t>(v)] & dirty) != 0) ready(static_cast<Id>(v));
  return true;
}

template <class Operator, class Id, class Weight, class Owners>
template <class Send>
void vertex_program<Operator, Id, Weight, Owners>::send_home(Send&& send) const {
  if (!blocks_.any_rows()) return;
  for (std::int64_t b = 0; b < blocks_.blocks(); ++b)
    if (blocks_.is_guest(b))
      for (std::int64_t v = blocks_.first(b); v < blocks_.last(b); ++v)
        send(blocks_.home(b), static_cast<Id>(v));
}

}  // namespace gossamer
