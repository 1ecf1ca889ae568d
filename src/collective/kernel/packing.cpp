// Tests which transfers can be packed, numbers their words in the inboxes, and chooses how many
// inboxes take turns.
#include "collective/kernel/packing.hpp"

#include <algorithm>
#include <utility>

namespace gossamer {

namespace {

/// Times that a part waits for each of its signals in the epoch that raises it; -1 = also for an
/// earlier epoch, as credits are.
std::vector<int> waits_of(const rank_schedule& part) {
  std::vector<int> times(static_cast<std::size_t>(part.signals), 0);
  for (const auto& s : part.steps) {
    if (s.kind != step_kind::wait) continue;
    int& n = times[static_cast<std::size_t>(s.signal)];
    n = s.lag != 0 || n < 0 ? -1 : n + 1;
  }
  return times;
}

/// The data that `from` puts to `receiver`, in order; empty when a transfer cannot be packed.
std::vector<const step*> packable(const rank_schedule& from, int receiver,
                                  const std::vector<int>& waits, std::size_t element,
                                  std::size_t longest) {
  std::vector<const step*> puts;
  for (const auto& s : from.steps) {
    if (s.kind != step_kind::put || s.peer != receiver || s.count == 0) continue;
    const bool twice =
        std::ranges::any_of(puts, [&](const step* other) { return other->signal == s.signal; });
    if (s.signal < 0 || twice || s.count * element > longest ||
        waits[static_cast<std::size_t>(s.signal)] != 1)
      return {};
    puts.push_back(&s);
  }
  return puts;
}

bool sends(const rank_schedule& from, int receiver) {
  return std::ranges::any_of(from.steps, [&](const step& s) {
    return s.kind == step_kind::put && s.peer == receiver && s.count != 0;
  });
}

/// Where the data goes whose signal a rank waits for; null: it is none.
const step* put_before(const std::vector<rank_schedule>& parts, const step& wait, int self) {
  const auto& steps = parts[static_cast<std::size_t>(wait.peer)].steps;
  const auto put = std::ranges::find_if(steps, [&](const step& s) {
    return s.kind == step_kind::put && s.peer == self && s.signal == wait.signal && s.count != 0;
  });
  return put != steps.end() ? &*put : nullptr;
}

/// Whether nothing is sent after data was waited for.
bool makes_one_hop(const rank_schedule& part) {
  const auto waits = std::ranges::find_if(
      part.steps, [](const step& s) { return s.kind == step_kind::wait && s.lag == 0; });
  return std::none_of(waits, part.steps.end(),
                      [](const step& s) { return s.kind == step_kind::put && s.count != 0; });
}

/// Whether nothing is sent then but the one sum of what was waited for, or what came first.
bool makes_two_hops(const std::vector<rank_schedule>& parts, const rank_schedule& part) {
  const step *sum = nullptr, *first = nullptr;
  for (const auto& s : part.steps) {
    if (s.kind == step_kind::reduce) {
      if (sum != nullptr || s.own_part < 0) return false;
      sum = &s;
    } else if (s.kind == step_kind::wait && s.lag == 0 && first == nullptr) {
      first = put_before(parts, s, part.rank);
    } else if (s.kind == step_kind::put && s.count != 0) {
      const step* from = sum != nullptr ? sum : first;
      if (from != nullptr && (s.from != from->to || s.count != from->count)) return false;
    }
  }
  return true;
}

/// Length up to which transfers are packed: where many blocks poll, all of them are.
std::size_t longest_of(const collective_request& q, const std::vector<rank_schedule>& parts) {
  const std::size_t longest = longest_packed_of(q);
  const auto fits = [&](const step& s) {
    return s.kind != step_kind::put || s.count * q.element <= longest;
  };
  const bool few_hops = std::ranges::all_of(parts, [&](const rank_schedule& part) {
    return (makes_one_hop(part) || makes_two_hops(parts, part)) &&
           std::ranges::all_of(part.steps, fits);
  });
  return few_hops ? longest : longest_packed;
}

/// As many as let credits be rare, all turns' steps stay at hand and inboxes of `words` small.
/// Counts only what ranks have in common: their own copies and reductions may differ, as one may
/// work in place and another not.
int turns_for(const std::vector<rank_schedule>& parts, std::size_t words) {
  constexpr std::size_t local = 2;  // about as many steps of a rank's own
  std::size_t longest = 0;
  bool credits = false;
  for (const auto& part : parts) {
    std::size_t shared = 0;
    for (const auto& s : part.steps) {
      shared += s.kind == step_kind::put || s.kind == step_kind::wait ? 1 : 0;
      credits = credits || (s.kind == step_kind::wait && s.lag == 2);
    }
    longest = std::max(longest, shared);
  }
  int turns = credits ? most_turns : 2;
  const auto large = [&] {
    const auto n = static_cast<std::size_t>(turns);
    return n * (longest + local) > kept_steps || n * words * sizeof(std::uint64_t) > most_inboxes;
  };
  while (turns > 2 && large()) turns /= 2;
  return turns;
}

}  // namespace

packing::packing(const schedule& s) {
  const std::size_t element = s.request().element;
  std::vector<rank_schedule> parts;
  for (int r = 0; r < s.ranks(); ++r) parts.push_back(s.of(r));
  const std::size_t longest = longest_of(s.request(), parts);
  for (const auto& receiver : parts) {
    auto& slots = slots_.emplace_back(static_cast<std::size_t>(receiver.signals));
    const auto waits = waits_of(receiver);
    bool complete = true;
    std::vector<std::vector<const step*>> puts;
    for (const auto& sender : parts) {
      const auto& next =
          puts.emplace_back(packable(sender, receiver.rank, waits, element, longest));
      complete = complete && (!next.empty() || !sends(sender, receiver.rank));
    }
    // All senders' first, then all their second, so that operands of a sum lie side by side.
    std::size_t at = 0, most = 0;
    for (const auto& of : puts) most = std::max(most, of.size());
    for (std::size_t i = 0; i < most; ++i)
      for (const auto& of : puts) {
        if (i >= of.size()) continue;
        const std::size_t bytes = of[i]->count * element;
        slots[static_cast<std::size_t>(of[i]->signal)] = {bytes, at, of[i]->to};
        at += packed_words(bytes);
      }
    words_.push_back(at);
    complete_.push_back(complete);
  }
  // Data that is not packed goes to scratch, of which there are two.
  if (std::ranges::all_of(complete_, [](char all) { return all != 0; }))
    turns_ = turns_for(parts, std::ranges::max(words_));
}

const packed_slot& packing::slot(int receiver, int signal) const {
  static const packed_slot none;
  if (slots_.empty() || signal < 0) return none;
  return slots_[static_cast<std::size_t>(receiver)][static_cast<std::size_t>(signal)];
}

std::size_t packing::words(int receiver) const {
  return words_.empty() ? 0 : words_[static_cast<std::size_t>(receiver)];
}

bool all_packed(collective_request q, std::string_view algorithm) {
  // Of two hops each has a part for every rank.
  const auto parts = static_cast<std::size_t>(q.longest_hop > 0 ? q.ranks : 1);
  if (q.ranks > most_packed_ranks || q.count * q.element > parts * longest_packed_of(q))
    return false;
  q.direct = false;
  const schedule staged(std::move(q), algorithm);
  const packing packed(staged);
  for (int r = 0; r < staged.ranks(); ++r)
    if (!packed.complete(r)) return false;
  return true;
}

bool packing::complete(int receiver) const {
  return !complete_.empty() && complete_[static_cast<std::size_t>(receiver)] != 0;
}

}  // namespace gossamer
