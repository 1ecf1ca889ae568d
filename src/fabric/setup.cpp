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
  std::byte* data;
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
                       std::to_string(other.element),
                   self, peer, false);
}

}  // namespace

void rank::exchange(std::span<const std::byte> mine, std::span<std::byte> all) {
  auto& s = *state_;
  s.beat();
  require(all.size() == mine.size() * static_cast<std::size_t>(size_),
          "exchange: `all` must hold size() x mine.size() bytes");
  auto& slots = s.run.slots;
  const auto turn = ++s.exchanges;
  slots[id_].data.assign(mine.begin(), mine.end());
  std_atomics::store_release(slots[id_].arrived, turn);
  for (int peer = 0; peer < size_; ++peer) {
    s.wait_until(
        [&](wait_context&) { return std_atomics::load_acquire(slots[peer].arrived) >= turn; },
        {"a collective call (exchange, make_window or make_signals)", peer});
    const auto& theirs = slots[peer].data;
    if (theirs.size() != mine.size())
      throw rank_error("ranks " + std::to_string(id_) + " and " + std::to_string(peer) +
                           " exchange " + std::to_string(mine.size()) + " and " +
                           std::to_string(theirs.size()) + " bytes: collective calls out of step",
                       id_, peer, false);
    if (!mine.empty()) std::memcpy(all.data() + peer * mine.size(), theirs.data(), mine.size());
  }
  // Nobody's copy may change before everyone has read it.
  std_atomics::store_release(slots[id_].left, turn);
  for (int peer = 0; peer < size_; ++peer)
    s.wait_until([&](wait_context&) { return std_atomics::load_acquire(slots[peer].left) >= turn; },
                 {"the end of a collective call", peer});
}

void* rank::carve(std::size_t bytes, home where) {
  auto& block = where == home::native ? state_->mine.native : state_->mine.host;
  return block.carve(bytes, id_, "scratch");
}

const window_table& rank::make_table(std::size_t n, std::size_t element, home where, bool zero) {
  auto& s = *state_;
  auto& block = where == home::native ? s.mine.native : s.mine.host;
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
                         data,
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
    window_table::part part{theirs.data,
                            theirs.size,
                            static_cast<memory_kind>(theirs.kind),
                            static_cast<int>(theirs.ordinal),
                            pair.load_store,
                            pair.atomic};
    // Host memory is addressable by all; GPU atomics on it are not atomic against the CPU's.
    if (part.kind != memory_kind::device) {
      part.direct = true;
      part.atomic = !device_->is_cuda();
    } else if (peer == id_) {
      part.direct = part.atomic = true;
    }
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
    gpu::copy(kept.device_peers, peers.data(), peers.size() * sizeof(void*), s.mine.main);
    synchronize();
  }
  return kept;
}

}  // namespace gossamer
