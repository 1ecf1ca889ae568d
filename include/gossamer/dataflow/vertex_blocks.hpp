// Blocks of vertices that change their owners during a run, as one rank sees them: who has which,
// and the rows of those that have come from others (balance.hpp has the contract).
//
// A block is 2^k placed ids. Those that have one owner to begin with, whose rows lie next to each
// other, can move; the rest stays. Guests' arcs lie one block behind the other in an array that is
// taken before the run; a block that moves on leaves its place unused until the run is over, unless
// it was the last that came.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/dataflow/balance.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"

namespace gossamer {

/// One row's arcs, or a block's: positions begin … end - 1.
template <class Id, class Weight>
struct row_arcs {
  const Id* columns;
  const Weight* weights;
  edge_offset begin, end;
};

template <class Id, class Weight>
class vertex_blocks {
 public:
  vertex_blocks() = default;
  /// Ids 0 … placed - 1 of `ranks` ranks, seen from `self`. Takes the memory.
  template <class Owners>
  vertex_blocks(const Owners& owners, int self, int ranks, std::int64_t placed, bool weighted,
                const balance_options& options)
      : self_(self),
        shift_(shift_of(placed, ranks, options.blocks)),
        placed_(placed),
        blocks_(static_cast<std::size_t>(blocks_of(placed, shift_))),
        offsets_(make_array<edge_offset>(static_cast<std::size_t>(placed) + blocks_.size())),
        columns_(make_array<Id>(static_cast<std::size_t>(options.guest_arcs))),
        weights_(make_array<Weight>(weighted ? static_cast<std::size_t>(options.guest_arcs) : 0)) {
    for (std::int64_t b = 0; b < blocks(); ++b) at(b).home = home_of(owners, first(b), last(b));
    reset();
  }
  /// Bytes that it takes.
  static std::int64_t bytes(std::int64_t placed, int ranks, const balance_options& options,
                            std::int64_t weight_bytes) {
    const std::int64_t blocks = blocks_of(placed, shift_of(placed, ranks, options.blocks));
    return (placed + blocks) * static_cast<std::int64_t>(sizeof(edge_offset)) +
           blocks * static_cast<std::int64_t>(sizeof(block)) +
           options.guest_arcs * (static_cast<std::int64_t>(sizeof(Id)) + weight_bytes);
  }
  /// Every block is at home.
  void reset() {
    for (block& b : blocks_) b = {b.home, b.home, 0, false, -1};
    used_ = 0;
    guests_ = 0;
  }

  [[nodiscard]] bool on() const noexcept { return !blocks_.empty(); }
  /// Whether rows of any block, or of this one, lie here and not where they were at first.
  [[nodiscard]] bool any_rows() const noexcept { return guests_ > 0; }
  [[nodiscard]] bool has_rows(std::int64_t b) const { return at(b).arcs >= 0; }
  [[nodiscard]] std::int64_t blocks() const noexcept {
    return static_cast<std::int64_t>(blocks_.size());
  }
  [[nodiscard]] std::int64_t block_of(std::int64_t v) const noexcept { return v >> shift_; }
  [[nodiscard]] std::int64_t first(std::int64_t b) const noexcept { return b << shift_; }
  [[nodiscard]] std::int64_t last(std::int64_t b) const noexcept {
    return std::min(placed_, (b + 1) << shift_);
  }
  /// Who has it, as far as is known here; -1: it has several owners, for good.
  [[nodiscard]] int owner(std::int64_t b) const { return at(b).owner; }
  [[nodiscard]] int home(std::int64_t b) const { return at(b).home; }
  [[nodiscard]] bool is_guest(std::int64_t b) const {
    return at(b).owner == self_ && at(b).home != self_;
  }
  /// On its way to this rank: its values are kept, and worked on when all of it is there.
  [[nodiscard]] bool arriving(std::int64_t b) const { return at(b).arriving; }
  [[nodiscard]] block_news news(std::int64_t b) const { return {b, at(b).owner, at(b).version}; }
  /// What somebody knows: taken when it is newer. That a block is to come here is no news until it
  /// does.
  void learn(const block_news& x) {
    block& b = at(x.block);
    if (x.version <= b.version || x.owner == self_) return;
    b.owner = x.owner;
    b.version = x.version;
  }

