// A controlled scheduler for the shipped lock-free code, by the atomics policy: all interleavings
// of small programs, and all values that their loads may return.
//
// Memory model: release/acquire with views. Each location keeps all values ever stored, in order;
// a load may return any of them that is not older than what its thread has seen; a release store
// carries its thread's view, an acquire load takes it over. (The strong release/acquire model of
// Lahav, Giannarakis and Vafeiadis, "Taming Release-Acquire Consistency", POPL 2016; relaxed
// accesses carry no view.) Threads switch at every access. A thread is resumed by running it again
// from its start with the results it has had, so that no second stack is needed: what threads
// change must either be words of the model, or be set anew each time they run.
//
// explore() goes through all executions and counts them. explore_states() visits each state once,
// whichever way leads there: a state is what all locations hold and what each thread has got from
// its accesses, so that orders of independent accesses fall together.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace gossamer::testing_races {

constexpr std::size_t most_words = 24;
using view = std::array<std::uint8_t, most_words>;  // histories are short

struct message {
  std::uint64_t value;
  view seen;
};

struct pause_here {};    // thrown out of a thread at the access it will make next time
struct blocked_here {};  // … at an await() that cannot end yet

class explorer {
 public:
  using thread = std::function<void()>;
  using check_function = std::function<void()>;

  /// Runs all executions of `threads` over `words`, calling `check` after each; gives their number.
  /// Words begin with 0.
  std::size_t explore(std::vector<const void*> words, const std::vector<thread>& threads,
                      const check_function& check) {
    words_ = std::move(words);
    choices_.clear();
    std::size_t executions = 0;
    do {
      execute(threads);
      check();
      ++executions;
    } while (next());
    return executions;
  }

  /// A word of 64 bits and the value it begins with.
  struct word {
    const void* address;
    std::uint64_t value = 0;
  };
  struct outcome {
    std::size_t states = 0;  ///< different ones
    std::size_t ends = 0;    ///< … of them, in which all threads have ended; `check` was called
    std::size_t stuck = 0;   ///< … of them, in which some wait and none can go on
  };
  outcome explore_states(const std::vector<word>& words, const std::vector<thread>& threads,
                         const check_function& check) {
    words_.clear();
    history_.clear();
    for (const word& w : words) {
      words_.push_back(w.address);
      history_.push_back({message{w.value, {}}});
    }
    states_.assign(threads.size(), {});
    known_.clear();
    found_ = {};
    visit(threads, check);
    return found_;
  }

  std::uint64_t last(const void* where) const { return history_[index_of(where)].back().value; }

  // --- accesses of the running thread, called by the policy -------------------------------------
  std::uint64_t load(const void* where, bool acquire) {
    return access([&] {
      const auto w = index_of(where);
      auto& mine = states_[running_].seen;
      const auto& all = history_[w];
      const auto at = mine[w] + choose(all.size() - mine[w]);
      return read(w, at, acquire);
    });
  }
  /// A loop of acquire loads that ends with a value for which `wanted` holds. The loads before it
  /// change nothing, and are left out. explore_states() alone.
  std::uint64_t await(const void* where, const std::function<bool(std::uint64_t)>& wanted) {
    return access([&] {
      const auto w = index_of(where);
      std::vector<std::size_t> fitting;
      for (std::size_t i = states_[running_].seen[w]; i < history_[w].size(); ++i)
        if (wanted(history_[w][i].value)) fitting.push_back(i);
      if (fitting.empty()) throw blocked_here{};
      return read(w, fitting[choose(fitting.size())], true);
    });
  }
  void store(const void* where, std::uint64_t value, bool release) {
    access([&] { return append(index_of(where), value, release, {}); });
  }
  /// Read-modify-write, acquire and release: reads the latest value, always.
  std::uint64_t update(const void* where,
                       const std::function<std::uint64_t(std::uint64_t)>& change) {
    return access([&] {
      const auto w = index_of(where);
      const message before = history_[w].back();
      auto& mine = states_[running_].seen;
      mine[w] = static_cast<std::uint8_t>(history_[w].size() - 1);
      join(mine, before.seen);
      if (const auto after = change(before.value); after != before.value)
        append(w, after, true, before.seen);
      return before.value;
    });
  }

 private:
  struct state {
    view seen{};
    std::vector<std::uint64_t> results;
    std::size_t position = 0;
    bool finished = false;
  };

