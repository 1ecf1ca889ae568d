// rank: a device inside a parallel run, and everything it can do to its peers.
//
// Concrete class; each bulk operation costs one virtual call into the channel that serves the pair.
// Fine-grained code asks window::direct(peer) for a span, or, in kernels, uses window_device.cuh.
// A rank is used by one thread only: the one `machine::run` gave it to.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gossamer/fabric/window.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer {

class put_list;
class trace_recorder;  // trace.hpp
/// What collectives cost in software on a modelled machine: once per call, once for each step that
/// waits for a peer, and once for each further peer that such a step waits for.
enum class software_cost : std::uint8_t { call, step, look };
struct device_guard;  // device-side bounds of waits, see window_device.cuh

class rank {
 public:
  struct state;  ///< opaque, layer fabric
  explicit rank(std::unique_ptr<state> s);
  rank(const rank&) = delete;
  rank& operator=(const rank&) = delete;
  ~rank();

  [[nodiscard]] int id() const noexcept { return id_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] const device& dev() const noexcept { return *device_; }
  [[nodiscard]] const machine& owner() const noexcept;
  /// The stream that calls use when none is given.
  [[nodiscard]] const gossamer::stream& stream() const noexcept;
  /// Further streams of this rank: 0, 1, … (the same for the same number; stream() on a CPU rank).
  /// Made at first use and kept by the machine; only events order them against stream().
  [[nodiscard]] const gossamer::stream& extra_stream(std::size_t which);
  /// True when the address lies in this rank's arena of native memory.
  [[nodiscard]] bool is_native(const void* address) const noexcept;
  /// As long as somebody has it, this rank's native memory with the windows in it stays allocated,
  /// beyond the run and the machine. For views of it that others hold. Later runs write into it.
  [[nodiscard]] std::shared_ptr<void> keep_memory() const;
  /// Seconds on the rank's clock: monotonic wall time, or virtual time on a modelled machine.
  [[nodiscard]] double clock() const;
  /// Accounts local work on a modelled machine; free on real ones.
  void charge(double seconds);
  /// The same for one kernel (home::host: one loop of the host's processor) that moves `bytes` to
  /// and from memory and computes `flops`.
  void charge(double bytes, double flops, home where = home::native);
  /// The same for a copy within this rank's memories.
  void charge_copy(const void* to, const void* from, std::size_t bytes);
  /// The same for what a system's communication software costs beyond its transfers.
  void charge(software_cost what);

  // --- memory, collective: all ranks call in the same order -------------------------------------

  /// A window with `n` elements here (sizes may differ by rank). Contents are undefined. Throws
  /// rank_error on every rank when sequence or element size differ, capacity_error when the arena
  /// planned in run_options is too small.
  template <class T>
  window<T> make_window(std::size_t n, home where = home::native) {
    static_assert(std::is_trivially_copyable_v<T>);
    return window<T>(&make_table(n, sizeof(T), where, false));
  }
  /// `n` counters per rank, all zero.
  signal_set make_signals(std::size_t n, home where = home::native) {
    return signal_set(&make_table(n, sizeof(std::uint64_t), where, true));
  }
  signal make_signal(home where = home::native) { return make_signals(1, where)[0]; }
  /// Brings every rank's `bytes` from `mine`, in rank order, into `all` (size() x bytes). For
  /// set-up only: it goes through host memory and takes microseconds.
  void exchange(std::span<const std::byte> mine, std::span<std::byte> all);

  // --- memory, local ----------------------------------------------------------------------------

  /// Scratch from this rank's arena, until the run ends.
  template <class T>
  std::span<T> scratch(std::size_t n, home where = home::native) {
    return {static_cast<T*>(carve(bytes_for(n, sizeof(T)), where)), n};
  }

  /// Sets `bytes` bytes of this rank's memory, in stream order.
  void fill(void* data, int value, std::size_t bytes, const gossamer::stream* on = nullptr);

  // --- one-sided operations ---------------------------------------------------------------------
  // `on` = nullptr means r.stream(). Offsets and counts are in elements; a range outside the peer's
  // window throws usage_error before anything moves. Sources and destinations may be host or (on
  // GPU ranks) device memory. A stream given as `on` must live until quiet(), barrier() or
  // synchronize(on) was called after its last use; the end of a run completes r.stream() only.

