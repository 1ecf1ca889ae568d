// The two sums over a layout: bytes by rank and purpose, and bytes of each arena.
#include "algorithm/driver/memory_layout.hpp"

#include "gossamer/fabric/arena.hpp"

namespace gossamer::algorithm_detail {

memory_layout::memory_layout(const machine& m, std::int64_t agreement)
    : machine_(m), agreement_(static_cast<std::size_t>(m.size()), {agreement, agreement}) {
  for (int r = m.size() - 1; r >= 0; --r)
    if (m.here(r)) first_here_ = r;
}

void memory_layout::add(place where, int rank, std::string purpose, std::int64_t bytes,
                        certainty sure) {
  const bool own = where == place::own || where == place::window;
  const memory_kind kind = own ? native_memory(machine_[rank]) : memory_kind::host;
  lines_.push_back({where, {rank, kind, std::move(purpose), bytes, sure}});
}

void memory_layout::own(int rank, std::string purpose, std::int64_t bytes, certainty sure) {
  add(place::own, rank, std::move(purpose), bytes, sure);
}
void memory_layout::rows(int rank, std::string purpose, std::int64_t bytes, certainty sure) {
  add(place::own, rank, std::move(purpose), bytes, sure);
  lines_.back().what.spills = machine_[rank].is_cuda();
}
void memory_layout::host(int rank, std::string purpose, std::int64_t bytes, certainty sure) {
  add(place::host, rank, std::move(purpose), bytes, sure);
}
void memory_layout::shared(std::string purpose, std::int64_t bytes, certainty sure) {
  add(place::host, first_here_, std::move(purpose), bytes, sure);
}
void memory_layout::window(int rank, std::string purpose, std::int64_t bytes, certainty sure) {
  add(place::window, rank, std::move(purpose), bytes, sure);
}
void memory_layout::host_window(int rank, std::string purpose, std::int64_t bytes, certainty sure) {
  add(place::host_window, rank, std::move(purpose), bytes, sure);
}
void memory_layout::agreement(int rank, std::int64_t own, std::int64_t host) {
  agreement_[static_cast<std::size_t>(rank)].first += own;
  agreement_[static_cast<std::size_t>(rank)].second += host;
}
void memory_layout::include(const memory_plan& other) {
  included_.insert(included_.end(), other.entries.begin(), other.entries.end());
}

memory_plan memory_layout::plan() const {
  memory_plan plan;
  plan.entries = included_;
  for (const line& l : lines_)
    if (machine_.here(l.what.rank) && l.what.bytes > 0) plan.entries.push_back(l.what);
  const auto tables =
      static_cast<std::int64_t>(arena_overhead(static_cast<std::size_t>(machine_.size())));
  for (int r = 0; r < machine_.size(); ++r) {
    if (!machine_.here(r)) continue;
    const memory_kind native = native_memory(machine_[r]);
    const auto [own, host] = agreement_[static_cast<std::size_t>(r)];
    plan.add(r, native, "agreement and tables of windows", tables + own);
    plan.add(r, memory_kind::host, "agreement and tables on the host", tables + host);
    if (const std::size_t staging = staging_bytes(machine_, r); staging > 0)
      plan.add(r, memory_kind::host, "data on its way to other GPUs",
               static_cast<std::int64_t>(staging));
  }
  return plan;
}

memory_plan memory_layout::plan(std::int64_t asked, spilling spill) const {
  memory_plan limited = plan();
  limited.limit_to(machine_, asked);
  if (may_spill(spill, asked)) limited.spill();
  return limited;
}

std::vector<arena_plan> memory_layout::arenas() const {
  std::vector<arena_plan> all;
  for (const auto& [own, host] : agreement_)
    all.push_back({static_cast<std::size_t>(own), static_cast<std::size_t>(host)});
  for (const line& l : lines_) {
    arena_plan& arena = all[static_cast<std::size_t>(l.what.rank)];
    if (l.where == place::window) arena.native += static_cast<std::size_t>(l.what.bytes);
    if (l.where == place::host_window) arena.host += static_cast<std::size_t>(l.what.bytes);
  }
  return all;
}

}  // namespace gossamer::algorithm_detail
