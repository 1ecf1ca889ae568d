// builder: what algorithms write a rank's part with.
//
// An algorithm is a function of the builder that says what moves where in one epoch. It sees
// positions and blocks; it does not see epochs, flow control, or whether output may be written by
// others: finish() adds those (finish.cpp).
#pragma once

#include <cstddef>

#include "collective/schedule/layout.hpp"
#include "gossamer/collective/pattern.hpp"
#include "gossamer/collective/schedule.hpp"

namespace gossamer {

class builder {
 public:
  builder(const layout& where, int rank);

  const layout& shape;
  const int p;     ///< number of ranks
  const int rank;  ///< whose part it is
  const int me;    ///< its position

  [[nodiscard]] int at(int position) const { return shape.rank_at(position); }
  [[nodiscard]] bool is_root() const { return me == 0; }
  [[nodiscard]] std::size_t count() const { return shape.request().count; }
  /// The input is already where the output has it. False while output is staged.
  [[nodiscard]] bool in_place() const { return in_place_; }
  /// Pieces for pipelined algorithms, at least 1.
  [[nodiscard]] int segments() const;
  /// Where piece i of `pieces` of the vector begins: at a line of memory where elements allow it.
  [[nodiscard]] std::size_t piece_begin(int pieces, int i) const;

  static buffer_place input(std::size_t offset = 0) { return {buffer_id::input, offset}; }
  static buffer_place output(std::size_t offset = 0) { return {buffer_id::output, offset}; }
  static buffer_place scratch(std::size_t offset = 0) { return {buffer_id::scratch, offset}; }

  /// Counters that the algorithm uses: the same number on every rank.
  void need_signals(int n) { part_.signals = n; }
  void need_scratch(std::size_t elements) { part_.scratch = elements; }
  /// Peers' outputs are written by puts. Every rank says so, before anything else.
  void writes_remote_output();
  /// Nobody ends an epoch before all have begun it, though the operation does not ask for that: no
  /// rank can run ahead.
  void all_hear_all() { all_hear_all_ = true; }
  /// The same, and nobody writes into an output before all have begun the epoch.
  void output_follows_all() { all_hear_all_ = output_follows_all_ = true; }
  /// The steps that follow belong to this round of the pattern.
  void round(int r) { round_ = r; }
  /// … and to this lane (step::lane). -1 ends it.
  void lane(int l) { lane_ = l; }

  // All peers are given as positions.
  void put(int position, buffer_place from, buffer_place to, std::size_t n, int signal = -1);
  void notify(int position, int signal) { put(position, {}, {}, 0, signal); }
  void wait(int signal, int position);
  /// Waits for every other position's signal `first` + position, nearest predecessor first.
  void wait_for_all(int first = 0);
  void copy(buffer_place from, buffer_place to, std::size_t n);
  /// to = a + b, in this order.
  void reduce(buffer_place a, buffer_place b, buffer_place to, std::size_t n);
  /// to = from + from[stride] + …, `parts` operands; operand own_part is `own`.
  void fold(buffer_place from, std::size_t stride, int parts, int own_part, buffer_place own,
            buffer_place to, std::size_t n);
  void flush(int position);
  /// In place, what was put from input so far is about to be overwritten: completes those puts.
  void release_input();

  /// Puts input blocks of positions first … last-1 (in order of rank here) into blocks that lie in
  /// order of position there, or the other way round; the last put raises `signal`. `base` is where
  /// the packed side begins.
  void put_packed(int position, buffer_place from, buffer_place base, int first, int last,
                  int signal);
  void put_unpacked(int position, buffer_place base, buffer_place to, int first, int last,
                    int signal);
  /// Puts the blocks of positions first … last-1 of a vector in order of rank to the same place of
  /// `to`'s buffer; the last put raises `signal`.
  void put_blocks(int position, buffer_id from, buffer_id to, int first, int last, int signal);

  /// Output staging, flow control, chains.
  rank_schedule finish() &&;

 private:
  struct run {
    std::size_t in_order, packed, n;
  };
  /// Maximal runs of blocks that are neighbours in both orders.
  [[nodiscard]] std::vector<run> runs(int first, int last) const;
  /// True when `rank`'s output is a piece of its scratch until the end of the epoch.
  [[nodiscard]] bool staged(int rank) const;
  /// In place through host memory: one stage lies in the other, as input and output do. (Blocks of
  /// all_to_all change places, which needs both.)
  [[nodiscard]] bool stages_overlap() const;
  void stage_output();
  void add_flow_control();
  void number_chains();

  rank_schedule part_;
  bool in_place_;
  bool remote_output_ = false;
  bool all_hear_all_, output_follows_all_ = false;
  /// With what all steps have.
  [[nodiscard]] step begun(step_kind kind) const;
  /// The part's next step; capacity_error where they take more than the host has.
  void add(const step& s);

  int round_ = 0, lane_ = -1;
};

}  // namespace gossamer
