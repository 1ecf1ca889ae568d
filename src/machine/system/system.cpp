// From a description's tables to a model::system: every key is known, every number has a range.
#include "gossamer/machine/system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>

#include "gossamer/base/error.hpp"
#include "machine/system/embedded.hpp"
#include "machine/system/toml.hpp"

namespace gossamer::model {

namespace {

/// Takes the entries out of a table one by one; what is left over is an error.
class taker {
 public:
  taker(toml::table& from, const std::string& where) : from_(from), where_(where) {}
  ~taker() = default;

  [[noreturn]] void fail(int line, const std::string& why) const {
    throw input_error(where_ + ":" + std::to_string(line) + ": " + why);
  }
  std::optional<toml::entry> take(std::string_view key) {
    for (auto it = from_.entries.begin(); it != from_.entries.end(); ++it)
      if (it->key == key) {
        auto found = std::move(*it);
        from_.entries.erase(it);
        return found;
      }
    return std::nullopt;
  }
  std::string text(std::string_view key, std::optional<std::string> otherwise = {}) {
    const auto e = take(key);
    if (!e && otherwise) return *otherwise;
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    if (e->value.is != toml::value::type::text) fail(e->line, std::string(key) + ": expected text");
    return e->value.text;
  }
  double number(std::string_view key, std::optional<double> otherwise = {}, double least = 0) {
    const auto e = take(key);
    if (!e && otherwise) return *otherwise;
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    if (e->value.is != toml::value::type::number || !(e->value.number >= least))
      fail(e->line, std::string(key) + ": expected a number >= " + short_number(least));
    return e->value.number;
  }
  std::vector<double> numbers(std::string_view key, std::optional<std::size_t> length) {
    const auto e = take(key);
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    auto found = e->value.is == toml::value::type::numbers ? e->value.numbers
                                                           : std::vector<double>{e->value.number};
    if (e->value.is != toml::value::type::numbers && e->value.is != toml::value::type::number)
      fail(e->line, std::string(key) + ": expected numbers");
    if (length && found.size() != *length)
      fail(e->line, std::string(key) + ": expected " + std::to_string(*length) + " value" +
                        (*length == 1 ? "" : "s"));
    for (const double x : found)
      if (!(x >= 0)) fail(e->line, std::string(key) + ": a number below 0");
    return found;
  }
  template <class Enum, std::size_t N>
  Enum choice(std::string_view key, const std::array<Enum, N>& all) {
    const auto e = take(key);
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    std::string names;
    for (const Enum one : all) {
      if (e->value.is == toml::value::type::text && e->value.text == to_string(one)) return one;
      names += (names.empty() ? "" : ", ") + std::string(to_string(one));
    }
    fail(e->line, std::string(key) + ": expected one of " + names);
  }
  void done() const {
    if (from_.entries.empty()) return;
    const auto& e = from_.entries.front();
    fail(e.line, "unknown key '" + e.key + "'" +
                     (from_.name.empty() ? "" : " in table '" + from_.name + "'"));
  }

