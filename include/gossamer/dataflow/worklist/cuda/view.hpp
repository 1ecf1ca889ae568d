// What the kernel of a distributed worklist sees, and what it keeps from round to round.
//
// One persistent kernel a GPU runs the operators of dataflow/operator_worklist.hpp. There is no
// host between rounds, and no rank waits for another while it has work. In a round all blocks of a
// GPU relax its queue, take in what other GPUs have announced, and send what the round before has
// put aside for them. Then they meet (gossamer/dataflow/worklist/cuda/meeting.cuh), and the last to
// come decides what is next.
//
// Ranks may also go in step (`in_step`): they relax, exchange all that came of it, and tell each
// other how much there is to do. Then nobody works on with values that others have bettered. That
// is for skewed graphs, whose few rounds are full.
//
// Messages. Each pair of ranks has a ring in the receiver's memory that the sender alone writes. A
// message carries its lap (collective/word_pair.hpp): it is whole when its lap is there, and needs
// no fence. The sender announces how many there will be before it writes them, and reuses a place
// when the receiver has said that it was read. A message that finds no place waits in the sender's
// list and goes later, with the newest value. So nothing is lost, and nothing sent twice.
//
// Values are of two kinds. Those that improve (distances, labels) may come twice and are kept when
// they are passed on. Sums (`Operator::sums`) are added to by atomics, and emptied by whoever takes
// them, to work on them or to send them. Each part counts once, wherever it is (sums.cuh).
//
// Bounds. A vertex is in a round's next queue once: it sets its mark of that round's parity. It is
// on the pile of deferred vertices once (`far_mark`). In the list for its owner it is at most
// twice, and once a round. Its mark there (`out_mark`) is cleared when it is sent, while others
// that were put aside before it may not have been sent yet. A round sends what those before put
// aside.
#pragma once

#include <cstdint>

#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/fabric/guard.hpp"
#include "gossamer/fabric/phase_log.hpp"

