// The kinds of exchange: none on one rank, puts of whole blocks or of the touched entries, and a
// modelled system's own allgather. All prepare their puts once.
#include "algorithm/cg/vector_exchange.hpp"

#include "algorithm/driver/array_list.hpp"

#include <vector>

#include "gossamer/collective/plan.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::cg_detail {

namespace {

/// One rank needs nothing from others.
class no_exchange final : public vector_exchange {
 public:
  void exchange() override {}
  void release() override {}
};

/// What a rank takes of its arena.
struct exchange_arrays {
  signal_set arrived;                     ///< [ranks] by sender
  std::vector<std::span<double>> packed;  ///< of a halo, for each message

  void list(algorithm_detail::array_list& of, const layout& l, int rank) {
    of.add(arrived, static_cast<std::int64_t>(l.parts.size()));
    if (!l.halo) return;
    const auto& sends = l.sends[static_cast<std::size_t>(rank)];
    packed.resize(sends.size());
    for (std::size_t i = 0; i < sends.size(); ++i)
      of.add(packed[i], static_cast<std::int64_t>(sends[i].entries.size()));
  }
};

/// What both kinds share: puts prepared once, one counter a sender.
class put_exchange : public vector_exchange {
 public:
  void release() override {
    for (const int peer : receivers_) rank_.flush(peer);
  }

 protected:
  put_exchange(rank& r, const layout& l) : rank_(r), puts_(r.make_put_list()) {
    algorithm_detail::array_list taken(r);
    arrays_.list(taken, l, r.id());
  }
  void send_and_wait() {
    puts_.start();
    ++epoch_;
    for (const int peer : senders_)
      rank_.wait_signal(arrays_.arrived[static_cast<std::size_t>(peer)], epoch_, peer);
  }
  rank& rank_;
  exchange_arrays arrays_;
  put_list puts_;
  std::vector<int> senders_, receivers_;

 private:
  std::uint64_t epoch_ = 0;
};

/// Every rank puts its rows into every other's vector: each byte crosses the network once for each
/// receiver, all pairs at the same time.
class allgather_exchange final : public put_exchange {
 public:
  allgather_exchange(rank& r, const layout& l, const window<double>& extended)
      : put_exchange(r, l) {
    const auto& part = l.parts[static_cast<std::size_t>(r.id())];
    const auto own = extended.local().subspan(static_cast<std::size_t>(part.own_offset),
                                              static_cast<std::size_t>(part.rows));
    for (int i = 1; i < r.size(); ++i) {
      // Neighbours first to the right: no two ranks begin with the same receiver.
      const int peer = (r.id() + i) % r.size();
      puts_.put_signal(extended, peer, static_cast<std::size_t>(part.first_row), own,
                       arrays_.arrived[static_cast<std::size_t>(r.id())]);
      senders_.push_back(peer);
      receivers_.push_back(peer);
    }
  }
  void exchange() override { send_and_wait(); }
};

/// The same by the collective that a modelled system's own software would run.
class modelled_allgather final : public vector_exchange {
 public:
  modelled_allgather(rank& r, const layout& l, const window<double>& extended)
      : plan_(plan(r, l, extended)), each_its_own_(r.dev().model->software.searched) {}
  void exchange() override { plan_.run(); }
  void release() override {}
  // Serves the allreduces as well, as in paper E, unless every collective has its own.
  [[nodiscard]] std::vector<int> mapping() const override {
    return each_its_own_ ? std::vector<int>() : plan_.what().request().mapping;
  }

 private:
  static collective_plan plan(rank& r, const layout& l, const window<double>& extended) {
    const auto block = static_cast<std::size_t>(l.allgather_block);
    const auto p = static_cast<std::size_t>(r.size()), id = static_cast<std::size_t>(r.id());
    plan_options options;
    options.apart = true;  // see flow control in the header
    return plan_allgather<double>(r, extended.local().subspan(id * block, block),
                                  output_range<double>(extended, 0, p * block), options);
  }
  collective_plan plan_;
  bool each_its_own_;
};

/// Only the entries that a receiver's columns touch: gathered, then one put a receiver.
class halo_exchange final : public put_exchange {
 public:
  halo_exchange(rank& r, const layout& l, const window<double>& extended, cg_engine& engine)
      : put_exchange(r, l), engine_(engine) {
    for (const auto& message : l.sends[static_cast<std::size_t>(r.id())]) {
      receivers_.push_back(message.peer);
      packed_.push_back({&message, arrays_.packed[packed_.size()]});
      puts_.put_signal(extended, message.peer, static_cast<std::size_t>(message.at),
                       packed_.back().values, arrays_.arrived[static_cast<std::size_t>(r.id())]);
    }
    for (int sender = 0; sender < r.size(); ++sender)
      for (const auto& message : l.sends[static_cast<std::size_t>(sender)])
        if (message.peer == r.id()) senders_.push_back(sender);
  }
  void exchange() override {
    for (auto& p : packed_) engine_.pack(p.message->entries, p.values);
    send_and_wait();
  }

 private:
  struct packed {
    const halo_message* message;
    std::span<double> values;
  };
  cg_engine& engine_;
  std::vector<packed> packed_;
};

/// Blocks are equal where rows are split evenly.
bool has_own_allgather(const device& on, const layout& l) {
  return on.model != nullptr && l.allgather_block > 0 &&
         on.model->collective_of("allgather",
                                 static_cast<std::size_t>(l.allgather_block) * sizeof(double),
                                 static_cast<int>(l.parts.size()), on.model->native) != nullptr;
}

}  // namespace

std::unique_ptr<vector_exchange> make_exchange(rank& r, const layout& l,
                                               const window<double>& extended, cg_engine& engine) {
  if (r.size() == 1) return std::make_unique<no_exchange>();
  if (l.halo) return std::make_unique<halo_exchange>(r, l, extended, engine);
  if (has_own_allgather(r.dev(), l)) return std::make_unique<modelled_allgather>(r, l, extended);
  return std::make_unique<allgather_exchange>(r, l, extended);
}

std::int64_t exchange_bytes(const layout& l, int rank) {
  return algorithm_detail::counted<exchange_arrays>(l, rank).window;
}

}  // namespace gossamer::cg_detail