  template <class T>
  void put(const window<T>& to, int peer, std::size_t offset,
           std::type_identity_t<std::span<const T>> data, const gossamer::stream* on = nullptr) {
    put_bytes(to.table(), peer, offset, data.data(), data.size(), on);
  }
  template <class T>
  void get(const window<T>& from, int peer, std::size_t offset,
           std::type_identity_t<std::span<T>> into, const gossamer::stream* on = nullptr) {
    get_bytes(from.table(), peer, offset, into.data(), into.size(), on);
  }
  /// put, then raise the peer's `flag`; data is there when the signal is seen.
  template <class T>
  void put_signal(const window<T>& to, int peer, std::size_t offset,
                  std::type_identity_t<std::span<const T>> data, const signal& flag,
                  std::uint64_t value, signal_op op = signal_op::set,
                  const gossamer::stream* on = nullptr) {
    put_signal_bytes(to.table(), peer, offset, data.data(), data.size(), flag, value, op, on);
  }
  /// Raises the peer's counter after every earlier put of the same stream to that peer.
  void raise(const signal& flag, int peer, std::uint64_t value, signal_op op = signal_op::set,
             const gossamer::stream* on = nullptr);
  /// Waits until this rank's counter is >= value; acquire. On a GPU rank the stream waits (a small
  /// kernel with a deadline) and the call returns at once; failures surface at synchronize(). Until
  /// then the stream runs on: kernels behind a wait must bear whatever its memory holds. Where
  /// kernels of ranks that share the GPU take turns, the call itself waits.
  /// `from`: the peer expected to raise it, for the deadline and the message; -1 = any.
  void wait_signal(const signal& flag, std::uint64_t value, int from = -1,
                   const gossamer::stream* on = nullptr);
  /// Blocks the calling thread (on GPU ranks too) until one of the counters first … first+n-1 is
  /// >= value; returns its index.
  std::size_t wait_any(const signal_set& flags, std::size_t first, std::size_t n,
                       std::uint64_t value);
  /// The same with a value for each counter: until counter first+i is >= values[i] for some i.
  std::size_t wait_any(const signal_set& flags, std::size_t first,
                       std::span<const std::uint64_t> values);
  /// Blocks until counter i is >= values[i] for some i < values.size(), and returns the first such
  /// i. Returns nothing when `limit` ran out before. On a modelled machine, whose time `limit` does
  /// not bound, returns nothing when nothing can happen any more. For protocols with a watch of
  /// their own: as long as `limit` is shorter than deadline(), no wait is too long.
  std::optional<std::size_t> wait_any_for(const signal_set& flags,
                                          std::span<const std::uint64_t> values,
                                          std::chrono::nanoseconds limit);
  /// How long a wait of this run lasts without any progress of the peer.
  [[nodiscard]] std::chrono::nanoseconds deadline() const noexcept;
  /// Grows with every fabric call of `peer`, as far as this rank knows (relaxed).
  [[nodiscard]] std::uint64_t heartbeat(int peer) const;
  /// True when this rank's counter is >= value now; acquire.
  [[nodiscard]] bool test_signal(const signal& flag, std::uint64_t value);
  /// Value of this rank's counter now; acquire. Home native on a GPU rank costs a copy.
  [[nodiscard]] std::uint64_t read_signal(const signal& flag);

  /// From now on raised_at() knows when transfers raise these counters of this rank. Free on real
  /// machines, where it stays unknown.
  void watch(const signal_set& flags);
  /// When this rank's counter was raised last, in seconds on a modelled machine's clocks: tells how
  /// long a transfer took that nobody waited for. NaN if never, not watched, or on a real machine.
  [[nodiscard]] double raised_at(const signal& flag) const;

  /// Blocks the calling thread (on GPU ranks too) until element `index` of this rank's part of a
  /// host-memory window of 64-bit words is at or after `value`, and returns it; acquire. "After" is
  /// the order of a count that wraps: a distance below 2^63, modulo 2^64. For protocols whose data
  /// travels with its flag.
  std::uint64_t wait_word(const window_table& words, std::size_t index, std::uint64_t value,
                          int from);

