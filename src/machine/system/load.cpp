// From a description's tables to a model::system: every key is known, every number has a range.
#include "machine/system/load.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "gossamer/base/input_file.hpp"
#include "gossamer/base/shown.hpp"
#include "machine/system/taker.hpp"

namespace gossamer::model {

namespace {

constexpr std::array memories{memory::device, memory::host};
constexpr std::array movers{mover::processor, mover::engine, mover::adapter};
constexpr std::array kinds{topology_kind::torus, topology_kind::ring, topology_kind::all_to_all,
                           topology_kind::fat_tree, topology_kind::pcie_tree};
constexpr std::array scales{collective_row::scale::none, collective_row::scale::times_ranks,
                            collective_row::scale::over_ranks};
constexpr std::array<std::string_view, 7> top_keys{"name",  "title",   "node",  "source",
                                                   "nodes", "largest", "native"};
constexpr std::size_t longest_path = 1000;  // in messages
constexpr double tiny = 1e-300;             // "above 0"
constexpr double slowest = 1;  // bytes or operations a second: what takes them stays finite
constexpr int most_nodes = 1 << 20;
constexpr int most_levels = 8;             // of a tree, or dimensions of a torus
constexpr double most_of_torus = 1 << 15;  // all of its nodes are kept, whoever uses them

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
  k.bandwidth = t.number("bandwidth", {}, slowest);
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
  if (t.has("scaled")) row.scaled = t.choice("scaled", scales);
  if (t.has("buffers")) row.buffers = t.choice("buffers", memories);
  if (t.has("via")) row.via_host = t.choice("via", memories) == memory::host;
  row.searched = searched_key(t, from.line);
  return row;
}

double bandwidth_or_none(taker& t, std::string_view key) {
  const double given = t.number(key, 0);
  if (given != 0 && given < slowest)
    throw usage_error("network." + std::string(key) + ": expected 0 (no limit) or a number >= 1");
  return given;
}

worker read_worker(taker& t) {
  return {t.number("launch", 0),         t.number("bandwidth", {}, slowest),
          t.number("rate", {}, slowest), t.number("scatter", 32),
          t.number("cache", 0),          t.number("threads", 0),
          t.number("pass", 0),           t.number("remote", 0)};
}

int whole_number(taker& t, std::string_view key, int otherwise) {
  const double x = t.number(key, otherwise);
  if (x > most_nodes || x != std::floor(x))
    throw usage_error(std::string(key) + ": expected a whole number up to " +
                      std::to_string(most_nodes));
  return static_cast<int>(x);
}

chips read_chips(toml::table& from, taker& t) {
  chips c;
  const auto whole = [&](const char* key, double most) {
    const double x = t.number(key, {}, 1);
    if (x > most || x != std::floor(x))
      throw usage_error("chips." + std::string(key) + ": expected a whole number from 1 to " +
                        std::to_string(static_cast<int>(most)));
    return static_cast<int>(x);
  };
  c.count = whole("count", 64);
  c.cores = whole("cores", 1024);
  c.misses = whole("misses", 1 << 16);
  c.queue = whole("queue", 1 << 16);
  c.latency = c.misses / t.number("core_rate", {}, slowest);
  c.rate = t.number("rate", {}, slowest);
  c.link = t.number("link", {}, slowest);
  c.step = t.number("step", 0);
  c.update = t.number("update", 0);
  c.ahead = whole_number(t, "ahead", 0);
  c.cache_bytes = t.numbers("caches", {});
  c.cache_latency = t.numbers("cache_latency", c.cache_bytes.size());
  if (1 / c.rate > c.latency)
    t.fail(from.line, "rate: below core_rate / misses, what a core gets alone by one reference");
  return c;
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
    if (b < slowest) throw usage_error("network.bandwidth: expected numbers >= 1");
  n.port_bandwidth = bandwidth_or_none(t, "port_bandwidth");
  n.packet = static_cast<std::size_t>(t.number("packet", 4096, 64));
  n.host_bandwidth = bandwidth_or_none(t, "host_bandwidth");
  n.host_latency = t.number("host_latency", 0);
  if (n.one_host() && !tree)
    throw usage_error("network.host_bandwidth: only a tree has a place for one host of all nodes");
  return n;
}

// Trees end at their top switch: only their sizes say where further nodes would be. What a torus
// says is laid out whole.
void check_size(const system& s, const std::string& where) {
  const auto& size = s.network.size;
  const double holds = std::accumulate(size.begin(), size.end(), 1.0, std::multiplies<>());
  const double most = s.network.kind == topology_kind::torus ? most_of_torus : most_nodes;
  if (size.size() > most_levels || holds > most)
    throw input_error(where + ": network.size: expected at most " + std::to_string(most_levels) +
                      " numbers whose product is at most " +
                      std::to_string(static_cast<int>(most)));
  if (s.largest != 0 && (s.nodes == 0 || s.largest < s.nodes))
    throw input_error(where + ": largest = " + std::to_string(s.largest) + " with nodes = " +
                      std::to_string(s.nodes) + ": it cannot be the smaller one");
  const auto kind = s.network.kind;
  if (kind != topology_kind::fat_tree && kind != topology_kind::pcie_tree) return;
  if (s.largest == 0 || s.largest > holds)
    throw input_error(where + ": the tree of network.size holds " +
                      std::to_string(static_cast<int>(holds)) +
                      " nodes: expected nodes, and largest if given, from 1 to that");
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
    throw usage_error("system parameter '" + shown(text, 100) + "': " + why);
  };
  if (equals == std::string::npos)
    fail("expected table.key=value, for example network.latency=2e-7");
  const bool top = dot == std::string::npos;
  std::string name = top ? "" : path.substr(0, dot), key = top ? path : path.substr(dot + 1), row;
  if (const auto last = key.rfind('.'); last != std::string::npos) {
    row = key.substr(0, last);
    key = key.substr(last + 1);
  }
  if (top && std::find(top_keys.begin(), top_keys.end(), key) == top_keys.end()) {
    std::string names;
    for (const auto known : top_keys) names += std::string(known) + ", ";
    fail("there is no key '" + shown(key) + "'; there are " + names +
         "those of tables, for example network.latency, and ranks in a machine spec");
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
  if (!found)
    fail("the system has no " + (row.empty() ? "table '" + shown(name) : "row '" + shown(row)) +
         "'");
}

}  // namespace

