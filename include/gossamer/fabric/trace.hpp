// The timeline of runs: what each rank did and when, as events that Chrome, Perfetto and
// `gossamer trace summary` read.
//
//   auto t = std::make_shared<timeline>();
//   options.run.trace = t;              // run_options: every run with them is recorded
//   search.run(source);                 // any number of runs
//   std::ofstream("run.json") << t->json();
//
// Contract. Recording is off unless a run is given a timeline. Off, each place that could record
// costs one branch on a pointer. On, each rank has a recorder of its own, whose memory is taken
// before the run: recording allocates nothing and takes no lock. A recorder that is full counts
// what it drops, and the trace says so. Times are those of rank::clock(): wall time, or the virtual
// time of a modelled machine, whose traces therefore repeat byte by byte. Where ranks are MPI
// processes, every process has the events of all when a run has ended, moved to rank 0's clock.
//
// The fabric records by itself: puts and gets (`copy`; stores through window::direct are not seen)
// and every wait of a rank's thread that does not end at once (`wait`). Algorithms add spans of
// work (`compute`), levels and the part of a run that is timed. On a GPU rank, spans, copies and
// waits in a stream lie between CUDA events recorded in it, which takes about a microsecond each;
// a kernel that runs for long writes its own phases (trace_device.cuh).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/fabric/phase_log.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer {

/// What an event is.
enum class trace_class : std::uint8_t {
  run,       ///< what an algorithm times as one run of it
  level,     ///< one level or iteration
  compute,   ///< work on the rank's own data
  exchange,  ///< work for the sake of peers: packing, starting copies, agreeing
  copy,      ///< bytes on their way between two ranks
  wait,      ///< for a peer, or for the rank's own stream
};
/// "run", "level", "compute", "exchange", "copy", "wait".
std::string_view to_string(trace_class kind) noexcept;

/// Where it took place.
enum class trace_track : std::uint8_t {
  host,    ///< the rank's thread: all work of a CPU or modelled rank; on GPU ranks what drives it
  stream,  ///< rank::stream() of a GPU rank
  kernel,  ///< phases inside kernels
  beside,  ///< beside these: transfers of a modelled network, other streams
};

struct trace_event {
  const char* name = "";            ///< outlives the timeline: a literal
  double begin = 0, end = 0;        ///< s of rank::clock()
  std::int64_t amount = 0;          ///< copy: bytes; level: vertices of the frontier, or 0
  std::int32_t level = -1;          ///< -1: outside of levels
  std::int32_t from = -1, to = -1;  ///< copy: ranks; wait: `from` is waited for, -1 = any
  trace_class kind = trace_class::compute;
  trace_track on = trace_track::host;
};

/// What a phase is called: a literal.
struct trace_phase {
  const char* name = "";
  trace_class kind = trace_class::compute;
};

/// One rank's events of one run. Used by the rank's thread only.
class trace_recorder {
 public:
  struct device_side;  ///< events and buffers of a GPU rank
  trace_recorder(const machine& m, int rank, std::size_t events);
  ~trace_recorder();
  trace_recorder(const trace_recorder&) = delete;
  trace_recorder& operator=(const trace_recorder&) = delete;

  void add(const trace_event& e) noexcept {
    // The end of a run is recorded last, and without it nothing can be told. So it has room of its
    // own.
    if (used_ + (e.kind == trace_class::run ? 0 : room_for_runs) < events_.size())
      events_[used_++] = e;
    else
      ++dropped_;
  }
  [[nodiscard]] double now() const { return rank_->clock(); }
  /// Level of what is recorded next.
  [[nodiscard]] std::int32_t level() const noexcept { return level_; }
  void set_level(std::int32_t level) noexcept { level_ = level; }
  /// False inside of a wait: what goes on within a wait is part of it.
  bool enter_wait() noexcept { return depth_++ == 0; }
  void leave_wait() noexcept { --depth_; }

  /// GPU ranks: marks a moment in a stream. Returns the number that `close` takes, -1 when none is
  /// left.
  int open(const stream& on);
  /// Records the event from that moment to now, in stream order. `e` comes without times and track.
  void close(int opened, const trace_event& e, const stream& on);

  /// A moment of a GPU's global timer as time of rank::clock(). CPU ranks: the same in seconds.
  [[nodiscard]] double at(std::uint64_t timer) const noexcept;
  [[nodiscard]] bool on_gpu() const noexcept { return device_ != nullptr; }
  [[nodiscard]] const stream& main() const noexcept { return rank_->stream(); }
  [[nodiscard]] bool marks_ranges() const noexcept { return ranges_; }
  [[nodiscard]] std::span<const trace_event> events() const noexcept {
    return {events_.data(), used_};
  }
  /// Events dropped for lack of room; once the run has ended, also moments that were never settled.
  [[nodiscard]] std::uint64_t dropped() const noexcept;

  // --- called by machine::run and by trace_phases() ---------------------------------------------
  void attach(rank* r) noexcept { rank_ = r; }
  void clear() noexcept;
  /// The rank's stream has begun: relates the GPU's clocks to the host's.
  void relate_clocks();
  /// All work has ended: moments in streams and phases of kernels become events.
  void settle();
  phase_log phases(std::span<const trace_phase> names);

