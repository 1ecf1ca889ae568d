// Places, counters and signs of life behind parcel_exchange.hpp.
#include "gossamer/collective/parcel_exchange.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

namespace gossamer {

namespace {

constexpr std::size_t words_of_report = 4;

std::size_t stride_of(const parcel_limits& limits) {
  return (static_cast<std::size_t>(limits.bytes) + 8 + 63) / 64 * 64;
}

std::size_t aligned(std::size_t bytes) {
  return (bytes + 255) / 256 * 256;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

}  // namespace

parcel_exchange::parcel_exchange(rank& r, const std::string& name, const parcel_limits& limits)
    : rank_(&r),
      name_(&name),
      self_(r.id()),
      ranks_(r.size()),
      slots_(static_cast<std::size_t>(limits.slots)),
      stride_(stride_of(limits)),
      clock_(r.deadline()) {
  require(limits.bytes >= 64 && limits.slots >= 1,
          name + ": parcels need 64 bytes and one place at least");
  if (r.dev().is_cuda())
    throw not_compiled(name + " on GPUs", "parcels are for CPU and modelled ranks");
  const auto p = static_cast<std::size_t>(ranks_);
  inbox_ = r.make_window<std::byte>(p * slots_ * stride_);
  reports_ = r.make_window<std::uint64_t>(p * 2 * words_of_report);
  counters_ = r.make_signals(3 * p);
  staging_ = r.scratch<std::byte>(stride_).first(header + static_cast<std::size_t>(limits.bytes));
  seen_ = r.scratch<std::uint64_t>(3 * p);
  wanted_ = r.scratch<std::uint64_t>(3 * p);
  sent_ = r.scratch<std::uint64_t>(p);
  taken_ = r.scratch<std::uint64_t>(p);
  life_ = r.scratch<sign_of_life>(p);
  for (auto words : {seen_, wanted_, sent_, taken_}) std::fill(words.begin(), words.end(), 0);
  std::fill(life_.begin(), life_.end(), sign_of_life{});
}

std::int64_t parcel_exchange::bytes(int ranks, const parcel_limits& limits) {
  const auto p = static_cast<std::size_t>(ranks), stride = stride_of(limits);
  const std::size_t all = aligned(p * static_cast<std::size_t>(limits.slots) * stride) +
                          aligned(p * 2 * words_of_report * 8) + aligned(3 * p * 8) +
                          aligned(stride) + 2 * aligned(3 * p * 8) + 2 * aligned(p * 8) +
                          aligned(p * sizeof(sign_of_life));
  return static_cast<std::int64_t>(all);
}

bool parcel_exchange::poll() {
  bool changed = false;
  for (int i = 0; i < 3 * ranks_; ++i) {
    if (i % ranks_ == self_) continue;
    const std::uint64_t now = rank_->read_signal(counters_[at(i)]);
    changed |= now != seen_[at(i)];
    seen_[at(i)] = now;
  }
  return changed;
}

bool parcel_exchange::room(int peer) const {
  return sent_[at(peer)] - seen_[at(ranks_ + peer)] < slots_;
}

std::size_t parcel_exchange::place(int from, std::uint64_t number) const {
  return (at(from) * slots_ + static_cast<std::size_t>(number) % slots_) * stride_;
}

std::span<const std::byte> parcel_exchange::parcel(int from, std::uint64_t number) const {
  const std::uint64_t length = head(from, number) & ((std::uint64_t{1} << kind_shift) - 1);
  return {inbox_.local().data() + place(from, number) + header, static_cast<std::size_t>(length)};
}

std::uint64_t parcel_exchange::head(int from, std::uint64_t number) const {
  std::uint64_t word = 0;
  std::memcpy(&word, inbox_.local().data() + place(from, number), sizeof word);
  return word;
}

void parcel_exchange::send(int peer, std::span<std::byte> framed, std::uint8_t kind) {
  const double begin = rank_->clock();
  const auto length = static_cast<std::uint64_t>(framed.size() - header);
  const std::uint64_t word = length | std::uint64_t{kind} << kind_shift;
  std::memcpy(framed.data(), &word, sizeof word);
  auto& sent = sent_[at(peer)];
  const std::size_t where = place(self_, sent);
  ++sent;
  // On a CPU rank the put is done when the call returns: one staging area serves all peers.
  rank_->put_signal(inbox_, peer, where, framed, counters_[at(self_)], sent);
  ++traffic_.parcels;
  traffic_.bytes += static_cast<std::int64_t>(length);
  traffic_.sending += rank_->clock() - begin;
}

void parcel_exchange::post(int to, std::uint64_t round, const work_report& report) {
  const std::uint64_t words[words_of_report] = {report.created, report.finished, report.repeated,
                                                std::bit_cast<std::uint64_t>(report.deferred)};
  const std::size_t where = (at(self_) * 2 + round % 2) * words_of_report;
  rank_->put_signal(reports_, to, where, words, counters_[at(2 * ranks_ + self_)], round + 1);
  ++traffic_.reports;
}

bool parcel_exchange::fetch(int from, std::uint64_t round, work_report& into) const {
  if (seen_[at(2 * ranks_ + from)] <= round) return false;
  const auto words = reports_.local().subspan((at(from) * 2 + round % 2) * words_of_report);
  into = {words[0], words[1], words[2], std::bit_cast<double>(words[3])};
  return true;
}

void parcel_exchange::wait(int missing, std::uint64_t round) {
  const double begin = rank_->clock();
  for (int i = 0; i < 3 * ranks_; ++i)
    wanted_[at(i)] = i % ranks_ == self_ ? ~std::uint64_t{0} : seen_[at(i)] + 1;
  // A few looks a deadline; each is a sign of life to the others, too.
  const auto slice =
      std::min<std::chrono::nanoseconds>(rank_->deadline() / 8, std::chrono::milliseconds(200));
  if (!rank_->wait_any_for(counters_, wanted_, slice)) watch(missing, round);
  traffic_.waiting += rank_->clock() - begin;
}

std::uint64_t parcel_exchange::signs_of(int peer) const {
  return rank_->heartbeat(peer) + seen_[at(peer)] + seen_[at(ranks_ + peer)] +
         seen_[at(2 * ranks_ + peer)];
}

void parcel_exchange::watch(int missing, std::uint64_t round) {
  const auto now = clock_.look();
  // On modelled time such a wait ends without a counter only when nothing can happen any more.
  const bool nothing_can_come = rank_->dev().model != nullptr;
  const double limit = std::chrono::duration<double>(rank_->deadline()).count();
  for (int step = 1; step < ranks_; ++step) {
    const int peer = (self_ + step) % ranks_;
    sign_of_life& l = life_[at(peer)];
    const std::uint64_t places = seen_[at(ranks_ + peer)], signs = signs_of(peer);
    if (!watched_ || places != l.places) l.taken = now;
    if (!watched_ || signs != l.signs) l.alive = now;
    l.places = places;
    l.signs = signs;
    const auto over = [&](std::chrono::nanoseconds since, double& seconds) {
      seconds = std::chrono::duration<double>(now - since).count();
      return nothing_can_come || seconds > limit;
    };
    double seconds = 0;
    if (sent_[at(peer)] != places && over(l.taken, seconds))
      stuck(peer,
            "its queue 'inbox from rank " + std::to_string(self_) + "' has " +
                std::to_string(sent_[at(peer)] - places) + " parcels that it does not take",
            seconds);
    if (peer == missing && over(l.alive, seconds))
      stuck(peer, "it has not reported in round " + std::to_string(round), seconds);
  }
  watched_ = true;
}

void parcel_exchange::stuck(int peer, const std::string& why, double seconds) const {
  const std::string since = rank_->dev().model != nullptr
                                ? std::string(", and nothing can happen any more")
                                : " for " + seconds_text(seconds);
  throw rank_error(*name_ + ": rank " + std::to_string(peer) + " is stuck: " + why + since +
                       " (seen by rank " + std::to_string(self_) + ")",
                   self_, peer, true);
}

}  // namespace gossamer