 private:
  static std::string short_number(double x) {
    std::ostringstream out;
    out << x;
    return out.str();
  }
  toml::table& from_;
  const std::string& where_;
};

constexpr std::array memories{memory::device, memory::host};
constexpr std::array movers{mover::processor, mover::engine, mover::adapter};
constexpr std::array kinds{topology_kind::torus, topology_kind::ring, topology_kind::all_to_all,
                           topology_kind::fat_tree, topology_kind::pcie_tree};
constexpr std::array scales{collective_row::scale::none, collective_row::scale::times_ranks,
                            collective_row::scale::over_ranks};
constexpr double tiny = 1e-300;  // "above 0"

transfer_kind read_transfer(taker& t) {
  transfer_kind k;
  k.name = t.text("name");
  k.from = t.choice("from", memories);
  k.to = t.choice("to", memories);
  k.up_to = static_cast<std::size_t>(t.number("up_to", 0));
  k.by = t.choice("by", movers);
  k.start = t.number("start", {}, tiny);  // else a program could start things for ever at one time
  k.setup = t.number("setup", 0);
  k.gap = t.number("gap", 0);
  k.latency = t.number("latency", 0);
  k.bandwidth = t.number("bandwidth", {}, tiny);
  return k;
}

bool searched_key(taker& t, int line) {
  const std::string mapping = t.text("mapping", "identity");
  if (mapping != "identity" && mapping != "searched")
    t.fail(line, "mapping: expected identity or searched");
  return mapping == "searched";
}

collective_row read_collective(toml::table& from, taker& t) {
  collective_row row;
  row.operation = t.text("operation");
  row.algorithm = t.text("algorithm");
  row.up_to = static_cast<std::size_t>(t.number("up_to", 0));
  if (from.find("scaled") != nullptr) row.scaled = t.choice("scaled", scales);
  if (from.find("buffers") != nullptr) row.buffers = t.choice("buffers", memories);
  if (from.find("via") != nullptr) row.via_host = t.choice("via", memories) == memory::host;
  row.searched = searched_key(t, from.line);
  return row;
}

worker read_worker(taker& t) {
  return {t.number("launch", 0), t.number("bandwidth", {}, tiny), t.number("rate", {}, tiny)};
}

interconnect read_network(taker& t) {
  interconnect n;
  n.kind = t.choice("kind", kinds);
  const bool tree = n.kind == topology_kind::fat_tree || n.kind == topology_kind::pcie_tree;
  if (tree || n.kind == topology_kind::torus)
    for (const double x : t.numbers("size", {})) {
      if (x < 1 || x > 4096 || x != std::floor(x))
        throw usage_error("network.size: expected whole numbers from 1 to 4096");
      n.size.push_back(static_cast<int>(x));
    }
  if (tree && n.size.empty()) throw usage_error("network.size: a tree needs a level");
  const std::size_t levels = tree ? n.size.size() : 1;
  n.latency = t.numbers("latency", levels);
  n.bandwidth = t.numbers("bandwidth", levels);
  for (const double b : n.bandwidth)
    if (!(b > 0)) throw usage_error("network.bandwidth: expected numbers above 0");
  n.port_bandwidth = t.number("port_bandwidth", 0);
  n.packet = static_cast<std::size_t>(t.number("packet", 4096, 64));
  return n;
}

void check_rows(const system& s, const std::string& where) {
  for (const bool within : {false, true})
    for (const memory from : memories)
      for (const memory to : memories) {
        const auto& rows = within ? s.copies : s.transfers;
        const bool open_end = std::any_of(rows.begin(), rows.end(), [&](const transfer_kind& k) {
          return k.from == from && k.to == to && k.up_to == 0;
        });
        if (!open_end)
          throw input_error(where + ": no [[" + (within ? "copy" : "transfer") + "]] from " +
                            std::string(to_string(from)) + " to " + std::string(to_string(to)) +
                            " without up_to");
      }
}

void change(std::vector<toml::table>& tables, const std::string& text) {
  const auto equals = text.find('=');
  const std::string path = text.substr(0, equals);
  const auto dot = path.find('.');
  const auto fail = [&](const std::string& why) {
    throw usage_error("system parameter '" + text + "': " + why);
  };
  if (equals == std::string::npos)
    fail("expected table.key=value, for example network.latency=2e-7");
  const bool top = dot == std::string::npos;
  std::string name = top ? "" : path.substr(0, dot), key = top ? path : path.substr(dot + 1), row;
  if (const auto last = key.rfind('.'); last != std::string::npos) {
    row = key.substr(0, last);
    key = key.substr(last + 1);
  }
  toml::value v;
  if (!parse_value(std::string_view(text).substr(equals + 1), v, true)) fail("no value");
  bool found = false;
  for (auto& t : tables) {
    if (t.name != name || t.repeated == row.empty()) continue;
    const auto* label = t.find("name");
    if (!row.empty() && (label == nullptr || label->value.text != row)) continue;
    found = true;
    if (auto* e = t.find(key))
      e->value = v;
    else
      t.entries.push_back({key, v, t.line});  // an optional key; unknown ones are refused later
  }
  if (!found) fail("the system has no " + (row.empty() ? "table '" + name : "row '" + row) + "'");
}

}  // namespace

std::string_view to_string(memory where) noexcept {
  return where == memory::device ? "device" : "host";
}
std::string_view to_string(mover by) noexcept {
  return by == mover::processor ? "processor" : by == mover::engine ? "engine" : "adapter";
}
std::string_view to_string(topology_kind kind) noexcept {
  switch (kind) {
    case topology_kind::torus:
      return "torus";
    case topology_kind::ring:
      return "ring";
    case topology_kind::all_to_all:
      return "all_to_all";
    case topology_kind::fat_tree:
      return "fat_tree";
    case topology_kind::pcie_tree:
      break;
  }
  return "pcie_tree";
}

std::string_view to_string(collective_row::scale s) noexcept {
  if (s == collective_row::scale::none) return "none";
  return s == collective_row::scale::times_ranks ? "times_ranks" : "over_ranks";
}

double worker::seconds(double bytes, double operations) const noexcept {
  return launch + std::max(bytes / bandwidth, operations / rate);
}

const transfer_kind& system::kind_of(memory from, memory to, std::size_t bytes, bool within) const {
  const auto& rows = within ? copies : transfers;
  for (const auto& k : rows)
    if (k.from == from && k.to == to && (k.up_to == 0 || bytes <= k.up_to)) return k;
  throw usage_error("system " + name + ": no transfer kind fits");  // check_rows rules it out
}

const collective_row* system::collective_of(std::string_view operation, std::size_t bytes,
                                            int ranks, memory buffers) const noexcept {
  for (const auto& row : collectives) {
    if (row.operation != operation || (row.buffers && *row.buffers != buffers)) continue;
    const auto p = static_cast<std::size_t>(std::max(ranks, 1));
    const std::size_t limit = row.scaled == collective_row::scale::times_ranks  ? row.up_to * p
                              : row.scaled == collective_row::scale::over_ranks ? row.up_to / p
                                                                                : row.up_to;
    if (row.up_to == 0 || bytes <= limit) return &row;
  }
  return nullptr;
}

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const auto& e : embedded_systems()) names.emplace_back(e.name);
  return names;
}