  /// Atomic on one element of the peer's window; T is a 4- or 8-byte integer. Returns the value
  /// before. Blocks until done, on GPU ranks after the work in r.stream().
  template <class T>
  T fetch_add(const window<T>& w, int peer, std::size_t offset, std::type_identity_t<T> operand) {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    return static_cast<T>(
        atomic(w.table(), peer, offset, true, static_cast<std::uint64_t>(operand), 0));
  }
  template <class T>
  T compare_and_swap(const window<T>& w, int peer, std::size_t offset,
                     std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    return static_cast<T>(atomic(w.table(), peer, offset, false,
                                 static_cast<std::uint64_t>(expected),
                                 static_cast<std::uint64_t>(desired)));
  }

  /// After it, sources of earlier puts to `peer` may be reused and their data is visible there.
  void flush(int peer);
  /// flush() of all peers, all streams used so far.
  void quiet();
  /// quiet(), then returns when every rank has entered; earlier puts of all ranks are visible.
  void barrier();
  /// Waits for r.stream() (or `on`), watching for failures of other ranks; throws rank_error.
  void synchronize(const gossamer::stream* on = nullptr);
  /// Says "alive" in long computations without fabric calls; throws when the run was aborted.
  void progress();
  /// The same, and rank 0 hands `done`, 0 to 1, to run_options::progress.
  void progress(double done);

  /// Wakes the peer's thread if it sleeps in a wait. For code whose own stores (window::direct)
  /// change what the peer waits for. Never needed, since sleepers look every 100 us.
  void nudge(int peer);

  /// Prepared transfers, started by one call, any number of times.
  put_list make_put_list();

  /// What kernels need to bound their waits (see window_device.cuh). GPU ranks only. Throws
  /// usage_error where ranks share the GPU and its kernels take turns (see shared_kernels() in
  /// topology.hpp), or are processes: kernels that wait for each other would only time out.
  [[nodiscard]] const device_guard& guard() const;

  /// Where this rank records what it does; null when the run is not recorded.
  [[nodiscard]] trace_recorder* tracing() const noexcept { return trace_; }

  [[nodiscard]] state& internals() const noexcept { return *state_; }

 private:
  friend class put_list;
  const window_table& make_table(std::size_t n, std::size_t element, home where, bool zero);
  void* carve(std::size_t bytes, home where);
  void put_bytes(const window_table& w, int peer, std::size_t offset, const void* data,
                 std::size_t n, const gossamer::stream* on);
  void put_signal_bytes(const window_table& w, int peer, std::size_t offset, const void* data,
                        std::size_t n, const signal& flag, std::uint64_t value, signal_op op,
                        const gossamer::stream* on);
  void get_bytes(const window_table& w, int peer, std::size_t offset, void* data, std::size_t n,
                 const gossamer::stream* on);
  std::uint64_t atomic(const window_table& w, int peer, std::size_t offset, bool add,
                       std::uint64_t a, std::uint64_t b);

  std::unique_ptr<state> state_;
  const device* device_ = nullptr;
  trace_recorder* trace_ = nullptr;
  int id_ = 0, size_ = 1;
};

/// Transfers prepared once (addresses checked, descriptors made), started by one call, restarted
/// any number of times. Starting allocates and registers nothing. Sources are read at start().
class put_list {
 public:
  explicit put_list(rank& r) : rank_(&r) {}
  template <class T>
  put_list& put(const window<T>& to, int peer, std::size_t offset,
                std::type_identity_t<std::span<const T>> data) {
    add(to.table(), peer, offset, data.data(), data.size(), nullptr);
    return *this;
  }
  /// The counter grows by one at every start: signals of a list are always signal_op::add.
  template <class T>
  put_list& put_signal(const window<T>& to, int peer, std::size_t offset,
                       std::type_identity_t<std::span<const T>> data, const signal& flag) {
    add(to.table(), peer, offset, data.data(), data.size(), &flag);
    return *this;
  }
  void start(const gossamer::stream* on = nullptr);
  [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

 private:
  struct item {
    const window_table* table = nullptr;
    int peer = -1;
    std::size_t offset = 0, count = 0;
    const void* data = nullptr;
    signal flag;
  };
  void add(const window_table& w, int peer, std::size_t offset, const void* data, std::size_t n,
           const signal* flag);
  rank* rank_;
  std::vector<item> items_;
};

}  // namespace gossamer
