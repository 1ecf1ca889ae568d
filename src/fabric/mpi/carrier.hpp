// process_carrier: the ranks of a machine are the processes of an MPI job, one rank a process.
//
// Between processes that share memory everything is direct: arenas and boards are shared_blocks
// that peers map. Only set-up data, failures, and the beginning and end of runs are messages. A
// bell in shared memory, rung with each message, spares a rank that computes the look into MPI's
// queues. Between other processes everything is a message (protocol.hpp). The owner of the memory
// applies it whenever it is in a fabric call, or by its progress thread (GOSSAMER_MPI_PROGRESS=on).
//
// MPI_Win_allocate_shared is not used: making and freeing such a window are collective and cannot
// be bounded, so one process that fails would hold all others.
//
// Where ranks are GPUs (mpi:cuda), the host side is the same, pinned for the GPUs on both sides;
// windows in device memory are reached by messages alone, which their owner applies
// (device_memory.hpp). Everything that touches the device or polls runs on the rank's thread, whose
// current device it is, or on the progress thread.
//
// A run begins when every process has said where its arenas are, and ends when every process has
// said that its rank has returned; so no process touches another's memory outside a common run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fabric/carrier.hpp"
#include "fabric/mpi/device_memory.hpp"
#include "fabric/mpi/messenger.hpp"
#include "fabric/mpi/protocol.hpp"
#include "fabric/run_state.hpp"
#include "machine/gpu_memory.hpp"
#include "machine/shared_block.hpp"

namespace gossamer::mpi {

class process_carrier final : public carrier {
 public:
  explicit process_carrier(machine& m);
  ~process_carrier() override;

  [[nodiscard]] bool here(int rank) const override { return rank == self_; }
  [[nodiscard]] bool spans_processes() const override { return ranks_ > 1; }
  [[nodiscard]] bool attends() const override { return ranks_ > 1; }
  std::byte* board(std::size_t bytes) override;
  void reserve(fabric_resources& resources, int rank, const arena_plan& plan) override;
  void begin(run_state& run) override;
  void end(run_state& run) override;
  void run(const std::function<void(int)>& job) override;
  [[nodiscard]] double now(int rank) const override;
  void charge(int, double) override {}  // real work takes real time
  void charge(int, double, double, home) override {}
  moment pause(int rank, backoff& pace) override;
  void enter(int rank, bool last) override;
  void exchange(rank::state& of, std::span<const std::byte> mine,
                std::span<std::byte> all) override;
  std::byte* address(fabric_resources& resources, int self, int peer, home where,
                     std::size_t offset) override;
  void aborted(run_state& run) override;

  // --- for channels to memory that is not shared ------------------------------------------------

  /// Adds an operation, with `bytes` of data when it is a put, to what is sent to `peer` next.
  void add(int peer, const operation& what, const void* data = nullptr, std::size_t bytes = 0);
  /// Sends what was added.
  void push(int peer);
  /// The same for a put whose `what.a` bytes at `data` go straight; they must stay until
  /// sent_straight().
  void add_straight(int peer, const operation& what, const void* data);
  [[nodiscard]] bool sent_straight();
  /// True when `peer` has applied every operation, those waiting to be sent included.
  [[nodiscard]] bool nothing_under_way(int peer);
  /// Messages of operations that `peer` has not applied yet; 0 when the run was aborted.
  [[nodiscard]] std::uint64_t unapplied(int peer);
  /// A reply is expected, into `bytes` bytes at `into`; returns its token.
  std::uint32_t expect(void* into, std::size_t bytes);
  [[nodiscard]] bool replied();
  /// Nothing is expected any more: a late reply is dropped.
  void forget();

 private:
  struct peer_state {
    bool shares = false;
    shared_block board, native, host;  ///< mapped here, when shared
    pinned_range pinned;               ///< `host`, where this rank is a GPU; goes before it
    message batch;                     ///< operations to be sent together
    // Of the run under way:
    bool begun = false, ended = false;
    // What its beginning said:
    message terms;
    beginning where;
    failing last;  ///< what its end said
    std::string last_text;
    steady::time_point lost_at{};  ///< when its process was first found to be lost
    std::deque<message> exchanged;
    // Messages of operations to it: sent, known to be applied; from it: applied, told so.
    std::uint64_t sent = 0, landed = 0, applied = 0, told = 0;
    std::size_t done = 0;   ///< bytes of its first message of operations that are applied
    bool receives = false;  ///< a straight put of it is being received
  };