  /// A block of this rank's goes to another.
  void leave(std::int64_t b, int to) {
    at(b).owner = to;
    ++at(b).version;
  }
  /// All of it has been sent: a guest's arcs need no room any more.
  void left(std::int64_t b) {
    if (at(b).arcs < 0) return;
    const edge_offset end = offsets_[place(last(b) - 1) + 1];
    if (end == used_) used_ = at(b).arcs;
    at(b).arcs = -1;
    --guests_;
  }
  /// The first part of a block has come, of `arcs` arcs.
  void arrive(const block_news& x, std::int64_t arcs) {
    block& b = at(x.block);
    b.owner = x.owner;
    b.version = x.version;
    b.arriving = true;
    if (!is_guest(x.block)) return;
    ++guests_;
    b.arcs = used_;
    used_ += arcs;
  }
  void arrived(std::int64_t b) { at(b).arriving = false; }

  /// For arcs that nobody has yet.
  [[nodiscard]] std::int64_t room() const noexcept {
    return static_cast<std::int64_t>(columns_.size()) - used_;
  }
  // Guests' rows; positions count from the block's first arc where they are set.
  void set_degree(std::int64_t v, std::int64_t degree) {
    const std::int64_t b = block_of(v);
    if (v == first(b)) offsets_[place(v)] = at(b).arcs;
    offsets_[place(v) + 1] = offsets_[place(v)] + degree;
  }
  void set_arc(std::int64_t b, std::int64_t i, Id column, const Weight& weight) {
    const auto k = static_cast<std::size_t>(at(b).arcs + i);
    columns_[k] = column;
    if (weights_.size() > 0) weights_[k] = weight;
  }
  [[nodiscard]] row_arcs<Id, Weight> guest_row(std::int64_t v) const {
    return {columns_.data(), weights_.data(), offsets_[place(v)], offsets_[place(v) + 1]};
  }

 private:
  struct block {
    int home = -1, owner = -1;
    std::uint32_t version = 0;
    bool arriving = false;
    std::int64_t arcs = -1;  ///< a guest's first
  };

  static int shift_of(std::int64_t placed, int ranks, int blocks) {
    const auto each = placed / (static_cast<std::int64_t>(ranks) * blocks);
    return each < 2 ? 0 : std::bit_width(static_cast<std::uint64_t>(each)) - 1;
  }
  static std::int64_t blocks_of(std::int64_t placed, int shift) {
    return (placed + (std::int64_t{1} << shift) - 1) >> shift;
  }
  template <class Owners>
  static int home_of(const Owners& owners, std::int64_t first, std::int64_t last) {
    const int home = owners.owner(first);
    for (std::int64_t v = first; v < last; ++v)
      if (owners.owner(v) != home || owners.local(v) - owners.local(first) != v - first) return -1;
    return home;
  }
  /// A block has an offset more than it has vertices.
  [[nodiscard]] std::size_t place(std::int64_t v) const {
    return static_cast<std::size_t>(v + block_of(v));
  }
  [[nodiscard]] block& at(std::int64_t b) { return blocks_[static_cast<std::size_t>(b)]; }
  [[nodiscard]] const block& at(std::int64_t b) const {
    return blocks_[static_cast<std::size_t>(b)];
  }

  int self_ = 0, shift_ = 0;
  std::int64_t placed_ = 0;
  std::vector<block> blocks_;
  shared_array<edge_offset> offsets_;  ///< [placed + blocks]
  shared_array<Id> columns_;           ///< [guest_arcs]
  shared_array<Weight> weights_;       ///< the same, or none
  edge_offset used_ = 0;
  std::int64_t guests_ = 0;
};

}  // namespace gossamer
