// machine::run: arenas before, ranks during, one failure after.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "fabric/gpu_operations.hpp"
#include "fabric/run_state.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/team.hpp"
#include "gossamer/fabric/arena.hpp"
#include "gossamer/machine/pieces.hpp"
#include "gossamer/machine/topology.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

namespace {

/// Adds to host counters that a GPU rank may have on their way: as many as a stream takes launches
/// before the driver itself makes the caller wait.
constexpr std::size_t host_raises = 1024;

/// Bytes before the boards of the ranks: the abort record, on cache lines of its own.
constexpr std::size_t record_bytes = (sizeof(abort_record) + 127) / 128 * 128;
constexpr std::size_t slot_words = 8;

/// What each rank takes of host memory beside its arenas, at most: its board, its slot and, of one
/// rank, the record. Part of arena_overhead, so that plans count it.
constexpr std::size_t beside_arenas = 512;
static_assert(record_bytes + sizeof(rank_board) + slot_words * 8 <= beside_arenas);

std::shared_ptr<fabric_resources> make_resources(machine& m) {
  auto made = std::make_shared<fabric_resources>();
  made->carrier = make_carrier(m);
  const int p = m.size();
  made->cores = host().cores;
  made->ranks.resize(static_cast<std::size_t>(p));
  made->in_turn.resize(static_cast<std::size_t>(p));
  for (int r = 0; r < p; ++r) made->any_cuda |= m[r].is_cuda();
  const auto host = made->any_cuda ? memory_kind::pinned : memory_kind::host;
  const std::size_t bytes = record_bytes + sizeof(rank_board) * static_cast<std::size_t>(p);
  if (std::byte* seen_by_others = made->carrier->board(bytes)) {
    made->board_bytes = {seen_by_others, bytes};
  } else {
    made->board_memory = buffer<std::byte>(host, -1, bytes);
    made->board_bytes = made->board_memory.span();
  }
  made->abort = reinterpret_cast<abort_record*>(made->board_bytes.data());
  made->boards = reinterpret_cast<rank_board*>(made->board_bytes.data() + record_bytes);
  for (int r = 0; r < p; ++r) {
    if (!made->carrier->here(r)) continue;
    auto& mine = made->ranks[r];
    made->in_turn[static_cast<std::size_t>(r)] = shared_kernels(m[r]) == sharing::in_turn;
    if (m[r].is_cuda()) {
      prepare_pieces(m[r]);
      mine.raises.resize(host_raises);
      mine.main = stream(m[r]);
      mine.side = stream(m[r], stream::priority::high);
    }
    // Made by the rank's own GPU: the caller's current one may be none of this process's business.
    mine.slot = buffer<std::uint64_t>(host, m[r].ordinal, slot_words);
    for (int peer = 0; peer < p; ++peer) mine.channels.push_back(make_channel(m, *made, r, peer));
  }
  return made;
}

/// Before any kernel waits for another rank (gossamer/machine/kernels.cuh).
void load_kernels(const machine& m) {
  if (m.size() == 1) return;
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r)) load_kernels(m[r]);
}

void take_arenas(const machine& m, fabric_resources& resources, const run_options& options) {
  const auto p = static_cast<std::size_t>(m.size());
  require(options.arenas.size() <= 1 || options.arenas.size() == p,
          "run_options::arenas: give one plan for all ranks, or one per rank");
  for (std::size_t r = 0; r < p; ++r) {
    arena_plan plan;
    if (!options.arenas.empty()) plan = options.arenas[options.arenas.size() == 1 ? 0 : r];
    if (!resources.carrier->here(static_cast<int>(r))) continue;
    constexpr auto most = static_cast<std::size_t>(-1) / 2;  // more than any host has: refused
    plan.native = std::min(plan.native, most) + arena_overhead(p);
    plan.host = std::min(plan.host, most) + arena_overhead(p) - beside_arenas;
    resources.carrier->reserve(resources, static_cast<int>(r), plan);
  }
}

