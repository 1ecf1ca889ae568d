// One rank's side of tasks over ranks: serving, answering, and finding out that all is done.
#include "gossamer/task/global_tasks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "gossamer/base/error.hpp"

namespace gossamer {

/// A reply: whose request, the lowest bit set where it failed; then the value or the error's text.
struct reply {
  static constexpr std::size_t longest_text = 400;

  static void serve(global_tasks& g, int from, std::span<const std::byte> message) {
    std::uint64_t word;
    std::memcpy(&word, message.data(), sizeof word);
    // Padding of a text is zeros; a value's reader knows its size.
    g.take_reply(from, word & ~std::uint64_t{1}, (word & 1) != 0, message.subspan(sizeof word));
  }
};

namespace {

void check_programs(rank& r, const std::string& name) {
  const std::uint64_t mine = delegated::fingerprint();
  std::vector<std::uint64_t> all(static_cast<std::size_t>(r.size()));
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  const auto other = std::find_if(all.begin(), all.end(), [&](auto x) { return x != all[0]; });
  require(other == all.end(), name + ": rank " + std::to_string(other - all.begin()) +
                                  " runs another program than rank 0: they know different "
                                  "operations");
}

/// The manager is at work.
struct carrying {
  explicit carrying(memory_manager& m) : manager(m) { manager.begin(); }
  ~carrying() { manager.end(); }
  carrying(const carrying&) = delete;
  carrying& operator=(const carrying&) = delete;
  memory_manager& manager;
};

}  // namespace

global_tasks::global_tasks(rank& r, global_tasks_options options)
    : rank_(&r),
      options_(std::move(options)),
      heap_(r),
      rooms_(static_cast<std::size_t>(r.size())),
      scheduler_({options_.seed, r.id()}) {
  aggregator::check(options_.messages);
  check_programs(r, options_.name);
  manager_ = options_.manager(r, options_.name, options_.messages.parcels);
  out_ = std::make_unique<aggregator>(r, *manager_, static_cast<parcel_server&>(*this),
                                      options_.messages);
  scheduler_.add(*this);
}

global_tasks::~global_tasks() {
  scheduler_.remove(*this);
}

std::int64_t global_tasks::bytes(int ranks, const global_tasks_options& options) {
  return parcel_exchange::bytes(ranks, options.messages.parcels) +
         aggregator::bytes(ranks, options.messages);
}

void global_tasks::no_such_rank(int to) const {
  throw usage_error(options_.name + ": there is no rank " + std::to_string(to) + " (of " +
                    std::to_string(size()) + ")");
}

void global_tasks::wait_for_room(delegated::request& r) noexcept {
  rooms_[static_cast<std::size_t>(r.to)].push(r);
  ++refused_;
  out_->count_refused();
}

/// Lets those go on that waited for room and find some; true when there were any.
bool global_tasks::admit() {
  const std::size_t before = refused_;
  for (int to = 0; refused_ > 0 && to < size(); ++to) {
    waiter_queue& queue = rooms_[static_cast<std::size_t>(to)];
    while (!queue.empty()) {
      auto& r = static_cast<delegated::request&>(queue.first());
      std::byte* at = out_->append(to, r.shape);
      if (at == nullptr) break;
      queue.pop();
      --refused_;
      r.write(r, at);
      if (!r.has_reply()) scheduler_.resume(r);
    }
  }
  return refused_ < before;
}

void global_tasks::serve(int from, std::span<const std::byte> parcel) {
  // Short runs: what those behind touch is fetched before the first is served. Long ones fetch for
  // themselves.
  constexpr std::size_t wanted = 2 * message_run::ahead;
  const auto kinds = delegated::kinds();
  const std::byte *at = parcel.data(), *end = at + parcel.size(), *next = at;
  std::size_t fetched = 0, messages = 0;
  while (at < end) {
    while (fetched < wanted && next < end) {
      const message_run run(next);
      if (const auto fetch = kinds[run.shape.handler].prefetch) fetch(*this, run);
      fetched += run.fetched();
      next = run.end();
    }
    const message_run run(at);
    kinds[run.shape.handler].serve(*this, from, run);
    fetched -= run.fetched();
    messages += run.count;
    at = run.end();
  }
  if (from == id()) {
    // The core's own work, whoever carries parcels. Free on real machines, but not the call.
    if (rank_->dev().model != nullptr) rank_->charge(static_cast<double>(messages * 128), 0);
  } else {
    served_ += messages;
    manager_->charge(parcel.size(), messages);
  }
}

void global_tasks::answer(int to, std::uint64_t token, std::span<const std::byte> value) {
  send_reply(to, token, false, value);
}

void global_tasks::answer_error(int to, std::uint64_t token) {
  std::string text = "an exception of a type that is none of std::exception's";
  try {
    throw;
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {  // of any other type: it says nothing
  }
  text.resize(std::min(text.size(), reply::longest_text));
  send_reply(to, token, true, std::as_bytes(std::span(text)));
}

void global_tasks::send_reply(int to, std::uint64_t token, bool failed,
                              std::span<const std::byte> data) {
  if (to == id()) return take_reply(to, token, failed, data);
  alignas(8) std::array<std::byte, delegated::token_bytes + delegated::largest_operation>
      message;  // NOLINT(cppcoreguidelines-pro-type-member-init): what is sent is written
  const std::size_t bytes = (delegated::token_bytes + data.size() + 7) / 8 * 8;
  std::memset(message.data() + bytes - 8, 0, 8);
  const std::uint64_t word = token | (failed ? 1 : 0);
  std::memcpy(message.data(), &word, sizeof word);
  if (!data.empty()) std::memcpy(message.data() + sizeof word, data.data(), data.size());
  const message_shape shape{delegated::number_of<reply>::value, static_cast<std::uint16_t>(bytes)};
  out_->append_always(to, shape, std::span(message).first(bytes));
}

void global_tasks::take_reply(int from, std::uint64_t token, bool failed,
                              std::span<const std::byte> data) {
  auto& r = *reinterpret_cast<delegated::request*>(static_cast<std::uintptr_t>(token));
  if (failed) {
    std::string text(reinterpret_cast<const char*>(data.data()), data.size());
    text.erase(std::min(text.find('\0'), text.size()));
    r.error = std::make_exception_ptr(rank_error(
        options_.name + ": an operation failed on rank " + std::to_string(from) + ": " + text, from,
        id(), false));
  } else if (r.result_bytes > 0) {
    std::memcpy(r.result, data.data(), r.result_bytes);
  }
  scheduler_.resume(r);
}

void global_tasks::poll() {
  out_->serve_here();
  if (manager_->receive(*this) || !resting_) {
    manager_->worked();
    resting_ = false;
  }
  admit();
  out_->flush_aged();
}

bool global_tasks::idle() {
  if (ended_) return false;
  if (out_->serve_here()) return true;
  out_->flush_idle();
  if (admit()) return true;
  resting_ = true;
  if (!out_->empty() || refused_ > 0) {
    manager_->wait();  // for a place
    return true;
  }
  if (scheduler_.pending_beside(*this) > 0) {
    resting_ = false;
    return false;  // not at its end: its tasks will go on by themselves
  }
  const work_report mine{static_cast<std::uint64_t>(out_->counters().messages) + runs_,
                         served_ + runs_, scheduler_.live()};
  ended_ = manager_->agree(mine) == round_state::quiet;
  return true;
}

void global_tasks::run(task<> main) {
  require(ended_, options_.name + ": run() within run()");
  ++runs_;  // an item of work that every rank creates and finishes
  ended_ = false;
  resting_ = false;
  scheduler_.spawn(std::move(main));
  std::exception_ptr failed;
  std::string stuck;
  try {
    const carrying during(*manager_);
    scheduler_.run();
  } catch (const deadlock_error& e) {
    stuck = e.what();
  } catch (...) {
    if (!ended_) throw;
    failed = std::current_exception();
  }
  // What the last round summed up as `repeated` is tasks that have not ended: nobody can run, so
  // that no rank's number has changed since.
  if (manager_->totals().repeated > 0 && failed == nullptr) deadlocked(stuck);
  if (failed != nullptr) std::rethrow_exception(failed);
  // Nobody begins the next run while others do not know that this one has ended.
  rank_->barrier();
}

void global_tasks::deadlocked(const std::string& here) {
  std::array<char, 512> mine{};
  here.copy(mine.data(), mine.size() - 1);
  std::vector<std::array<char, 512>> all(static_cast<std::size_t>(size()));
  rank_->exchange(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
  std::string text;
  for (const auto& one : all)
    if (one[0] != '\0') text += (text.empty() ? "" : "; ") + std::string(one.data());
  throw deadlock_error(options_.name + ": " + text);
}

}  // namespace gossamer
