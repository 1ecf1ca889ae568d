// Transport `sim`: puts and signals as transfers of the modelled network, applied when they arrive.
//
// The payload is copied when the transfer is issued, and written into the target's window by the
// event of its arrival. A signal that follows a put at the same moment travels with it (the last
// descriptor of a chain, the end of a message); any other is a transfer of its own. Either way it
// is applied when every earlier put of the pair has arrived: networks with one route per pair keep
// that order, and where a small message overtakes a large one it waits for it.
#include <cstring>
#include <functional>

#include "fabric/ring.hpp"
#include "fabric/sim/carrier.hpp"
#include "fabric/word_operations.hpp"

namespace gossamer::sim {

namespace {

using model::memory;

class sim_channel final : public channel {
 public:
  sim_channel(sim_carrier& carrier, fabric_resources::per_rank& mine, int from, int to)
      : carrier_(carrier), mine_(mine), engine_(carrier.engine_of()), from_(from), to_(to) {}

  void put(const remote& to, const void* from, std::size_t bytes, const stream&) override {
    // Read now: a rank that runs while this one waits for its turn must not change what was put.
    auto& i = issue();
    i.data = carrier_.blank();
    i.data.assign(static_cast<const std::byte*>(from), static_cast<const std::byte*>(from) + bytes);
    i.to = to.address();
    if (const auto* recorder = recorder_here()) {
      i.copied = copied("put", from_, to_, bytes, *recorder);
      i.copied.on = trace_track::beside;
    }
    send(carrier_.memory_of(from_, from), home_of(*to.table), bytes);
  }

  void get(void* to, const remote& from, std::size_t bytes, const stream&) override {
    const double begin = engine_.now(from_);
    fetch(to, from, bytes);
    if (auto* recorder = recorder_here()) {
      trace_event e = copied("get", to_, from_, bytes, *recorder);
      e.begin = begin;
      e.end = engine_.now(from_);
      recorder->add(e);
    }
  }

  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream&) override {
    const signal_effect e{reinterpret_cast<std::uint64_t*>(counter.address()), value, op};
    if (!items_.empty() && takes_signal_ && last_issue_ == engine_.now(from_)) {
      takes_signal_ = false;
      items_.back().effect = e;
      return;
    }
    issue();
    send(memory::host, home_of(*counter.table), sizeof(std::uint64_t));
    takes_signal_ = false;
    if (!items_.empty()) items_.back().effect = e;
  }

  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override {
    std::uint64_t before = 0;
    bool done = false;
    auto* const address = word.address();
    auto deliver = [&] {
      done = true;
      engine_.wake(from_, engine_.event_time());
    };
    auto apply = [&] {
      before = atomic_word(address, width, add, a, b);
      engine_.wake(to_, engine_.event_time());
      engine_.answer(to_, from_,
                     carrier_.system().kind_of(memory::host, memory::host, 8, from_ == to_), 8,
                     std::ref(deliver));
    };
    request(std::ref(apply));
    await(done);
    return before;
  }

  [[nodiscard]] completion completes() const override { return completion::arrival; }

  bool complete() override {
    if (engine_.aborted())
      for (; !items_.empty(); ++base_) {
        // Else the next signal in its slot would put it once more.
        carrier_.recycle(std::move(items_.front().data));
        items_.pop();
      }
    return items_.empty();
  }

 private:
  struct signal_effect {
    std::uint64_t* counter = nullptr;
    std::uint64_t value = 0;
    signal_op op = signal_op::set;
  };
  struct item {
    bool arrived = false;
    signal_effect effect;
    std::vector<std::byte> data;  ///< of a put
    std::byte* to = nullptr;
    trace_event copied;  ///< of a put
  };

  /// The source's; its events are recorded when they arrive, on the one thread of all ranks.
  [[nodiscard]] trace_recorder* recorder_here() const {
    const rank::state* user = mine_.user;
    return user == nullptr ? nullptr : user->trace;
  }

