// Terms as text in a message, each ended by a zero byte, and the comparison of all ranks' terms
// with rank 0's.
#include "fabric/mpi/terms.hpp"

#include <algorithm>
#include <cstring>

namespace gossamer::mpi {

namespace {

using terms = std::vector<run_term>;

/// The text up to the next zero.
std::string take_text(std::span<const std::byte>& from) {
  const auto end = std::find(from.begin(), from.end(), std::byte{0});
  const auto length = static_cast<std::size_t>(end - from.begin());
  std::string text(reinterpret_cast<const char*>(from.data()), length);
  from = from.subspan(std::min(length + 1, from.size()));
  return text;
}

terms read(std::span<const std::byte> from) {
  terms all;
  while (!from.empty()) {
    run_term t;
    t.name = take_text(from);
    t.value = take_text(from);
    all.push_back(std::move(t));
  }
  return all;
}

const std::string* find(const terms& in, const std::string& name) {
  const auto at = std::find_if(in.begin(), in.end(), [&](const auto& t) { return t.name == name; });
  return at == in.end() ? nullptr : &at->value;
}

/// "alpha (20 against 15)", or nothing when both have the same.
std::string difference(const terms& theirs, const terms& first, const std::string& name) {
  const std::string *a = find(theirs, name), *b = find(first, name);
  if (a != nullptr && b != nullptr && *a == *b) return {};
  const auto shown = [](const std::string* value) {
    return value == nullptr || value->empty() ? std::string("none") : *value;
  };
  return name + " (" + shown(a) + " against " + shown(b) + ")";
}

/// Differences of a rank, in the order of terms. Who runs another program has other terms anyway.
std::vector<std::string> differences(const terms& theirs, const terms& first) {
  std::vector<std::string> found;
  const auto add = [&](const std::string& name) {
    if (auto text = difference(theirs, first, name); !text.empty()) found.push_back(text);
  };
  if (find(theirs, "program") != nullptr || find(first, "program") != nullptr) add("program");
  if (!found.empty()) return found;
  for (const auto& t : first) add(t.name);
  for (const auto& t : theirs)
    if (find(first, t.name) == nullptr) add(t.name);
  return found;
}

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& items) {
  std::string text = items.front();
  for (std::size_t i = 1; i < items.size(); ++i)
    text += (i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
}

}  // namespace

void append_terms(message& to, std::span<const run_term> given) {
  for (const auto& t : given)
    for (const std::string* text : {&t.name, &t.value}) {
      // What comes behind a zero of a text's own is no part of it.
      const auto bytes = std::as_bytes(std::span(text->c_str(), std::strlen(text->c_str()) + 1));
      to.insert(to.end(), bytes.begin(), bytes.end());
    }
}

std::string disagreement(const std::vector<std::span<const std::byte>>& of_ranks) {
  constexpr std::size_t most_named = 8;
  const auto& first = of_ranks.front();
  std::vector<std::string> ranks;
  std::size_t example = 0, others = 0;
  for (std::size_t r = 1; r < of_ranks.size(); ++r) {
    if (std::equal(of_ranks[r].begin(), of_ranks[r].end(), first.begin(), first.end())) continue;
    if (ranks.empty()) example = r;
    if (ranks.size() < most_named)
      ranks.push_back(std::to_string(r));
    else
      ++others;
  }
  if (ranks.empty()) return {};
  const bool one = ranks.size() == 1;
  if (others > 0) ranks.push_back(std::to_string(others) + " more");
  const terms theirs = read(of_ranks[example]), mine = read(first);
  const std::string* program = find(mine, "program");
  const bool same = program != nullptr && difference(theirs, mine, "program").empty();
  return (same ? *program + ": " : std::string()) + (one ? "rank " : "ranks ") + listed(ranks) +
         (one ? " differs" : " differ") + " from rank 0 in " + listed(differences(theirs, mine)) +
         (one ? "" : ", as rank " + std::to_string(example) + " has it");
}

}  // namespace gossamer::mpi