namespace gossamer::dataflow::cuda {

/// Whether values are sums.
template <class Operator>
inline constexpr bool is_sum = requires {
  requires Operator::sums;
};

/// What crosses ranks beside the vertex: the operator's own `message`, else its value.
template <class Operator>
struct message_in {
  using type = typename Operator::value;
};
template <class Operator>
requires requires {
  typename Operator::message;
}
struct message_in<Operator> {
  using type = typename Operator::message;
};
template <class Operator>
using message_of = typename message_in<Operator>::type;

/// Whether the operator has callbacks of its own (gpu_worklist.cuh); absent ones leave no code.
template <class Operator>
inline constexpr bool has_message = requires {
  typename Operator::message;
};
template <class Operator>
inline constexpr bool has_on_send = requires(const Operator& by, std::int32_t vertex,
                                             const typename Operator::value& v) {
  by.on_send(vertex, v) ? 1 : 0;
};
template <class Operator>
inline constexpr bool has_on_receive = requires(const Operator& by, std::int32_t vertex,
                                                typename Operator::value& at,
                                                const typename Operator::value& incoming) {
  by.on_receive(vertex, at, incoming) ? 1 : 0;
};

/// Whether the operator's values have the order of their words and can be made from priorities
/// (pull.cuh).
template <class Operator>
inline constexpr bool has_of_priority = requires(const Operator& by) {
  Operator::of_priority(by, 0.0);
};

inline constexpr int list_threads = 1024;  ///< of a block: one block a multiprocessor
inline constexpr int list_warps = list_threads / 32;
inline constexpr int most_list_ranks = 8;
/// Entries of a block's own queue in shared memory, of which there are two.
inline constexpr int own_entries = 1024;
/// A round of at most so many vertices a block is worked off in the blocks' own queues.
inline constexpr int own_share = own_entries / 2;
/// Of other graphs than networks, a round of at most so many vertices goes to one block.
inline constexpr int lone_share = 128;
/// Steps from vertex to vertex that a block goes alone before all meet.
inline constexpr int own_steps = 16;
/// Rounds of one launch at most: the host looks for a request to stop in between.
inline constexpr std::uint32_t launch_rounds = 8192;
/// Cuts (pull.cuh): at how many first windows the first one lies, and the longest row that one warp
/// pulls along.
inline constexpr double cut_windows = 2;
inline constexpr unsigned long long longest_pulled = 2048;
/// Beyond it cuts cannot be told from values that are not there yet.
inline constexpr double farthest_cut = 2147483648.0;

/// Where an arc leads, and its weight: one load. Arcs without weights are the vertex alone.
template <class Weight>
struct alignas(2 * sizeof(Weight)) device_arc {
  std::int32_t to;
  Weight weight;
};
/// No empty member that shares its address: nvcc 13.0 gives it room in device code.
template <>
struct device_arc<no_weight> {
  std::int32_t to;
};

/// Rows that lie in the GPU's memory: offsets from 0, arcs of the own rows.
template <class Weight>
struct rows_there {
  const edge_offset* offsets;
  const device_arc<Weight>* arcs;
  std::int64_t count;  ///< of arcs
};

template <class Weight>
GOSSAMER_HD Weight weight_along(const device_arc<Weight>& a) {
  return a.weight;
}
GOSSAMER_HD inline no_weight weight_along(const device_arc<no_weight>&) {
  return {};
}

/// What a round found, added up by atomics between two meetings. Queue and list of long rows as in
/// gossamer/dataflow/worklist/cuda/row_queue.cuh.
struct list_sums {
  unsigned long long queued, longs;
  unsigned long long stepped;               ///< worked on in blocks' own steps
  unsigned long long far;                   ///< for the pile
  unsigned long long nearer;                ///< not 0: something in the pile has become better
  unsigned long long nearest;               ///< see nearness(), of what a split left in the pile
  unsigned long long out[most_list_ranks];  ///< for the list of each rank
  /// pull.cuh: arcs of vertices settled since the last cut, and of open ones; the longest such row.
  unsigned long long settled_arcs, open_arcs, longest_open;
};

/// Over all launches of a run, added to when a kernel ends.
struct list_totals {
  /// In blocks' own queues. Sums: less those listed that were not worth work when their turn came.
  unsigned long long items;
  unsigned long long looks, repeated, useless, filtered;
  double left;  ///< sums: what is known here and was not taken
};

/// weigh, gather, pull: pull.cuh. exchange: of ranks in step.
enum class list_phase : std::uint32_t {
  begin,
  work,
  split,
  wait,
  weigh,
  gather,
  pull,
  exchange,
  finished
};

/// Decided by the last block to come to a meeting, read by all after it.
struct list_state {
  list_phase next;
  std::uint32_t meetings;  ///< they tell each other apart by their number
  std::uint32_t which;     ///< of the queues
  std::uint32_t pile;      ///< of the piles
  unsigned long long queued, longs, far;
  double delta;               ///< width of the next window
  double settled, threshold;  ///< priorities up to `settled` are done, those up to the other go now
  double nearest;             ///< no deferred vertex has a smaller priority
  double opened;              ///< the priority that the window began with
  double cut;       ///< offers beyond it are left out (pull.cuh); nothing_deferred: none are
  double last_cut;  ///< the one before, up to which nothing is left out any more, if `passed`
  std::uint32_t passed;
  std::uint32_t rest;                       ///< this round is for what was left out
  std::uint32_t weighed;                    ///< several ranks: they are agreeing on what follows
  std::uint64_t offers;                     ///< … 1: this rank would offer, not look back
  double beyond;                            ///< … the nearest of all priorities beyond the cut
  std::uint64_t worked;                     ///< own items, when the window began or was cut short
  std::uint64_t finished;                   ///< by all ranks, when the window began
  std::uint64_t appended[most_list_ranks];  ///< to the list for each rank, since the beginning
  std::uint64_t sent[most_list_ranks];      ///< … of it
  std::uint64_t to_send[most_list_ranks];   ///< in this round
  std::uint64_t received[most_list_ranks];  ///< from each rank
  std::uint64_t to_take[most_list_ranks];   ///< in this round
  std::uint64_t returned[most_list_ranks];  ///< of `received`, as their senders know
  std::uint64_t room[most_list_ranks];      ///< `sent` may grow to it
  std::uint64_t announcements[most_list_ranks];
  std::uint64_t step;        ///< in step: rounds that this rank has told the others the end of
  std::uint64_t agreements;  ///< rounds of reports
  unsigned long long rounds, waits, windows, items, stepped, deferred;
  std::uint64_t since;  ///< of a traced run: the last meeting, ns of the GPU's clock
};

/// What a rank tells another at the end of a round in step: which, and what it has ever listed for
/// it.
GOSSAMER_HD constexpr std::uint64_t end_of_step(std::uint64_t step, std::uint64_t listed) {
  return step << 40 | listed;
}

/// Bytes that the kernel keeps its termination_detector in.
inline constexpr std::int64_t detector_bytes = 512;
/// Words of `counts` for each rank: an even number, for the pairs behind them.
inline constexpr int count_words = 4;
/// Words of a report between kernels: four numbers, each a pair of words.
inline constexpr int report_words = 8;

struct list_view_base {
  int rank, ranks;
  std::int64_t starts[most_list_ranks + 1];  ///< rank r owns the vertices from starts[r] on
  std::int64_t rows;                         ///< own ones
  std::int64_t vertices;                     ///< all
  const edge_offset* offsets;                ///< [rows + 1]
  std::uint32_t* near_mark[2];               ///< bits of own vertices, by parity of the queue
  std::uint32_t* far_mark;                   ///< …
  std::uint32_t* worked_mark;                ///< …
  std::uint32_t* out_mark;                   ///< bits of all vertices
  std::int32_t* queue[2];  ///< [rows] of eight bytes: gossamer/dataflow/worklist/cuda/row_queue.cuh
  std::int32_t* pile[2];   ///< [rows]
  std::int32_t* out[most_list_ranks];  ///< rings of [out_mask + 1] vertices
  std::uint64_t out_mask[most_list_ranks];
  std::uint64_t* inbox;                      ///< [ranks][places] messages
  std::uint64_t* inbox_at[most_list_ranks];  ///< of each rank: this rank's ring
  std::uint64_t places;                      ///< of a ring, 1 << place_bits
  int place_bits;
  /// [count_words][ranks]: announced by, returned by each rank; in step: see end_of_step.
  std::uint64_t* counts;
  std::uint64_t* counts_at[most_list_ranks];   ///< of each rank, all
  std::uint64_t* reports;                      ///< [2][ranks][report_words]
  std::uint64_t* reports_at[most_list_ranks];  ///< of each rank, all
  std::uint64_t* settled;                      ///< several ranks with cuts: [vertices] values
  std::uint64_t* settled_at[most_list_ranks];  ///< of each rank, all
  double delta;                                ///< of the first window; 0: no priorities
  bool widens;      ///< windows that hold little are followed by wider ones
  bool narrows;     ///< windows that hold too much are cut short
  double cut;       ///< the first (pull.cuh); 0: nothing is left out
  bool short_rows;  ///< none is long, one thread walks each
  bool in_step;
  list_sums* sums;
  std::uint32_t* arrived;  ///< [2] see gossamer/dataflow/worklist/cuda/meeting.cuh
  list_state* state;
  list_totals* totals;
  void* detector;  ///< [detector_bytes]
  phase_log log;   ///< of a traced run: what was done between two meetings
  device_guard guard;
};
template <class Operator, class Weight>
struct list_view : list_view_base {
  using operator_type = Operator;
  using weight = Weight;
  Operator by;
  const device_arc<Weight>* arcs;
  typename Operator::value* values;  ///< [vertices]
};
template <class Operator, class Weight>
requires is_sum<Operator>
struct list_view<Operator, Weight> : list_view_base {
  using operator_type = Operator;
  using weight = Weight;
  Operator by;
  const device_arc<Weight>* arcs;
  typename Operator::value* values;
  /// [rows] what goes out along rows in chunks, taken before a round deals with any of them.
  typename Operator::value* taken;
};

/// The same for one rank: what others are for is left out of the kernel, which then takes half the
/// time to compile.
template <class Operator, class Weight>
struct lone_list_view : list_view<Operator, Weight> {
  static constexpr bool lone = true;
};

template <class View>
GOSSAMER_HD bool has_others(const View& v) {
  if constexpr (requires { View::lone; })
    return false;
  else
    return v.ranks > 1;
}
/// The first own vertex.
template <class View>
GOSSAMER_HD std::int64_t first_of(const View& v) {
  if constexpr (requires { View::lone; })
    return 0;
  else
    return v.starts[v.rank];
}

}  // namespace gossamer::dataflow::cuda
