// The members of distributed_worklist that take its lists; included by its header alone.
#pragma once

#include "gossamer/dataflow/distributed_worklist.hpp"

namespace gossamer {

template <class Callbacks>
distributed_worklist<Callbacks>::distributed_worklist(Callbacks& callbacks, int self,
                                                      std::span<const std::int64_t> capacity,
                                                      worklist_options options)
    : callbacks_(callbacks),
      self_(self),
      ranks_(static_cast<int>(capacity.size())),
      options_(std::move(options)),
      parcel_items_(static_cast<std::size_t>(options_.parcels.bytes) / sizeof(message)),
      // A batch keeps its slots while it leads to others.
      near_(static_cast<std::size_t>(capacity[at(self)] + options_.batch)),
      most_far_(static_cast<std::size_t>(capacity[at(self)])),
      asked_(capacity.size()),
      asked_by_(capacity.size()) {
  require(options_.batch > 0, options_.name + ": a batch needs an item");
  require(options_.delta > 0, options_.name + ": delta must be positive");
  require(parcel_items_ > 0, options_.name + ": a parcel must hold a message");
  check_stealing();
  if (options_.soft_priority) far_ = make_array<item>(most_far_);
  for (int r = 0; Callbacks::passes_on && r < ranks_; ++r)
    require(r == self || static_cast<std::size_t>(capacity[at(r)]) >= parcel_items_,
            options_.name + ": lists that pass messages on must hold a parcel");
  for (int r = 0; r < ranks_; ++r)
    to_.emplace_back(r == self ? 1 : static_cast<std::size_t>(capacity[at(r)]));
}

template <class Callbacks>
std::int64_t distributed_worklist<Callbacks>::bytes(int self,
                                                    std::span<const std::int64_t> capacity,
                                                    const worklist_options& options) {
  const std::int64_t own = capacity[at(self)];
  std::int64_t all = list::bytes(static_cast<std::size_t>(own + options.batch));
  if (options.soft_priority) all += own * static_cast<std::int64_t>(sizeof(item));
  for (int r = 0; r < static_cast<int>(capacity.size()); ++r)
    all += list::bytes(r == self ? 1 : static_cast<std::size_t>(capacity[at(r)]));
  return all;
}

}  // namespace gossamer