  static void join(view& into, const view& other) {
    for (std::size_t i = 0; i < most_words; ++i) into[i] = std::max(into[i], other[i]);
  }
  std::size_t index_of(const void* where) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] == where) return i;
    ADD_FAILURE() << "an access to a word that was not declared";
    return 0;
  }
  std::uint64_t read(std::size_t w, std::size_t at, bool acquire) {
    auto& mine = states_[running_].seen;
    mine[w] = static_cast<std::uint8_t>(at);
    if (acquire) join(mine, history_[w][at].seen);
    return history_[w][at].value;
  }
  std::uint64_t append(std::size_t w, std::uint64_t value, bool release, const view& inherited) {
    auto& mine = states_[running_].seen;
    mine[w] = static_cast<std::uint8_t>(history_[w].size());
    message m{value, inherited};  // a release sequence goes on through updates
    if (release) join(m.seen, mine);
    m.seen[w] = mine[w];
    history_[w].push_back(m);
    return 0;
  }
  template <class F>
  std::uint64_t access(F&& perform) {
    auto& s = states_[running_];
    if (s.position < s.results.size()) return s.results[s.position++];
    if (stepped_) throw pause_here{};
    const std::uint64_t result = perform();
    stepped_ = true;
    s.results.push_back(result);
    return s.results[s.position++];
  }
  /// Runs a thread up to its next access but one; false where it can only wait.
  bool step(const std::vector<thread>& threads, std::size_t which) {
    running_ = which;
    auto& s = states_[which];
    s.position = 0;
    stepped_ = false;
    try {
      threads[which]();
      s.finished = true;
    } catch (const pause_here&) {
    } catch (const blocked_here&) {
      return false;
    }
    return true;
  }
  void execute(const std::vector<thread>& threads) {
    depth_ = 0;
    states_.assign(threads.size(), {});
    history_.assign(words_.size(), {message{0, {}}});
    for (;;) {
      std::vector<std::size_t> ready;
      for (std::size_t t = 0; t < threads.size(); ++t)
        if (!states_[t].finished) ready.push_back(t);
      if (ready.empty()) return;
      step(threads, ready[choose(ready.size())]);
    }
  }

  /// The current state, and all that follow from it.
  void visit(const std::vector<thread>& threads, const check_function& check) {
    if (!known_.insert(fingerprint()).second) return;
    ++found_.states;
    const auto states = states_;
    const auto history = history_;
    bool waiting = false, moved = false;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      if (states[t].finished) continue;
      waiting = true;
      // The first try says how many values there are to choose from.
      std::size_t options = 1;
      for (std::size_t i = 0; i < options; ++i) {
        states_ = states;
        history_ = history;
        choices_ = {{i, 0}};
        depth_ = 0;
        if (!step(threads, t)) break;
        options = std::max<std::size_t>(options, choices_[0].second);
        moved = true;
        visit(threads, check);
      }
    }
    states_ = states;
    history_ = history;
    if (waiting) {
      found_.stuck += !moved;
      return;
    }
    ++found_.ends;
    for (std::size_t t = 0; t < threads.size(); ++t) step(threads, t);  // sets what they set
    check();
  }
  /// 128 bits of a state: two states of a million fall together with a chance of 10^-27.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> fingerprint() const {
    std::uint64_t a = 0x9e3779b97f4a7c15u, b = 0xc2b2ae3d27d4eb4fu;
    const auto add = [&](std::uint64_t x) {
      a = (a ^ x) * 0xff51afd7ed558ccdu;
      a ^= a >> 32;
      b = (b + x) * 0xc4ceb9fe1a85ec53u;
      b ^= b >> 29;
    };
    const auto add_view = [&](const view& v) {
      for (std::size_t i = 0; i < words_.size(); i += 8) {
        std::uint64_t some = 0;
        for (std::size_t j = i; j < std::min(i + 8, words_.size()); ++j) some = some << 8 | v[j];
        add(some);
      }
    };
    for (const state& s : states_) {
      add_view(s.seen);
      add(s.results.size() * 2 + static_cast<std::size_t>(s.finished));
      for (const std::uint64_t r : s.results) add(r);
    }
    for (const auto& all : history_) {
      add(all.size());
      for (const message& m : all) {
        add(m.value);
        add_view(m.seen);
      }
    }
    return {a, b};
  }
  struct mixed {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& key) const {
      return static_cast<std::size_t>(key.first);
    }
  };

  std::size_t choose(std::size_t options) {
    if (depth_ == choices_.size()) choices_.push_back({0, options});
    choices_[depth_].second = options;
    return choices_[depth_++].first;
  }
  bool next() {
    while (!choices_.empty() && ++choices_.back().first == choices_.back().second)
      choices_.pop_back();
    return !choices_.empty();
  }

  std::vector<const void*> words_;
  std::vector<std::vector<message>> history_;
  std::vector<state> states_;
  std::vector<std::pair<std::size_t, std::size_t>> choices_;
  std::size_t depth_ = 0, running_ = 0;
  bool stepped_ = false;
  std::unordered_set<std::pair<std::uint64_t, std::uint64_t>, mixed> known_;
  outcome found_;
};

inline explorer* current = nullptr;

/// The policy that the shipped templates are instantiated with.
struct explored {
  template <class T>
  static T load_relaxed(const T& word) {
    return static_cast<T>(current->load(&word, false));
  }
  template <class T>
  static T load_acquire(const T& word) {
    return static_cast<T>(current->load(&word, true));
  }
  template <class T>
  static void store_relaxed(T& word, T value) {
    current->store(&word, value, false);
  }
  template <class T>
  static void store_release(T& word, T value) {
    current->store(&word, value, true);
  }
  template <class T>
  static T fetch_add(T& word, T operand) {
    return static_cast<T>(
        current->update(&word, [&](std::uint64_t old) { return static_cast<T>(old + operand); }));
  }
  template <class T>
  static T compare_and_swap(T& word, T expected, T desired) {
    return static_cast<T>(
        current->update(&word, [&](std::uint64_t old) { return old == expected ? desired : old; }));
  }
};

}  // namespace gossamer::testing_races
