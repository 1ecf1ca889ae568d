// The one table of what is kept. Its lock is never held while anything is made or destroyed: both
// may take long, wait for a turn on a GPU, or ask for the lock of Python.
#include "gossamer/placement/kept.hpp"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <list>
#include <mutex>
#include <tuple>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/digest.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/machine/memory.hpp"
#include "gossamer/machine/topology.hpp"

namespace gossamer::kept {

namespace {

/// Arrays tell apart graphs that share a lifetime: a copy may have been given other weights.
using arrays_of_graph = std::tuple<const void*, std::size_t, const void*, const void*, bool, bool>;

arrays_of_graph arrays_of(const graph& g) {
  const auto data = [](const auto& array) -> const void* {
    if constexpr (std::is_same_v<std::decay_t<decltype(array)>, std::monostate>)
      return nullptr;
    else
      return array.data();
  };
  return {
      g.offsets.data(), g.offsets.size(), std::visit(data, g.indices), std::visit(data, g.weights),
      g.symmetric,      g.sorted};
}

const void* life_of(const machine* m) {
  return m == nullptr ? nullptr : m->life().id();
}

/// Whose an entry is.
struct place_of_entry {
  const void* graph_life;
  const void* machine_life;
  const machine* on;  ///< one may be moved, and what was made then has its old address; or null
  bool operator==(const place_of_entry&) const = default;
};

struct entry {
  place_of_entry place;
  graph of;  ///< does not keep it from its end, but its arrays from being others of their address
  arrays_of_graph arrays;
  std::type_index type;
  item described;
  std::shared_ptr<void> object;

  [[nodiscard]] bool used() const { return object.use_count() > 1; }
  [[nodiscard]] std::int64_t bytes(int account) const {
    const auto at = described.bytes.find(account);
    return at == described.bytes.end() ? 0 : at->second;
  }
};

/// However little each takes.
constexpr std::size_t most_entries = 64;

/// Entries by age.
using entries = std::list<entry>;

/// What left the table: destroyed when this goes, without the lock. Nobody's tally counts it: the
/// thread may be making something else, which did not give this back.
struct taken_entries {
  entries all;
  taken_entries() = default;
  taken_entries(taken_entries&&) noexcept = default;
  taken_entries& operator=(taken_entries&&) = delete;
  ~taken_entries() {
    const memory_tally of_nobody;
    all.clear();
  }
};

class table {
 public:
  // Never destroyed: graphs of static storage end after main.
  static table& all() {
    static auto* made = [] {
      // fork() waits for the lock, which is held for moments.
      ::pthread_atfork([] { all().lock_.lock(); }, [] { all().lock_.unlock(); },
                       [] { all().lock_.unlock(); });
      set_memory_giver(give);
      return new table;
    }();
    return *made;
  }

  std::shared_ptr<void> find(const place_of_entry& place, const detail::request& asked) {
    const arrays_of_graph arrays = arrays_of(asked.of);
    const std::lock_guard mine(lock_);
    for (auto at = entries_.begin(); at != entries_.end(); ++at) {
      if (at->place != place || at->type != asked.type || at->arrays != arrays ||
          at->described.what != asked.what || (asked.alone && at->used()))
        continue;
      ++at->described.uses;
      entries_.splice(entries_.end(), entries_, at);  // now the youngest
      return at->object;
    }
    return nullptr;
  }

  /// Returns what had to make way.
  taken_entries add(entry made) {
    if (made.place.on != nullptr) made.place.on->life().at_end(machine_ended);
    taken_entries taken;
    const std::lock_guard mine(lock_);
    entries_.push_back(std::move(made));
    if (entries_.size() <= most_entries) return taken;
    const auto oldest =
        std::find_if(entries_.begin(), entries_.end(), [](const entry& e) { return !e.used(); });
    if (oldest != entries_.end()) taken.all.splice(taken.all.end(), entries_, oldest);
    return taken;
  }

  template <class Which>
  taken_entries take(const Which& which) {
    taken_entries taken;
    const std::lock_guard mine(lock_);
    for (auto at = entries_.begin(); at != entries_.end();) {
      const auto next = std::next(at);
      if (which(*at)) taken.all.splice(taken.all.end(), entries_, at);
      at = next;
    }
    return taken;
  }

  /// The oldest that nobody uses, of those with bytes in this memory, where more than `most` would
  /// be kept; empty: there is none, or no need.
  taken_entries take_oldest(int account, std::int64_t bytes, std::int64_t most, bool count_used) {
    taken_entries taken;
    const std::lock_guard mine(lock_);
    for (const entry& e : entries_)
      if (count_used || !e.used()) bytes += e.bytes(account);
    if (bytes <= most) return taken;
    const auto oldest = std::find_if(entries_.begin(), entries_.end(), [&](const entry& e) {
      return e.bytes(account) > 0 && !e.used();
    });
    if (oldest != entries_.end()) taken.all.splice(taken.all.end(), entries_, oldest);
    return taken;
  }

  template <class F>
  void each(const F& f) {
    const std::lock_guard mine(lock_);
    for (const entry& e : entries_) f(e);
  }

  static void graph_ended(const void* id) noexcept {
    static_cast<void>(all().take([id](const entry& e) { return e.place.graph_life == id; }));
  }
  static void machine_ended(const void* id) noexcept {
    static_cast<void>(all().take([id](const entry& e) { return e.place.machine_life == id; }));
  }

 private:
  /// For an allocation that failed: all that nobody uses.
  static bool give(int account) noexcept {
    bool gave = false;
    while (true) {
      const taken_entries taken = all().take_oldest(account, 1, 0, false);
      if (taken.all.empty()) return gave;
      gave = true;
    }
  }

