// plan: the bytes a placement takes per rank, and the limits they are compared with.
#include <algorithm>
#include <limits>
#include <map>
#include <sstream>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/enum_name.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/base/memory_use.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/placement/kept.hpp"
#include "placement/placement_state.hpp"

namespace gossamer {

namespace {

const char* name_of(memory_kind kind) {
  return enum_name<memory_kind::spread>(kind, {"host", "pinned", "device", "spread"});
}

/// What 64 bits do not hold is the most that they do: refused, and no small sum.
void add_to(std::int64_t& sum, std::int64_t bytes) {
  if (__builtin_add_overflow(sum, bytes, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

/// A rank's native memory is the device's as soon as it has device entries.
bool has_device_entries(const std::vector<memory_plan::entry>& entries, int rank) {
  return std::any_of(entries.begin(), entries.end(), [rank](const auto& e) {
    return e.rank == rank && e.kind == memory_kind::device && e.bytes > 0;
  });
}

}  // namespace

const char* certainty_name(certainty c) {
  return enum_name<certainty::about>(c, {"exact", "at most", "about"});
}

void memory_plan::add(int rank, memory_kind kind, std::string purpose, std::int64_t bytes,
                      certainty sure) {
  if (bytes > 0) entries.push_back({rank, kind, std::move(purpose), bytes, sure});
}

namespace {

/// The purpose of what spill() moves from an entry.
std::string moved_from(const std::string& purpose) {
  return purpose + " in host memory";
}

/// Moves entries of a rank until `over` bytes have left its GPU. Of an entry whole pages stay.
void move_to_host(std::vector<memory_plan::entry>& entries, int rank, std::int64_t over) {
  constexpr auto page = static_cast<std::int64_t>(spread_pages::bytes);
  for (std::size_t i = 0; i < entries.size() && over > 0; ++i) {
    auto& e = entries[i];
    if (e.rank != rank || !e.spills || e.kind != memory_kind::device) continue;
    const std::int64_t pages = (e.bytes + page - 1) / page;
    const std::int64_t stays = std::max<std::int64_t>(0, e.bytes - over) / page;
    over -= e.bytes - stays * page;
    e.bytes = stays * page;
    memory_plan::entry moved = e;
    moved.kind = memory_kind::pinned;
    moved.purpose = moved_from(e.purpose);
    moved.bytes = (pages - stays) * page;
    entries.push_back(std::move(moved));
  }
}

bool is_of_columns(const memory_plan::entry& e) {
  return e.kind == memory_kind::device && (e.purpose == "columns" || e.purpose == "in-columns");
}

}  // namespace

void memory_plan::spill(std::int64_t room) {
  for (std::size_t r = 0; r < limit.size(); ++r) {
    std::int64_t over = of(static_cast<int>(r));
    add_to(over, room - limit[r]);
    move_to_host(entries, static_cast<int>(r), over);
  }
}

void memory_plan::keep_on_gpus(std::int64_t columns) {
  for (std::size_t r = 0; r < limit.size(); ++r) {
    std::int64_t over = -columns;
    for (const entry& e : entries)
      if (e.rank == static_cast<int>(r) && is_of_columns(e)) add_to(over, e.bytes);
    move_to_host(entries, static_cast<int>(r), over);
  }
}

std::int64_t memory_plan::columns_on_gpu() const {
  std::map<int, std::int64_t> kept;
  for (const entry& e : entries)
    if (e.spills && e.kind == memory_kind::pinned) kept[e.rank] = 0;
  std::int64_t least = -1;
  for (auto& [rank, bytes] : kept) {
    for (const entry& e : entries)
      if (e.rank == rank && is_of_columns(e)) bytes += e.bytes;
    least = least < 0 ? bytes : std::min(least, bytes);
  }
  return least;
}

std::optional<std::int64_t> memory_plan::pages_on_device(int rank,
                                                         const std::string& purpose) const {
  bool moved = false;
  std::int64_t bytes = 0;
  for (const entry& e : entries) {
    if (e.rank != rank || !e.spills) continue;
    moved = moved || (e.kind == memory_kind::pinned && e.purpose == moved_from(purpose));
    if (e.kind == memory_kind::device && e.purpose == purpose) bytes = e.bytes;
  }
  if (!moved) return std::nullopt;
  return bytes / static_cast<std::int64_t>(spread_pages::bytes);
}

std::int64_t memory_plan::spilled() const {
  std::int64_t sum = 0;
  for (const entry& e : entries)
    if (e.spills && e.kind == memory_kind::pinned) sum += e.bytes;
  return sum;
}

std::string memory_plan::spilled_text() const {
  if (spilled() == 0) return "";
  return "; " + configuration::format_bytes(spilled()) +
         " of rows stay in host memory, since GPUs have no room for them";
}

bool may_spill(spilling asked, std::int64_t memory) {
  return asked == spilling::host ||
         (asked == spilling::automatic && memory == 0 && !configuration::memory());
}

std::int64_t memory_plan::of(int rank) const {
  const bool on_device = has_device_entries(entries, rank);
  std::int64_t sum = 0;
  for (const entry& e : entries)
    if (e.rank == rank && (e.kind == memory_kind::device) == on_device) add_to(sum, e.bytes);
  return sum;
}

std::int64_t memory_plan::total() const {
  std::int64_t sum = 0;
  for (const entry& e : entries) add_to(sum, e.bytes);
  return sum;
}

std::map<int, std::int64_t> memory_plan::kept() const {
  std::map<int, std::int64_t> all;
  const auto note = [&all](int account) {
    if (const std::int64_t bytes = kept::bytes_in(account); bytes > 0) all[account] = bytes;
  };
  for (const int account : accounts) note(account);
  if (!accounts.empty()) note(host_account);
  return all;
}

std::string memory_plan::text() const {
  using configuration::format_bytes;
  std::ostringstream out;
  out << "memory plan, " << format_bytes(total()) << " in all";
  for (std::size_t r = 0; r < limit.size(); ++r) {
    out << "\n  rank " << r << ": " << format_bytes(of(static_cast<int>(r))) << " of "
        << format_bytes(limit[r]);
    for (const entry& e : entries) {
      if (e.rank != static_cast<int>(r)) continue;
      out << "\n    " << e.purpose << " (" << name_of(e.kind) << "): " << format_bytes(e.bytes);
    }
  }
  for (const auto& [account, bytes] : kept())
    out << "\n  kept from earlier calls, dropped when room is needed ("
        << (account == host_account ? "host" : "GPU " + std::to_string(account))
        << "): " << format_bytes(bytes);
  return out.str();
}

void memory_plan::check() const {
  const auto refuse_over = [this](std::int64_t most, const std::string& who, const auto& counts) {
    using configuration::format_bytes;
    std::vector<std::pair<std::string_view, std::int64_t>> purposes;
    std::int64_t sum = 0;
    for (const entry& e : entries) {
      if (!counts(e)) continue;
      add_to(sum, e.bytes);
      auto same = std::find_if(purposes.begin(), purposes.end(),
                               [&](const auto& p) { return p.first == e.purpose; });
      if (same == purposes.end()) same = purposes.insert(same, {e.purpose, 0});
      add_to(same->second, e.bytes);
    }
    if (sum <= most) return;
    std::string parts;
    for (const auto& [purpose, bytes] : purposes)
      parts.append(parts.empty() ? "" : " + ").append(purpose) += " " + format_bytes(bytes);
    throw capacity_error("the memory plan of " + who + " does not fit: " + parts + " = " +
                         format_bytes(sum) + "; the limit is " + format_bytes(most));
  };
  for (std::size_t r = 0; r < limit.size(); ++r) {
    const auto rank = static_cast<int>(r);
    const bool on_device = has_device_entries(entries, rank);
    refuse_over(limit[r], "rank " + std::to_string(r), [&](const entry& e) {
      return e.rank == rank && (e.kind == memory_kind::device) == on_device;
    });
  }
  if (host_limit > 0)
    refuse_over(host_limit, "all ranks in host memory",
                [](const entry& e) { return e.kind != memory_kind::device; });
  make_room();
}

void memory_plan::make_room() const {
  struct need {
    std::int64_t bytes = 0, most = 0;
  };
  std::map<int, need> needs;
  for (std::size_t r = 0; r < accounts.size() && r < limit.size(); ++r)
    if (accounts[r] != host_account) add_to(needs[accounts[r]].most, limit[r]);
  if (host_limit > 0) needs[host_account].most = host_limit;
  for (const entry& e : entries) {
    const bool on_device = e.kind == memory_kind::device;
    if (on_device && static_cast<std::size_t>(e.rank) >= accounts.size()) continue;
    add_to(needs[on_device ? accounts[static_cast<std::size_t>(e.rank)] : host_account].bytes,
           e.bytes);
  }
  for (const auto& [account, n] : needs)
    if (n.most > 0) kept::make_room(account, n.bytes, n.most);
}

void memory_plan::limit_to(const machine& m, std::int64_t asked) {
  const auto configured = configuration::memory();
  const std::int64_t everywhere = asked > 0 ? asked : configured.value_or(0);
  const std::int64_t per_gpu = asked < 0 ? -asked : everywhere, per_device = everywhere;
  const std::int64_t host = per_device > 0 ? per_device : host_memory_limit().bytes;
  int on_host = 0;
  for (int r = 0; r < m.size(); ++r) on_host += m[r].is_cuda() ? 0 : 1;
  host_limit = host;
  limit.resize(m.size());
  accounts.resize(m.size());
  for (int r = 0; r < m.size(); ++r) {
    const device& d = m[r];
    accounts[r] = d.is_cuda() && m.here(r) ? d.ordinal : host_account;
    if (d.is_cuda()) {
      // A context, its stacks and loaded kernels take some hundred MiB that are nobody's entry.
      const std::int64_t all = per_gpu > 0 ? per_gpu : d.memory - d.memory / 32;
      limit[r] = all / std::max(1, d.share);
      // Beside its GPU a process has its part of its host's memory.
      if (d.process >= 0 && m.here(r) && per_device <= 0) host_limit = host_memory_here(m);
    } else if (d.process >= 0) {
      // Its host's memory, divided among the processes there; each plans its own rank alone.
      limit[r] = per_device > 0 ? per_device : d.memory;
      if (m.here(r)) host_limit = limit[r];
    } else {
      limit[r] = host / std::max(1, on_host);
    }
  }
}

namespace placement_detail {

std::vector<std::int64_t> bounds_of(const ownership_sizes& owners, std::int64_t vertices) {
  std::vector<std::int64_t> bounds{0};
  for (int r = 0; r < owners.ranks(); ++r) {
    const std::int64_t next = bounds.back() + owners.local_size(r);
    bounds.push_back(vertices < 0 ? next : std::min(next, vertices));
  }
  return bounds;
}

namespace {

/// What engines sync and single_kernel of bfs take for `rows`, of whom there are `placed` on all
/// ranks.
std::int64_t bfs_room(std::int64_t rows, std::int64_t placed, std::int64_t arcs,
                      std::int64_t width) {
  // Frontiers and queues, parents and depths; packed rows; bitmaps, the log.
  const std::int64_t a_row = 24 + 2 * width + (arcs <= 6 * placed ? 16 : 0);
  return rows * a_row + placed + (std::int64_t{4} << 20);
}

}  // namespace

void plan_slices(memory_plan& plan, const machine& m, const graph_shape& g, const division& d,
                 const place_options& how, certainty sure_rows, certainty sure_arcs) {
  const bool by_columns = how.makes_columns(m.size());
  const std::int64_t width = placed_width(d, g), n = g.vertices;
  const bool directed = !g.symmetric && how.both_directions && !how.by_columns;
  // A graph not known to be symmetric may turn out so, and then has no second direction.
  const auto second = [&](certainty c) {
    return c == certainty::exact && !g.directed ? certainty::at_most : c;
  };
  constexpr std::int64_t offset = sizeof(edge_offset);
  const ownership_sizes owners = sizes_of(d);
  bool counted_host = false;
  // Rows that are not the caller's as they are: made in host memory, of one rank after the other.
  std::int64_t made = 0;
  int making = 0;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;  // planned by its own process
    const share& s = d.shares[r];
    const std::int64_t rows = by_columns ? owners.placed() : owners.local_size(r);
    const std::int64_t arcs = by_columns && !g.symmetric ? s.in_arcs : s.arcs;
    const bool shared = !by_columns && d.identity && !m[r].is_cuda() && width == g.id_width;
    const memory_kind kind = native_memory(m[r]);
    if (!counted_host) {
      // Tables of the whole placement, counted once.
      counted_host = true;
      if (!d.identity) {
        plan.add(r, memory_kind::host, "permutation", (n + owners.placed()) * width, sure_rows);
      }
      if (directed) {
        plan.add(r, memory_kind::host, "reversed graph", (n + 1) * offset + g.arcs * g.id_width,
                 second(g.arcs_are));
      }
    }
    if (!(shared && m.size() == 1)) {
      plan.add(r, kind, "offsets", (rows + 1) * offset, sure_rows);
      if (directed) plan.add(r, kind, "in-offsets", (rows + 1) * offset, second(sure_rows));
    }
    if (!shared && !(d.identity && m.size() == 1 && m[r].is_cuda() && m[r].ordinal == g.gpu)) {
      const auto add_columns = [&](const char* purpose, std::int64_t number, certainty sure) {
        if (number > 0)
          plan.entries.push_back({r, kind, purpose, number * width, sure, m[r].is_cuda()});
      };
      add_columns("columns", arcs, sure_arcs);
      if (directed) add_columns("in-columns", s.in_arcs, second(sure_arcs));
    }
    if (m[r].is_cuda()) {
      plan.add(r, kind, "ownership", ownership_bytes(owners), sure_rows);
      if (!d.identity) plan.add(r, kind, "permutation", owners.placed() * width, sure_rows);
      if (by_columns || !d.identity || width != g.id_width) {
        const std::int64_t most = by_columns ? 0 : directed ? std::max(arcs, s.in_arcs) : arcs;
        if (made == 0) making = r;
        made = std::max(made, (rows + 1) * offset + most * width);
      }
    }
  }
  if (made > 0) plan.add(making, memory_kind::host, "rows on their way to GPUs", made, sure_arcs);
  if (how.columns_on_gpu >= 0) {
    plan.keep_on_gpus(how.columns_on_gpu);
  } else if (may_spill(how.spill, how.memory)) {
    std::int64_t longest = 0;
    for (int r = 0; r < m.size(); ++r) longest = std::max(longest, owners.local_size(r));
    plan.spill(bfs_room(longest, owners.placed(), g.arcs, width));
  }
  if (!by_columns) return;
  std::int64_t whole = 0;  // before they are spread over pages of both memories
  for (int r = 0; r < m.size(); ++r)
    if (plan.pages_on_device(r, "columns"))
      whole = std::max(whole, (g.symmetric ? d.shares[r].arcs : d.shares[r].in_arcs) * width);
  plan.add(making, memory_kind::host, "columns on their way to GPUs", whole, sure_arcs);
}

}  // namespace placement_detail

namespace {

/// METIS runs on the host, once for all ranks and before they take anything: no rank's share of the
/// limit bounds it, but make_partition() compares it with the whole.
void plan_partition(memory_plan& plan, const machine& m, const graph_sizes& sizes,
                    const place_options& options) {
  if (options.partition != "metis" || m.size() == 1) return;
  int first = 0;
  while (!m.here(first)) ++first;
  plan.add(first, memory_kind::host, "partitioning by METIS", partition_bytes(sizes, "metis"),
           certainty::about);
}

}  // namespace

memory_plan plan_placement(const machine& m, const graph& g, const place_options& options) {
  using namespace placement_detail;
  memory_plan plan;
  plan.limit_to(m, options.memory);
  const certainty sure = options.partition == "metis" ? certainty::about : certainty::exact;
  plan_slices(plan, m, shape_of(g), divide(g, m.size(), options, true), options, sure, sure);
  plan_partition(plan, m, graph_sizes::of(g), options);
  return plan;
}

certainty rows_certainty(const machine& m, const graph_shape& g, const place_options& options) {
  const bool ranges = options.partition == "auto" || options.partition == "ranges";
  if (m.size() == 1 || (ranges && g.vertices_are == certainty::exact)) return g.vertices_are;
  return certainty::about;
}

memory_plan plan_placement(const machine& m, const graph_shape& g, const place_options& options) {
  using namespace placement_detail;
  memory_plan plan;
  plan.limit_to(m, options.memory);
  plan_slices(plan, m, g, divide(g, m.size(), options), options, rows_certainty(m, g, options),
              m.size() == 1 ? g.arcs_are : certainty::about);
  plan_partition(plan, m, {g.vertices, g.arcs, g.id_width, 0, g.symmetric}, options);
  return plan;
}

ownership_sizes plan_ownership(const machine& m, const graph& g, const place_options& options) {
  using namespace placement_detail;
  return sizes_of(divide(g, m.size(), options, true));
}

ownership_sizes plan_ownership(const machine& m, const graph_shape& g,
                               const place_options& options) {
  using namespace placement_detail;
  return sizes_of(divide(g, m.size(), options));
}

namespace {

planned_rows planned_from(const placement_detail::division& d, std::int64_t vertices,
                          certainty rows_are, certainty arcs_are) {
  planned_rows rows;
  rows.bounds =
      placement_detail::bounds_of(placement_detail::sizes_of(d), d.identity ? vertices : -1);
  for (const auto& s : d.shares) rows.arcs.push_back(s.arcs);
  rows.moved = !d.identity;
  rows.rows_are = rows_are;
  rows.arcs_are = arcs_are;
  return rows;
}

}  // namespace

planned_rows plan_rows(const machine& m, const graph& g, const place_options& options) {
  const certainty sure =
      options.partition == "metis" && m.size() > 1 ? certainty::about : certainty::exact;
  return planned_from(placement_detail::divide(g, m.size(), options, true), g.vertices(), sure,
                      sure);
}

planned_rows plan_rows(const machine& m, const graph_shape& g, const place_options& options) {
  return planned_from(placement_detail::divide(g, m.size(), options), g.vertices,
                      rows_certainty(m, g, options), m.size() == 1 ? g.arcs_are : certainty::about);
}

namespace {

std::vector<std::int64_t> in_arcs_of(const placement_detail::division& d, bool symmetric) {
  std::vector<std::int64_t> all;
  for (const auto& s : d.shares) all.push_back(symmetric ? s.arcs : s.in_arcs);
  return all;
}

}  // namespace

std::vector<std::int64_t> plan_in_arcs(const machine& m, const graph& g,
                                       const place_options& options) {
  return in_arcs_of(placement_detail::divide(g, m.size(), options, true), g.symmetric);
}

std::vector<std::int64_t> plan_in_arcs(const machine& m, const graph_shape& g,
                                       const place_options& options) {
  return in_arcs_of(placement_detail::divide(g, m.size(), options), g.symmetric);
}

}  // namespace gossamer
