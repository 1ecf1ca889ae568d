// One rank's side of tasks over ranks: serving, answering, and finding out that all is done.
#include "gossamer/task/global_tasks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "gossamer/base/error.hpp"

namespace gossamer {

/// A reply: header, whose request, whether it failed, the value or the error's text.
struct reply {
  static constexpr std::size_t begin = sizeof(message_header) + 2 * sizeof(std::uint64_t);
  static constexpr std::size_t longest_text = 400;

  static void serve(global_tasks& g, int from, const std::byte* message) {
    message_header header;
    std::array<std::uint64_t, 2> words{};  // token, failed
    std::memcpy(&header, message, sizeof header);
    std::memcpy(words.data(), message + sizeof header, sizeof words);
    // Padding of a text is zeros; a value's reader knows its size.
    g.take_reply(from, words[0], words[1] != 0, {message + begin, header.bytes - begin});
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
  out_ = std::make_unique<aggregator>(r, *manager_, options_.messages);
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
      std::byte* at = out_->append(to, r.bytes);
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
  // What messages touch lies anywhere in memory: fetched this many messages ahead, so that the core
  // waits for none of it.
  constexpr int ahead = 16;
  const auto kinds = delegated::kinds();
  const std::byte *at = parcel.data(), *end = at + parcel.size(), *fetched = at;
  const auto fetch_next = [&] {
    message_header header;
    std::memcpy(&header, fetched, sizeof header);
    if (const auto fetch = kinds[header.handler].prefetch) fetch(*this, fetched);
    fetched += header.bytes;
  };
  for (int i = 0; i < ahead && fetched < end; ++i) fetch_next();
  std::size_t messages = 0;
  for (; at < end; ++messages) {
    if (fetched < end) fetch_next();
    message_header header;
    std::memcpy(&header, at, sizeof header);
    kinds[header.handler].serve(*this, from, at);
    at += header.bytes;
  }
  served_ += messages;
  // On modelled machines: the parcel is read, and each message reads and writes a line somewhere.
  rank_->charge(static_cast<double>(parcel.size() + messages * 128), 0);
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
  } catch (...) {
  }
  text.resize(std::min(text.size(), reply::longest_text));
  send_reply(to, token, true, std::as_bytes(std::span(text)));
}

void global_tasks::send_reply(int to, std::uint64_t token, bool failed,
                              std::span<const std::byte> data) {
  if (to == id()) return take_reply(to, token, failed, data);
  alignas(8) std::array<std::byte, reply::begin + delegated::largest_operation> message;
  const std::size_t bytes = (reply::begin + data.size() + 7) / 8 * 8;
  std::memset(message.data() + bytes - 8, 0, 8);
  std::byte* at =
      delegated::begin_message(message.data(), delegated::number_of<reply>::value, bytes);
  const std::array<std::uint64_t, 2> words{token, failed ? 1u : 0u};
  std::memcpy(at, words.data(), sizeof words);
  if (!data.empty()) std::memcpy(at + sizeof words, data.data(), data.size());
  out_->append_always(to, std::span(message).first(bytes));
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
  if (manager_->receive(*this) || !resting_) {
    manager_->worked();
    resting_ = false;
  }
  admit();
  out_->flush_aged();
}

bool global_tasks::idle() {
  if (ended_) return false;
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
