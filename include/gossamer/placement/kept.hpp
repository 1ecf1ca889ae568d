// kept: what calls laid out or prepared, and later calls on the same graph and machine find.
//
// An entry is a placement, which any number of calls may use at once, or a prepared search, which
// one uses at a time. It belongs to a graph, a machine and a text of whatever else it was made by.
// It goes with the last copy of the graph, with the machine, by forget(), when a memory plan or an
// allocation needs the room, or for younger ones once a memory's budget is spent: GOSSAMER_KEEP,
// else three quarters of a GPU's memory and a quarter of the host's, shared with other processes of
// the machine. What is in use stays until its user drops it. Nothing is given back inside a run:
// GPU memory takes its turn (driver_gate.hpp).
//
// Processes of an MPI machine keep each for itself: nothing that is kept is made by a run, so that
// one may find what another makes anew. Any thread may call.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::kept {

/// Bytes by account (memory_use.hpp): a CUDA ordinal, or the host's.
using account_bytes = std::map<int, std::int64_t>;

/// An entry as people see it.
struct item {
  std::string graph, machine, what;
  account_bytes bytes;
  std::int64_t uses = 0;  ///< calls that found it
  bool in_use = false;
};
/// The least recently used first.
std::vector<item> items();
/// Bytes kept in a memory, in use or not.
std::int64_t bytes_in(int account);

/// Drops what is kept for a graph, or all of it.
void forget(const graph& g);
void forget_all();
/// Drops the entry of an object that a failed run may have left in any state.
void forget_object(const void* object);

/// Whether there is an entry of this object.
bool holds(const void* object);

/// Drops unused entries, the least recently used first, until `bytes` fit beside the rest into
/// `most` of this memory, or none is left.
void make_room(int account, std::int64_t bytes, std::int64_t most);

namespace detail {

struct request {
  const graph& of;
  const machine* on;  ///< null: of the graph alone
  std::string what;
  std::type_index type;
  bool alone;  ///< one user at a time
};
using maker = std::function<std::shared_ptr<void>(const graph&)>;
/// Null when there is none.
std::shared_ptr<void> find(const request& asked);
std::shared_ptr<void> find_or_make(const request& asked, const maker& make);

}  // namespace detail

/// One that `make` made of this graph on this machine, now or earlier; it is handed a copy that
/// does not keep the graph from its end.
template <class T, class Make>
std::shared_ptr<const T> shared(machine& m, const graph& g, std::string what, const Make& make) {
  return std::static_pointer_cast<const T>(detail::find_or_make(
      {g, &m, std::move(what), typeid(T), false},
      [&make](const graph& bare) -> std::shared_ptr<void> { return make(bare); }));
}
/// As shared(), of what is true of the graph on any machine: facts, counted once.
template <class T, class Make>
std::shared_ptr<const T> of_graph(const graph& g, std::string what, const Make& make) {
  return std::static_pointer_cast<const T>(detail::find_or_make(
      {g, nullptr, std::move(what), typeid(T), false},
      [&make](const graph& bare) -> std::shared_ptr<void> { return make(bare); }));
}
/// As shared(), but for the caller alone for as long as it holds it; others get another one.
template <class T, class Make>
std::shared_ptr<T> alone(machine& m, const graph& g, std::string what, const Make& make) {
  return std::static_pointer_cast<T>(detail::find_or_make(
      {g, &m, std::move(what), typeid(T), true},
      [&make](const graph& bare) -> std::shared_ptr<void> { return make(bare); }));
}

/// Options to prepare a search by. It keeps a copy for longer than a run's trace, whose events take
/// memory, may last; run() hands the trace to its run.
template <class Options>
Options without_trace(Options options) {
  options.run.trace = nullptr;
  return options;
}

/// What `f` makes of a prepared search, under what `how` says of one run. One whose run failed is
/// not kept: it may be in any state.
template <class Prepared, class F>
auto run(const std::shared_ptr<Prepared>& prepared, const run_options& how, const F& f) {
  struct one_run {
    Prepared& of;
    one_run(Prepared& search, const run_options& under) : of(search) { of.follow(under); }
    ~one_run() { of.follow({}); }  // keeps no trace, and nobody's token
    one_run(const one_run&) = delete;
    one_run& operator=(const one_run&) = delete;
  };
  try {
    const one_run now(*prepared, how);
    return f(*prepared);
  } catch (const usage_error&) {
    throw;  // refused before it began, or when it had ended
  } catch (...) {
    forget_object(prepared.get());
    throw;
  }
}

/// place(), unless the graph lies there already. Who needs one direction takes both.
/// Its source() has no weights.
std::shared_ptr<const placed_graph> place(machine& m, const graph& g,
                                          const place_options& options = {});

/// What tells placements of a graph on one machine apart, directions aside: for what is derived
/// from them. Words that mean the same are one.
std::string layout_text(const machine& m, const place_options& options);

/// A text of options: kept::text("sssp", o.engine, o.delta).
class text {
 public:
  template <class... Parts>
  explicit text(const Parts&... parts) {
    (add(parts), ...);
  }
  operator std::string() && { return std::move(text_); }  // NOLINT(google-explicit-constructor)

 private:
  void add(const std::string& part) { text_.append(part).push_back('|'); }
  void add(const char* part) { add(std::string(part)); }
  void add(bool part) { add(std::string(part ? "yes" : "no")); }
  void add(int part) { add(std::to_string(part)); }
  void add(std::int64_t part) { add(std::to_string(part)); }
  void add(double part);
  void add(const std::vector<std::int32_t>& part);
  template <class T>
  void add(const std::optional<T>& part) {
    if (part)
      add(*part);
    else
      add("none");
  }

  std::string text_;
};

}  // namespace gossamer::kept
