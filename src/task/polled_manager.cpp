// The memory manager that workers poll: a parcel exchange, and the counts that end a run. And the
// same as a unit whose work costs the core nothing.
#include <optional>

#include "gossamer/task/memory_manager.hpp"

namespace gossamer {

namespace {

class polled_manager : public memory_manager {
 public:
  polled_manager(rank& r, const std::string& name, const parcel_limits& limits)
      : rank_(&r), name_(name), detector_(r.id(), r.size(), report_mail{begin(limits)}) {
    if (r.size() > 1) r.barrier();  // nobody writes into a window that is not there yet
  }

  [[nodiscard]] bool room(int to) const override { return exchange_->room(to); }
  void send(int to, std::span<std::byte> framed) override { exchange_->send(to, framed); }

  bool receive(parcel_server& server) override {
    if (!exchange_) return false;
    const bool changed = exchange_->poll();
    exchange_->receive([] { return true; },
                       [&](int from, auto parcel) { server.serve(from, parcel); });
    return changed;
  }

  void wait() override {
    if (exchange_) exchange_->wait(detector_.missing(), detector_.rounds());
  }

  round_state agree(const work_report& mine) override {
    if (!detector_.reported()) detector_.report(mine);
    const round_state found = detector_.look();
    if (found == round_state::waiting) wait();
    return found;
  }
  [[nodiscard]] const work_report& totals() const override { return detector_.totals(); }

  void charge(std::size_t bytes, std::size_t messages) override {
    rank_->charge(static_cast<double>(bytes + messages * 128), 0);
  }

  void worked() override {
    if (exchange_)
      exchange_->worked();
    else
      rank_->progress();
  }

 private:
  parcel_exchange* begin(const parcel_limits& limits) {
    if (rank_->size() == 1) return nullptr;
    return &exchange_.emplace(*rank_, name_, limits);
  }

  rank* rank_;
  std::string name_;
  std::optional<parcel_exchange> exchange_;
  termination_detector<report_mail> detector_;
};

class hardware_manager : public polled_manager {
 public:
  using polled_manager::polled_manager;
  void charge(std::size_t, std::size_t) override {}
};

}  // namespace

std::unique_ptr<memory_manager> make_polled_manager(rank& r, const std::string& name,
                                                    const parcel_limits& limits) {
  return std::make_unique<polled_manager>(r, name, limits);
}

std::unique_ptr<memory_manager> make_hardware_manager(rank& r, const std::string& name,
                                                      const parcel_limits& limits) {
  require(r.dev().model != nullptr,
          name + ": a hardware unit is modelled, and this machine is real");
  return std::make_unique<hardware_manager>(r, name, limits);
}

}  // namespace gossamer