  message start(kind what);
  void post(int to, message&& text);
  void push_locked(int peer);
  void poll(bool last);
  void mirror();
  void tell_heart();
  bool receive(int source, std::span<const std::byte> text);
  bool handle(int source, kind what, std::span<const std::byte> text);
  bool follow(int source);
  void follow_all();
  void take_failure(int source, kind what, std::span<const std::byte> text);
  bool apply(int source, std::span<const std::byte> operations);
  void apply_in_host(int source, const operation& o, std::span<const std::byte> data);
  void apply_on_device(int source, const operation& o, std::span<const std::byte> data);
  bool receive_straight(int source, const operation& o);
  void reply(int to, std::uint32_t token, std::uint64_t old);
  [[nodiscard]] std::byte* place_of(const operation& o);
  [[nodiscard]] bool on_device(const operation& o) const;
  void on_rank_thread(const std::function<void()>& work);
  void begin_here(run_state& run);
  void end_here(run_state& run);
  [[nodiscard]] message failure_message(kind what);
  void await_begin();
  [[nodiscard]] int first_missing();
  [[noreturn]] void give_up_beginning(int r, const std::string& why);
  void send_all();
  void check_terms();
  [[nodiscard]] std::chrono::nanoseconds patience() const;
  void await_end();
  void give_up_on(int r, std::chrono::nanoseconds limit);
  void await_straight(std::chrono::nanoseconds patience);
  void settle_failure();
  void lose(const std::string& why);
  /// A rank whose process is lost, -1 for none, and how, to stand behind "its process".
  std::pair<int, std::string> find_lost();
  static bool is_lost(const peer_state& peer);
  void watch_lives();
  [[nodiscard]] std::string loss() const;
  /// Whether a time limit of the whole run ended it, and nobody knows more.
  [[nodiscard]] bool over_time_limit() const;
  /// The run fails because of `peer`: with the text, or with it behind what there is.
  void rewrite_failure(int peer, const std::string& text, bool whole);
  void name_lost();
  void serve(const std::stop_token& stop);
  [[nodiscard]] rank_board& line_of(peer_state& peer, int rank) const;

  machine& machine_;
  const int self_, ranks_;
  const int gpu_;                                ///< ordinal of this rank's GPU; -1: it is a CPU
  bool all_shared_ = true, any_shared_ = false;  ///< host memory, with the other processes
  std::mutex mutex_;                             ///< guards everything below
  messenger messenger_;
  std::vector<peer_state> peers_;
  shared_block board_, host_;
  /// Shared with whoever keeps views of it (rank::keep_memory); never null.
  std::shared_ptr<shared_block> native_ = std::make_shared<shared_block>();
  pinned_range pinned_;                    ///< host_, on a GPU rank; goes before it
  std::unique_ptr<device_memory> device_;  ///< null on a CPU rank
  std::size_t bell_at_ = 0;                ///< of the bell in board_
  std::atomic<std::uint64_t> answered_{0};
  std::atomic<bool> busy_{false};  ///< sends or receives need further rounds, or a batch waits
  run_state* run_ = nullptr;       ///< between begin and end
  std::uint64_t number_ = 0;       ///< of the run, counted alike in all processes
  message terms_;                  ///< of this process for the run
  bool told_ = false;              ///< that this run failed
  steady::time_point last_beat_{};
  beating last_beating_;
  struct {
    std::uint32_t token = 0;
    void* into = nullptr;
    std::size_t bytes = 0;
    bool done = false;
  } expected_;
  // Of the thread that waits:
  steady::time_point last_watch_{};
  int lost_ = -1;                ///< rank whose process was lost in this run
  std::string lost_how_;         ///< as processes::lost has it
  std::exception_ptr unserved_;  ///< what the progress thread met
  std::condition_variable_any serving_;
  std::jthread server_;  ///< the progress thread; last, so that it goes first
};

}  // namespace gossamer::mpi