// After a run no kernel of a rank may still run: the next one reuses its memory. Kernels are
// bounded by the run's deadline; one that outlives it twice makes the machine unusable. A deadline
// may be shorter than what a busy GPU takes to let a kernel see it.
void settle(const run_state& run, int r) {
  auto& mine = run.resources->ranks[static_cast<std::size_t>(r)];
  const auto deadline = std::max(run.deadline, configuration::default_deadline());
  watchful_clock clock(deadline);
  backoff pace;
  auto idle = [&] {
    for (const auto& c : mine.channels)
      if (!c->complete()) return false;
    for (const auto& s : mine.extra)
      if (!s.idle()) return false;
    return mine.main.idle() && mine.side.idle();
  };
  while (!idle()) {
    if (!pace.pause()) continue;
    run.signs->alive();
    if (clock.look() > 2 * deadline)
      throw foreign_error("rank " + std::to_string(r) + ": a kernel does not end", 0, true);
  }
}

/// Where there are GPU ranks, several may have kernels that wait for each other, but not for those
/// of other processes (rank::guard).
gpu_use use_of_gpus(const machine& m) {
  bool any_cuda = false;
  for (int r = 0; r < m.size(); ++r) any_cuda |= m[r].is_cuda() && m.here(r);
  if (!any_cuda) return gpu_use::none;
  return m.size() > 1 && m.all_here() ? gpu_use::kernels_that_wait : gpu_use::kernels_that_end;
}

/// Refuses what would wait for itself, and what is over before it begins.
void check_call(const machine& m, const std::function<void(rank&)>& program,
                const run_options& options) {
  const std::string name = "machine '" + m.spec() + "': ";
  require(program != nullptr, name + "run() without a program");
  require(!options.deadline || options.deadline->count() > 0,
          name + "a deadline must be more than 0");
  if (m.internals().left_behind) throw usage_error(name + lost_by_fork);
  for (const auto* r = thread_runs(); r != nullptr; r = r->outer)
    require(r->machine != &m.internals(),
            name + "run() from inside a run of the same machine, which would wait for itself");
}

/// What a run has of its process: a turn on the GPUs, and the machine. In this order; but a run
/// inside another machine's holds that one too, so that programs that nest them in two orders wait
/// for each other.
struct run_place {
  run_turn turn;
  run_lock::hold only;
};

run_place take_place(gpu_use uses, run_lock& runs, const std::stop_token& stop,
                     const run_options& options, const run_signs& signs) {
  try {
    if (stop.stop_requested()) throw cancelled_error("cancelled before the run began");
    return {run_turn(uses, stop, &signs), run_lock::hold(runs, signs, stop)};
  } catch (const cancelled_error&) {
    const std::string late = options.overdue ? options.overdue() : "";
    if (late.empty()) throw;
    throw rank_error(late, -1, -1, true);
  }
}

}  // namespace

