// How ranks of a distributed worklist that have run dry get work from others. The contract:
//
// A rank without work, which waits for the reports of others, asks the one that it waits for: that
// rank has work, else it had reported. It asks a rank once; the request stands until it is granted,
// however much later (lifelines: Saraswat et al., PPoPP'11), so that nobody refuses, and nobody
// asks in vain again. A rank that has been asked and whose list is long (`least`) grants, between
// two batches:
//
//   steal  up to half of what waits, as pieces: a vertex, the value that it sends out, and arcs of
//          its row, as many as a parcel holds. The thief relaxes them as if the row were its own
//          and sends what it finds to the owners. Nothing stays there, so a long row is shared,
//          too. Where the list is short, deferred items of the next window go as well: work ahead
//          of its time is better than none.
//   move   ownership of one block of vertices, that with most work waiting which is no more than
//          half of all: values, marks (listed, deferred) and, but for a block that comes home,
//          adjacency. Whoever does not know yet sends to an earlier owner, which passes values on
//          (newest only, as if it had found them), and tells the sender. The block's version, its
//          number of moves, orders what ranks have heard: each owner knows a later one, so that
//          passing on ends. Between an owner and the next, parcels keep their order:
//          what is passed on comes after the block. When all is done, values go home.
//
// All of it is parcels: nothing is read in the memory of another rank. docs/design/worklist.md has
// what it costs and gains, termination.md why the end is still found.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gossamer/base/error.hpp"

namespace gossamer {

enum class balance_policy : std::uint8_t { none, steal, move };

struct balance_options {
  balance_policy policy = balance_policy::none;
  std::int64_t least = 64;  ///< items that wait at a rank that gives some away
  int blocks = 64;          ///< of a rank, at least, if it has as many vertices
  /// Room for arcs of blocks that move to a rank; what does not fit stays where it is.
  std::int64_t guest_arcs = 0;
};

/// By name, else usage_error. `what` is what the error calls the asker.
inline balance_policy balance_by_name(const std::string& what, std::string_view name) {
  if (name == "none") return balance_policy::none;
  if (name == "steal") return balance_policy::steal;
  if (name == "move") return balance_policy::move;
  throw usage_error(what + ": there is no balance '" + std::string(name) +
                    "': none, steal and move are");
}

/// What a parcel of a worklist holds (parcel_exchange's kind).
enum class parcel_kind : std::uint8_t {
  items,
  request,  ///< one steal_request
  pieces,   ///< stolen: rows, or parts of them, with the values that go out along them
  block,    ///< a part of a block that moves: values with marks, or arcs
  news,     ///< one block_news: to who sent here what belongs elsewhere by now
  home,     ///< final values of moved blocks, to those who had them first
};

struct steal_request {
  std::int64_t guest_arcs;  ///< room for a block's
};

/// What a rank knows of a block's owner.
struct block_news {
  std::int64_t block;
  std::int32_t owner;
  std::uint32_t version;  ///< moves of it so far
};

}  // namespace gossamer