std::shared_ptr<const system> load_system(const std::string& name,
                                          const std::vector<std::string>& changes) {
  const bool path = name.find('/') != std::string::npos || name.ends_with(".toml");
  return parse_system(path ? read_text(name, "a system") : std::string(system_text(name)),
                      shown(name, longest_path), changes);
}

std::shared_ptr<const system> parse_system(std::string_view text, const std::string& name,
                                           const std::vector<std::string>& changes) {
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
      made->nodes = whole_number(from, "nodes", 0);
      made->largest = whole_number(from, "largest", made->nodes);
      if (from.has("native")) made->native = from.choice("native", memories);
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
    } else if (t.name == "chips" && !t.repeated) {
      made->chips = read_chips(t, from);
    } else if (t.name == "software" && !t.repeated) {
      made->software = {from.number("call", 0), from.number("step", 0),
                        from.number("poll", {}, tiny)};
      if (from.has("via")) made->software.via_host = from.choice("via", memories) == memory::host;
      made->software.searched = searched_key(from, t.line);
    } else {
      from.fail(t.line, "unknown table '" + shown(t.name) + "'");
    }
    from.done();
  }
  if (!network || !kernel || !processor || made->software.poll == 0)
    throw input_error(name +
                      ": expected the tables network, kernel, processor and software (with poll)");
  check_size(*made, name);
  check_rows(*made, name);
  for (auto& row : made->collectives) {
    row.via_host = row.via_host || made->software.via_host;
    row.searched = row.searched || made->software.searched;
  }
  return made;
}

}  // namespace gossamer::model