void machine::run(const std::function<void(rank&)>& program, const run_options& options) {
  auto& hardware = *state_;
  check_call(*this, program, options);
  // Who shares the run with other processes must enter it, and hears of a stop there.
  const std::stop_token stop = all_here() ? options.cancel : std::stop_token();
  const gpu_use uses = use_of_gpus(*this);
  const auto deadline = options.deadline.value_or(configuration::default_deadline());
  run_signs signs(spec(), deadline);
  const run_place here_now = take_place(uses, hardware.runs, stop, options, signs);
  const run_in_progress run_here{&hardware, uses, thread_runs(), &signs};
  const belongs_to caller_belongs(run_here);
  if (!hardware.lost.empty())
    throw foreign_error(std::string("this machine lost a ") +
                            (hardware.devices.front().process < 0 ? "device" : "process") +
                            " in an earlier run (" + hardware.lost +
                            "); start a new process to use it again",
                        0, true);
  if (hardware.fabric_cache == nullptr) hardware.fabric_cache = make_resources(*this);
  auto& resources = *static_cast<fabric_resources*>(hardware.fabric_cache.get());
  // Where the other ranks are processes they are in this run already, or will be: what keeps it
  // from beginning here must end it there.
  const bool elsewhere = resources.carrier->spans_processes();
  std::exception_ptr unprepared;
  try {
    load_kernels(*this);
    take_arenas(*this, resources, options);
    if (options.trace) options.trace->begin(*this);
  } catch (const usage_error&) {
    throw;  // the program's mistake, made by all
  } catch (...) {
    if (!elsewhere) throw;
    unprepared = std::current_exception();
  }
  std::memset(resources.board_bytes.data(), 0, resources.board_bytes.size());
  signs.follow([boards = std::span(resources.boards, resources.ranks.size())] {
    std::uint64_t beats = 0;
    for (const auto& line : boards) beats += std_atomics::load_relaxed(line.heartbeat);
    return beats;
  });

  int busy = 0;
  for (const auto& d : hardware.devices) busy += d.threads;
  run_state shared;
  shared.owner = this;
  shared.hardware = &hardware;
  shared.resources = &resources;
  shared.carrier = resources.carrier.get();
  shared.ranks = size();
  shared.progress = &options.progress;
  shared.deadline = deadline;
  shared.signs = &signs;
  shared.spins = busy > resources.cores ? 50 : 2000;
  shared.attended = shared.carrier->attends();
  shared.cancel = options.cancel;
  shared.slots.resize(hardware.devices.size());
  shared.trace = unprepared ? nullptr : options.trace.get();
  std::vector<run_term> terms;
  if (elsewhere) {
    terms = options.terms;
    terms.push_back({"trace", options.trace ? "on" : "off"});
  }
  shared.terms = terms;

  shared.carrier->begin(shared);
  int first_here = 0;
  while (!here(first_here)) ++first_here;
  if (unprepared) shared.fail(first_here, unprepared);
  std::stop_callback on_cancel(options.cancel, [&] {
    try {
      const std::string late = options.overdue ? options.overdue() : "";
      if (late.empty())
        shared.abort(abort_reason::cancelled, -1, -1, 0, 0,
                     elsewhere ? "the run was cancelled by rank " + std::to_string(first_here)
                               : std::string("the run was cancelled"));
      else
        shared.abort(abort_reason::time_out, -1, -1, 0, 0, late);
    } catch (const std::bad_alloc&) {  // who asks for a stop hears of nothing
      shared.abort(abort_reason::cancelled, -1, -1, 0, 0, "cancelled");
    }
  });
  shared.carrier->run([&](int r) {
    const belongs_to rank_belongs(run_here);
    std::unique_ptr<rank> self;
    try {
      const device& d = (*this)[r];
      if (!d.is_cuda() && d.model == nullptr) require_team(d.threads);
      auto own = std::make_unique<rank::state>(shared, r);
      if (size() == 1 && own->mine.main.is_cuda()) gpu::prepare();
      self = std::make_unique<rank>(std::move(own));
      if (shared.trace != nullptr) self->tracing()->relate_clocks();
      program(*self);
      self->internals().streams.clear();  // the program's own, which may be gone
      self->quiet();
      if (shared.trace != nullptr) shared.trace->collect(*self);
    } catch (...) {
      shared.fail(r, std::current_exception());
    }
    try {
      settle(shared, r);
    } catch (...) {
      shared.fail(r, std::current_exception());
    }
  });
  shared.carrier->end(shared);
  if (shared.trace != nullptr) shared.trace->end();

  if (shared.failure == nullptr) return;
  if (!shared.lost.empty()) hardware.lost = shared.lost;
  try {
    std::rethrow_exception(shared.failure);
  } catch (const rank_error& e) {
    // A GPU tells of a fault when all its kernels have ended. If ranks share it, waits run out
    // first; the fault is why.
    if (e.timed_out() && !shared.lost.empty()) throw foreign_error(shared.lost, 0, true);
    throw;
  }
}

}  // namespace gossamer