std::string_view system_text(std::string_view name) {
  std::string names;
  for (const auto& e : embedded_systems()) {
    if (e.name == name) return e.text;
    names += (names.empty() ? "" : ", ") + std::string(e.name);
  }
  throw usage_error("no system '" + std::string(name) + "'; there are " + names +
                    ", or a path to a .toml file");
}

std::shared_ptr<const system> load_system(const std::string& name,
                                          const std::vector<std::string>& changes) {
  std::string text;
  if (name.find('/') != std::string::npos ||
      (name.size() > 5 && name.substr(name.size() - 5) == ".toml")) {
    std::ifstream file(name, std::ios::binary);
    if (!file) throw usage_error("system '" + name + "': the file cannot be read");
    text.assign(std::istreambuf_iterator<char>(file), {});
  } else {
    text = system_text(name);
  }
  auto tables = toml::parse(text, name);
  for (const auto& c : changes) change(tables, c);

  auto made = std::make_shared<system>();
  bool network = false, kernel = false, processor = false;
  for (auto& t : tables) {
    taker from(t, name);
    if (t.name.empty()) {
      made->name = from.text("name");
      made->title = from.text("title");
      made->node = from.text("node");
      made->source = from.text("source", "");
      made->nodes = static_cast<int>(from.number("nodes", 0));
      if (t.find("native") != nullptr) made->native = from.choice("native", memories);
    } else if (t.name == "network" && !t.repeated) {
      made->network = read_network(from);
      network = true;
    } else if (t.name == "transfer" && t.repeated) {
      made->transfers.push_back(read_transfer(from));
    } else if (t.name == "copy" && t.repeated) {
      made->copies.push_back(read_transfer(from));
    } else if (t.name == "collective" && t.repeated) {
      made->collectives.push_back(read_collective(t, from));
    } else if (t.name == "kernel" && !t.repeated) {
      made->kernel = read_worker(from);
      kernel = true;
    } else if (t.name == "processor" && !t.repeated) {
      made->processor = read_worker(from);
      processor = true;
    } else if (t.name == "software" && !t.repeated) {
      made->software = {from.number("call", 0), from.number("step", 0),
                        from.number("poll", {}, tiny)};
      if (t.find("via") != nullptr)
        made->software.via_host = from.choice("via", memories) == memory::host;
      made->software.searched = searched_key(from, t.line);
    } else {
      from.fail(t.line, "unknown table '" + t.name + "'");
    }
    from.done();
  }
  if (!network || !kernel || !processor || made->software.poll == 0)
    throw input_error(name +
                      ": expected the tables network, kernel, processor and software (with poll)");
  check_rows(*made, name);
  for (auto& row : made->collectives) {
    row.via_host = row.via_host || made->software.via_host;
    row.searched = row.searched || made->software.searched;
  }
  return made;
}

}  // namespace gossamer::model
