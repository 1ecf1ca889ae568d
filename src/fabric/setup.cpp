// Collective set-up: exchange of small data through host memory, windows, scratch.
#include <cstring>

#include "fabric/gpu_operations.hpp"
#include "fabric/run_state.hpp"

namespace gossamer {

namespace {

// What a rank tells the others about its part of a window; compared before it is used.
struct declaration {
  std::uint64_t sequence, element;
  std::uint64_t kind_of_call;  // home and zeroing: must agree too
  std::uint64_t offset;        ///< in the rank's arena
  std::uint64_t size;
  std::int64_t kind, ordinal;
};

void check_agreement(const declaration& mine, const declaration& other, int self, int peer) {
  if (mine.sequence == other.sequence && mine.element == other.element &&
      mine.kind_of_call == other.kind_of_call)
    return;
  throw rank_error("ranks " + std::to_string(self) + " and " + std::to_string(peer) +
                       " create different windows: call " + std::to_string(mine.sequence) +
                       " with elements of " + std::to_string(mine.element) +
                       " bytes against call " + std::to_string(other.sequence) + " with " +
                       std::to_string(other.element) +
                       (mine.kind_of_call == other.kind_of_call
                            ? ""
                            : ", and not of one kind (window or signals) and home"),
                   self, peer, false);
}

}  // namespace

void rank::exchange(std::span<const std::byte> mine, std::span<std::byte> all) {
  auto& s = *state_;
  s.beat();
  require(all.size() == mine.size() * static_cast<std::size_t>(size_),
          "exchange: `all` must hold size() x mine.size() bytes");
  s.run.carrier->exchange(s, mine, all);
}

void* rank::carve(std::size_t bytes, home where) {
  return state_->mine.block(where).carve(bytes, id_, "scratch");
}

const window_table& rank::make_table(std::size_t n, std::size_t element, home where, bool zero) {
  auto& s = *state_;
  auto& block = s.mine.block(where);
  s.beat();
  auto* data = static_cast<std::byte*>(block.carve(bytes_for(n, element), id_, "window"));
  const bool on_device = block.kind() == memory_kind::device;
  if (zero && n != 0) {
    if (on_device) {
      gpu::fill(data, 0, n * element, s.mine.main);
      synchronize();
    } else {
      std::memset(data, 0, n * element);
    }
  }
  const declaration mine{++s.next_id,
                         element,
                         static_cast<std::uint64_t>(where) * 2 + (zero ? 1 : 0),
                         static_cast<std::uint64_t>(data - block.data()),
                         n,
                         static_cast<std::int64_t>(block.kind()),
                         device_->ordinal};
  std::vector<declaration> all(static_cast<std::size_t>(size_));
  exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));

  window_table table;
  table.id = s.next_id;
  table.element = element;
  table.rank = id_;
  table.where = where;
  for (int peer = 0; peer < size_; ++peer) {
    const auto& theirs = all[peer];
    check_agreement(mine, theirs, id_, peer);
    const auto& pair = owner().between(id_, peer);
    auto* there = s.run.carrier->address(*s.run.resources, id_, peer, where, theirs.offset);
    window_table::part part{there,
                            theirs.size,
                            static_cast<memory_kind>(theirs.kind),
                            static_cast<int>(theirs.ordinal),
                            pair.load_store,
                            pair.atomic,
                            theirs.offset};
    // GPU atomics on host memory are not atomic against the CPU's.
    if (part.kind != memory_kind::device) {
      part.direct = pair.shares_host;
      part.atomic = pair.shares_host && !device_->is_cuda();
    }
    if (peer == id_) part.direct = true;
    if (peer == id_ && part.kind == memory_kind::device) part.atomic = true;
    table.parts.push_back(part);
  }
  s.tables.push_back(std::move(table));
  auto& kept = s.tables.back();
  if (device_->is_cuda()) {
    // The table of base addresses in this GPU's memory, for kernels; null = not addressable.
    std::vector<std::byte*> peers;
    for (const auto& part : kept.parts) peers.push_back(part.direct ? part.data : nullptr);
    kept.device_peers =
        static_cast<std::byte**>(s.mine.native.carve(peers.size() * sizeof(void*), id_, "table"));
    copy_bytes(kept.device_peers, peers.data(), peers.size() * sizeof(void*), s.mine.main);
    synchronize();
  }
  return kept;
}

}  // namespace gossamer
