// What the stages of steps see of their rank, and what a compiled program of steps consists of.
// Compilers that run when programs do have this file as text, and nothing of the standard library.
#pragma once

namespace gossamer::steps_detail {

/// A number that all ranks know: a whole one or a truth, or a fraction.
union step_word {
  long long whole;
  double real;
};

/// Arcs that leave a rank's own vertices, or arcs that lead to them.
struct step_rows {
  const long long* offsets;  ///< [own + 1], from 0
  const void* columns;       ///< ids, int or long long
  const void* weights;       ///< of the graph's own type; null: none
};

struct step_view {
  long long first, last;  ///< own ids that have a vertex
  long long shift;        ///< an id less its vertex
  step_rows rows[2];      ///< out, in
  void* const* arrays;    ///< each by id: of the own ones, or of all where others read it
  const step_word* numbers;
  bool alone;  ///< nobody else writes to vertices at the same time
};

/// A program for CPU ranks. Stages are numbered from 0; -1 is the end.
struct step_program {
  int words;  ///< that a stage reports at most
  /// Of own ids from begin to end; fills what the stage reports.
  void (*run)(int stage, const step_view& g, long long begin, long long end, step_word* out);
  void (*join)(int stage, step_word* all, const step_word* more);
  /// Takes what all ranks' stage reported into the numbers; the next stage. Stage -1: the first.
  int (*next)(int stage, const step_word* all, step_word* numbers);
};

}  // namespace gossamer::steps_detail
