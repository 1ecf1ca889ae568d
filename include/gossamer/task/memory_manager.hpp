// memory_manager: what carries parcels between the tasks of different ranks, and finds out when
// none of them has anything left to do.
//
// Paper D's global memory manager takes delegated requests, aggregates them and has them performed
// where the data is. Here that is three parts: the aggregator makes parcels of requests, a
// memory_manager carries them, and the owner's worker performs them (global_tasks.hpp), so that its
// core alone touches the data. Who does the carrying is the manager's choice, behind this
// interface:
//
//   polled     the worker, once a round
//   thread     a thread of its own a rank: the worker never looks at the fabric
//   hardware   on modelled machines, a unit that costs the core nothing: paper D's FPGA, as a bound
//
// One rank's side, used by its thread alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "gossamer/collective/parcel_exchange.hpp"
#include "gossamer/collective/termination.hpp"

namespace gossamer {

/// Who works through parcels that came.
class parcel_server {
 public:
  virtual ~parcel_server() = default;
  virtual void serve(int from, std::span<const std::byte> parcel) = 0;
};

class memory_manager {
 public:
  /// Bytes before a parcel that belong to the manager.
  static constexpr std::size_t header = parcel_exchange::header;

  virtual ~memory_manager() = default;
  /// A run begins, and has ended, also by an exception. Between the two the manager may make the
  /// rank's fabric calls on another thread.
  virtual void begin() {}
  virtual void end() noexcept {}
  /// Whether a parcel to `to` can be sent now.
  [[nodiscard]] virtual bool room(int to) const = 0;
  /// `header` bytes for the manager, then the parcel; reusable at once. room(to) must hold.
  virtual void send(int to, std::span<std::byte> framed) = 0;
  /// Hands over what has come, parcels of one rank in the order in which they were sent; true when
  /// there was something, or room has grown. Never waits: parcels are always taken.
  virtual bool receive(parcel_server& server) = 0;
  /// Blocks until something may have come, or a while. Throws rank_error for a rank that is stuck.
  virtual void wait() = 0;
  /// This rank has nothing left to do and has reported `mine`, see termination.hpp. Looks for the
  /// others' reports, and blocks as wait() does when some are missing.
  virtual round_state agree(const work_report& mine) = 0;
  /// Of all ranks, in the last complete round.
  [[nodiscard]] virtual const work_report& totals() const = 0;
  /// On modelled machines: what the core spends on `bytes` of parcels made or read and on
  /// `messages` that were served, a line read and written for each. Free on real ones, where it
  /// takes its time.
  virtual void charge(std::size_t bytes, std::size_t messages) = 0;
  /// This rank's thread is alive, and has been at work since the last wait.
  virtual void worked() = 0;
};

/// Collective: the manager that the workers poll, over a parcel_exchange; on CPU and modelled
/// ranks. `name` is what errors call the whole.
std::unique_ptr<memory_manager> make_polled_manager(rank& r, const std::string& name,
                                                    const parcel_limits& limits);

/// Collective: the same exchange served by a thread of its own for each rank, on CPU ranks;
/// usage_error on modelled ones. Parcels are copied once more on each side. While a run lasts tasks
/// must leave the rank's fabric calls alone (global_tasks::where()), its clock excepted.
std::unique_ptr<memory_manager> make_thread_manager(rank& r, const std::string& name,
                                                    const parcel_limits& limits);

/// Collective: as polled, but making, reading and serving parcels takes no time of the core, only
/// that of the network. On modelled ranks; usage_error on others. Parcels are still looked at once
/// a round.
std::unique_ptr<memory_manager> make_hardware_manager(rank& r, const std::string& name,
                                                      const parcel_limits& limits);

}  // namespace gossamer