  std::mutex lock_;
  entries entries_;
};

/// Other processes with ranks on the same host or GPU have their parts.
std::int64_t budget_of(const machine* m, int account) {
  if (const auto asked = configuration::keep()) return *asked;
  if (account == host_account)
    return (m == nullptr ? host_memory_limit().bytes : host_memory_here(*m)) / 4;
  std::int64_t bytes = 0;
  for (int r = 0; m != nullptr && r < m->size(); ++r) {
    const device& d = (*m)[r];
    if (m->here(r) && d.is_cuda() && d.ordinal == account)
      bytes += d.memory / std::max(1, d.share) / 4 * 3;
  }
  return bytes;
}

bool is_within_budget(const machine* m, const account_bytes& bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [&](const auto& taken) { return taken.second <= budget_of(m, taken.first); });
}

void drop_beyond(int account, std::int64_t bytes, std::int64_t most, bool count_used) {
  while (!table::all().take_oldest(account, bytes, most, count_used).all.empty()) {
  }
}

}  // namespace

std::vector<item> items() {
  std::vector<item> all;
  table::all().each([&](const entry& e) {
    all.push_back(e.described);
    all.back().in_use = e.used();
  });
  return all;
}

std::int64_t bytes_in(int account) {
  std::int64_t sum = 0;
  table::all().each([&](const entry& e) { sum += e.bytes(account); });
  return sum;
}

void forget(const graph& g) {
  if (g.life.id() != nullptr) table::graph_ended(g.life.id());
}

void forget_all() {
  static_cast<void>(table::all().take([](const entry&) { return true; }));
}

void forget_object(const void* object) {
  static_cast<void>(
      table::all().take([object](const entry& e) { return e.object.get() == object; }));
}

void make_room(int account, std::int64_t bytes, std::int64_t most) {
  drop_beyond(account, bytes, most, false);
}

bool holds(const void* object) {
  bool held = false;
  table::all().each([&](const entry& e) { held |= e.object.get() == object; });
  return held;
}

// The graph must not end while the lock is held, nor between a look at whether it has and an entry
// of it: `asked` may have an observer, and the last other copy go meanwhile.
std::shared_ptr<void> detail::find(const request& asked) {
  const lifetime holder = asked.of.life.holder();
  if (holder.id() == nullptr) return nullptr;
  return table::all().find({holder.id(), life_of(asked.on), asked.on}, asked);
}

std::shared_ptr<void> detail::find_or_make(const request& asked, const maker& make) {
  const lifetime holder = asked.of.life.holder();
  if (auto found = find(asked)) return found;
  graph bare = asked.of;
  bare.life = asked.of.life.observer();
  std::shared_ptr<void> object;
  account_bytes bytes;
  {
    const memory_tally tally;
    object = make(bare);
    bytes = tally.taken();
  }
  if (configuration::keep() == 0 || !is_within_budget(asked.on, bytes)) return object;
  for (const auto& [account, taken] : bytes)
    drop_beyond(account, taken, budget_of(asked.on, account), true);
  if (!holder.at_end(table::graph_ended)) return object;
  static_cast<void>(table::all().add(
      {{holder.id(), life_of(asked.on), asked.on},
       bare,
       arrays_of(bare),
       asked.type,
       {asked.of.name, asked.on == nullptr ? "" : asked.on->spec(), asked.what, bytes},
       object}));
  return object;
}

std::string layout_text(const machine& m, const place_options& o) {
  const bool same = o.partition == "ranges" || (m.size() == 1 && o.part_of.empty());
  return text(same ? std::string("auto") : o.partition, o.part_of, o.renumber);
}

namespace {

/// Whether rows may spill, by a glance: to plan takes longer than many a call.
bool may_lack_room(const machine& m, const graph& g, const place_options& o) {
  if (!m[0].is_cuda()) return false;
  if (o.columns_on_gpu >= 0) return true;
  if (!may_spill(o.spill, o.memory)) return false;
  const std::int64_t limit = o.memory != 0 ? std::abs(o.memory) : m[0].memory;
  const std::int64_t most = 16 * g.arcs() + 128 * g.vertices();
  return most > limit / std::max(1, m[0].share) / 2;
}

}  // namespace

std::shared_ptr<const placed_graph> place(machine& m, const graph& g,
                                          const place_options& options) {
  // Placements that lack nothing are the same.
  const std::int64_t spilled =
      may_lack_room(m, g, options) ? plan_placement(m, g, options).spilled() : 0;
  const auto named = [&](bool both) -> std::string {
    return text("placement", layout_text(m, options), both, options.makes_columns(m.size()),
                options.memory, configuration::memory(), spilled);
  };
  graph rows = g;
  rows.weights = {};  // with any weights it is the same placement
  const bool both = g.symmetric || (options.both_directions && !options.by_columns);
  if (!both && !options.makes_columns(m.size()))
    if (auto found = detail::find({rows, &m, named(true), typeid(placed_graph), false}))
      return std::static_pointer_cast<const placed_graph>(found);
  return shared<placed_graph>(m, rows, named(both), [&](const graph& bare) {
    return std::make_shared<placed_graph>(gossamer::place(m, bare, options));
  });
}

void text::add(double part) {
  add(std::to_string(std::bit_cast<std::int64_t>(part)));
}

void text::add(const std::vector<std::int32_t>& part) {
  add(part.empty() ? std::string("none")
                   : std::to_string(digest_of(std::as_bytes(std::span(part)))));
}

}  // namespace gossamer::kept