  void fetch(void* to, const remote& from, std::size_t bytes) {
    auto* const there = from.address();
    const memory source = home_of(*from.table), target = carrier_.memory_of(from_, to);
    got_.resize(bytes);
    bool done = false;
    auto deliver = [&] {
      std::memcpy(to, got_.data(), bytes);
      done = true;
      engine_.wake(from_, engine_.event_time());
    };
    const auto& kind = carrier_.system().kind_of(source, target, bytes, from_ == to_);
    if (from_ == to_) {
      engine_.turn(from_);
      std::memcpy(got_.data(), there, bytes);
      engine_.send(from_, from_, to_, kind, bytes, true, std::ref(deliver));
      await(done);
      return;
    }
    auto answer = [&] {
      std::memcpy(got_.data(), there, bytes);
      engine_.answer(to_, from_, kind, bytes, std::ref(deliver));
    };
    request(std::ref(answer));
    await(done);
  }

  /// A copy without its times.
  static trace_event copied(const char* name, int from, int to, std::size_t bytes,
                            const trace_recorder& by) {
    trace_event e;
    e.name = name;
    e.amount = static_cast<std::int64_t>(bytes);
    e.level = by.level();
    e.from = from;
    e.to = to;
    e.kind = trace_class::copy;
    return e;
  }

  [[nodiscard]] memory home_of(const window_table& table) const {
    return table.where == home::native ? carrier_.system().native : memory::host;
  }

  item& issue() {
    auto& i = items_.push();
    ++issued_;
    i.arrived = false;
    i.effect = {};
    return i;
  }

  /// Sends what was issued last. Closures hold two words: more would be allocated.
  void send(memory source, memory target, std::size_t bytes) {
    const auto& kind = carrier_.system().kind_of(source, target, bytes, from_ == to_);
    engine_.turn(from_);
    if (engine_.aborted()) return;
    const std::uint64_t mine = issued_ - 1;
    items_.back().copied.begin = engine_.now(from_);
    engine_.send(from_, from_, to_, kind, bytes, carrier_.begins_chain(from_, kind),
                 [this, mine] { arrived(mine); });
    last_issue_ = engine_.now(from_);
    takes_signal_ = true;
  }

  void arrived(std::uint64_t which) {
    if (which < base_) return;  // of a run that was aborted
    auto& here = items_[which - base_];
    here.arrived = true;
    if (!here.data.empty()) {
      std::memcpy(here.to, here.data.data(), here.data.size());
      here.copied.end = engine_.event_time();
      if (auto* recorder = recorder_here()) recorder->add(here.copied);
    }
    carrier_.recycle(std::move(here.data));
    while (!items_.empty() && items_.front().arrived) {
      const auto& e = items_.front().effect;
      if (e.counter != nullptr) {
        raise_word(*e.counter, e.value, e.op);
        carrier_.raised(e.counter);
      }
      items_.pop();
      ++base_;
    }
    engine_.wake(to_, engine_.event_time());
    if (from_ != to_) engine_.wake(from_, engine_.event_time());
  }

  // A small message to the peer, which acts on it at once.
  void request(std::function<void()> then) {
    const auto& kind = carrier_.system().kind_of(memory::host, memory::host, 8, from_ == to_);
    engine_.send(from_, from_, to_, kind, 8, true, std::move(then));
  }
  void await(const bool& done) {
    if (engine_.aborted()) engine_.rethrow(from_);
    engine_.wait_for(from_, [&] { return done; });
  }

  sim_carrier& carrier_;
  fabric_resources::per_rank& mine_;
  engine& engine_;
  const int from_, to_;
  ring<item> items_;            ///< issued and not yet applied; the first is number base_
  std::vector<std::byte> got_;  ///< on its way to get()
  std::uint64_t base_ = 0, issued_ = 0;
  double last_issue_ = -1;
  bool takes_signal_ = false;  ///< the last transfer was a put, and no signal travels with it yet
};

}  // namespace

std::unique_ptr<channel> make(const machine&, fabric_resources& resources, int from, int to) {
  return std::make_unique<sim_channel>(static_cast<sim_carrier&>(*resources.carrier),
                                       resources.ranks[static_cast<std::size_t>(from)], from, to);
}

}  // namespace gossamer::sim