 private:
  static constexpr std::size_t room_for_runs = 8;
  void settle_phases();
  std::vector<trace_event> events_;
  std::size_t used_ = 0;
  std::uint64_t dropped_ = 0;
  rank* rank_ = nullptr;
  std::int32_t level_ = -1;
  int depth_ = 0, id_;
  bool ranges_;
  std::unique_ptr<device_side> device_;  ///< null on CPU ranks
  std::span<const trace_phase> names_;
  std::vector<phase_record> records_;  ///< CPU ranks' log, and where a GPU's is copied to
  std::uint32_t written_ = 0;
};

/// Events of any number of runs of one machine.
class timeline {
 public:
  /// `events`: how many one run may have, all ranks together, 48 bytes each. A rank has room for
  /// its share, at least 256 and at most 262,144.
  explicit timeline(std::size_t events = std::size_t{1} << 20);
  ~timeline();
  timeline(const timeline&) = delete;
  timeline& operator=(const timeline&) = delete;

  /// Bytes of host memory that recording on `m` takes from each of its ranks.
  [[nodiscard]] std::size_t bytes_per_rank(const machine& m) const;

  /// What an algorithm knows of its run: name, time as it measured it, integers by name, and the
  /// engine, empty where it has none. Said after machine::run has returned. A run that failed is
  /// not described.
  void describe(std::string algorithm, double milliseconds,
                std::vector<std::pair<std::string, std::int64_t>> facts = {},
                std::string engine = {});
  [[nodiscard]] std::size_t events() const;     ///< kept so far, all ranks
  [[nodiscard]] std::uint64_t dropped() const;  ///< for lack of room
  [[nodiscard]] std::vector<trace_event> events_of(int rank) const;
  /// Chrome's trace event format, JSON Object Format: complete events (X), levels once more as
  /// instants (i), names of processes and threads (M); `otherData` holds the machine, its links and
  /// the runs. Microseconds from the first event on.
  [[nodiscard]] std::string json() const;

  // --- called by machine::run -------------------------------------------------------------------
  /// Takes the memory of a run. usage_error when the timeline holds runs of another machine, or is
  /// in a run.
  void begin(const machine& m);
  /// Null for ranks of other processes.
  [[nodiscard]] trace_recorder* of(int rank) const;
  /// The rank's program has ended well. Collective where ranks are processes.
  void collect(rank& r);
  void end();

  struct state;  ///< opaque

 private:
  std::unique_ptr<state> state_;
};

/// Work of the rank's thread from here to the end of the scope. Under a profiler that knows NVTX, a
/// range.
class trace_span {
 public:
  /// `kind`: compute or exchange.
  trace_span(rank& r, const char* name, trace_class kind = trace_class::compute)
      : to_(r.tracing()) {
    if (to_ != nullptr) begin(name, kind, nullptr);
  }
  /// The same with the work that is put into `on` meanwhile, on a GPU rank. The scope should hold
  /// launches and no waits, which would be taken for work.
  trace_span(rank& r, const char* name, const stream& on) : to_(r.tracing()) {
    if (to_ != nullptr) begin(name, trace_class::compute, &on);
  }
  ~trace_span() {
    if (to_ != nullptr) end();
  }
  trace_span(const trace_span&) = delete;
  trace_span& operator=(const trace_span&) = delete;

 private:
  void begin(const char* name, trace_class kind, const stream* on);
  void end();
  trace_recorder* to_;
  const stream* on_ = nullptr;  ///< of a GPU
  trace_event event_;
  int opened_ = -1;
};

/// One level from here to the end of the scope: everything recorded inside belongs to it.
class trace_level {
 public:
  /// `name`: "top-down", …; `frontier`: vertices, or 0.
  trace_level(rank& r, const char* name, std::int64_t level, std::int64_t frontier = 0)
      : to_(r.tracing()) {
    if (to_ != nullptr) begin(name, level, frontier);
  }
  ~trace_level() {
    if (to_ != nullptr) end();
  }
  trace_level(const trace_level&) = delete;
  trace_level& operator=(const trace_level&) = delete;

 private:
  void begin(const char* name, std::int64_t level, std::int64_t frontier);
  void end();
  trace_recorder* to_;
  trace_event event_;
  std::int32_t outer_ = -1;
};

/// What the algorithm times as one run on this rank: from `begin` (rank::clock()) for `seconds`.
void trace_run(rank& r, const char* algorithm, double begin, double seconds);

/// One level that ran inside a kernel, between two moments of the GPU's global timer (ns).
void trace_kernel_level(rank& r, const char* name, std::int64_t level, std::int64_t frontier,
                        std::uint64_t begin, std::uint64_t end);

/// Where kernels of this rank may write phases in this run. All of them share one log, so one set
/// of names serves a run. Records are read when the rank's program has ended. Empty when nothing is
/// recorded. `names` outlives the run.
phase_log trace_phases(rank& r, std::span<const trace_phase> names);

}  // namespace gossamer
