// The carrier of modelled ranks, as their channels see it.
#pragma once

#include "fabric/carrier.hpp"
#include "fabric/run_state.hpp"
#include "fabric/sim/engine.hpp"

namespace gossamer::sim {

class sim_carrier final : public local_carrier {
 public:
  explicit sim_carrier(machine& m);

  void begin(run_state& run) override;
  void end(run_state& run) override;
  void run(const std::function<void(int)>& job) override { engine_.run(job); }
  [[nodiscard]] double now(int rank) const override { return engine_.now(rank); }
  void charge(int rank, double seconds) override;
  void charge(int rank, double bytes, double flops, home where) override;
  void charge_copy(int rank, const void* to, const void* from, std::size_t bytes) override;
  void charge_software(int rank, software_cost what) override;
  void watch(const std::uint64_t* first, std::size_t n) override;
  [[nodiscard]] double raised_at(const std::uint64_t* counter) const override;
  /// A transfer has raised `counter` now.
  void raised(const std::uint64_t* counter);
  moment pause(int rank, backoff& pace) override;
  void turn(int rank) override { engine_.turn(rank); }
  moment idle(int rank, bool alive) override { return engine_.idle(rank, alive); }
  void chain(int rank, bool open) override;
  void exchange(rank::state& of, std::span<const std::byte> mine,
                std::span<std::byte> all) override;

  [[nodiscard]] engine& engine_of() noexcept { return engine_; }
  [[nodiscard]] const model::system& system() const noexcept { return *system_; }
  /// Which of a rank's modelled memories an address lies in: its native arena is the device's, all
  /// else the host's.
  [[nodiscard]] model::memory memory_of(int rank, const void* address) const;
  /// A buffer for a payload on its way, used before if possible: most transfers allocate nothing.
  std::vector<std::byte> blank();
  void recycle(std::vector<std::byte>&& done) noexcept;
  /// Hands a transfer over: whether its command begins with it, when chained.
  bool begins_chain(int rank, const model::transfer_kind& kind);

 private:
  void meet(rank::state& of, std::uint64_t turn, std::uint64_t exchange_slot::*mark,
            std::uint64_t& count, const char* what);

  std::shared_ptr<const model::system> system_;
  engine engine_;
  fabric_resources* resources_ = nullptr;
  std::uint64_t arrived_ = 0, left_ = 0;  ///< ranks that came to, and left, exchanges so far
  struct open_chain {
    bool open = false, begun = false;
  };
  std::vector<open_chain> chains_;
  struct watched {
    const std::uint64_t* first;
    std::vector<double> when;  ///< one a counter
  };
  std::vector<watched> watched_;  ///< few: asked for by programs that report their transfers
  std::vector<std::vector<std::byte>> spare_;  ///< with room for all that are kept
};

}  // namespace gossamer::sim
