// Ranks as threads of this process, GPU ranks included: each GPU is driven by one of them.
#include "fabric/carrier.hpp"

#include "fabric/run_state.hpp"

namespace gossamer::threads {

namespace {

class thread_carrier final : public local_carrier {
 public:
  explicit thread_carrier(machine& m) : local_carrier(m), threads_(m.internals().threads) {}
  void run(const std::function<void(int)>& job) override { threads_.run(job); }
  [[nodiscard]] double now(int) const override {
    return std::chrono::duration<double>(steady::now().time_since_epoch()).count();
  }
  void charge(int, double) override {}  // real work takes real time
  void charge(int, double, double, home) override {}
  moment pause(int, backoff& pace) override { return pace.pause() ? moment::look : moment::poll; }

 private:
  rank_threads& threads_;
};

}  // namespace

std::unique_ptr<carrier> make_carrier(machine& m) {
  return std::make_unique<thread_carrier>(m);
}

}  // namespace gossamer::threads
