// A timeline in Chrome's trace event format.
//
// Complete events of one thread have to be nested: they may lie inside each other, but not overlap
// otherwise. A rank's thread and stream work like that; transfers beside them do not, so each pair
// of ranks has a row of threads, as many as transfers of it overlap. Times are whole nanoseconds
// written as microseconds, so that what is nested stays nested.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <tuple>

#include "fabric/timeline_lanes.hpp"
#include "fabric/timeline_state.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/json.hpp"

namespace gossamer {

namespace {

constexpr int threads_of_rank = 1 << 16;  // thread ids: rank * this + number
// The clocks of a GPU and its host agree this well: events overlap by so much without meaning it.
constexpr std::int64_t blur = 2000;  // ns

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string microseconds(std::int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", static_cast<long long>(ns / 1000),
                static_cast<long long>(ns % 1000));
  return text;
}

/// The rows of events that one thread cannot hold: a rank's track and, beside it, the other rank.
using group = std::tuple<int, trace_track, int>;  // rank, track, peer or -1

group group_of(const kept_event& k) {
  const bool by_link = k.e.on == trace_track::beside && k.e.kind == trace_class::copy;
  return {k.rank, k.e.on, by_link ? (k.e.from == k.rank ? k.e.to : k.e.from) : -1};
}

class writer {
 public:
  explicit writer(const timeline::state& s) : s_(s) {}

  std::string text() {
    place_events();
    out_ = "{\"traceEvents\":[\n";
    name_processes();
    for (const auto& [of, events] : events_) write_group(of, events);
    out_.erase(out_.size() - 2);  // the last comma
    out_ += "\n],\"displayTimeUnit\":\"ms\",\"otherData\":{";
    describe();
    return out_ + "}}\n";
  }

 private:
  void place_events() {
    double first = std::numeric_limits<double>::infinity();
    for (const kept_event& k : s_.events) first = std::min(first, k.e.begin);
    const auto ns = [&](double at) { return std::llround((at - first) * 1e9); };
    for (const kept_event& k : s_.events)
      events_[group_of(k)].push_back({&k, ns(k.e.begin), std::max(ns(k.e.begin), ns(k.e.end))});
    for (auto& [of, events] : events_)
      std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
      });
  }

  void name_processes() {
    std::map<int, bool> named;
    for (const auto& r : s_.ranks) {
      if (!named.emplace(r.host, true).second) continue;
      const std::string name =
          s_.system.empty() ? "host " + std::to_string(r.host) : "modelled system: " + s_.system;
      out_ += "{\"ph\":\"M\",\"pid\":" + std::to_string(r.host) +
              ",\"name\":\"process_name\",\"args\":{\"name\":" + json_string(name) + "}},\n";
    }
  }

  void write_group(const group& of, const std::vector<placed_event>& events) {
    const auto [rank, track, peer] = of;
    int& next = threads_[rank];
    const int first = rank * threads_of_rank + next;
    const bool device = track == trace_track::stream || track == trace_track::kernel;
    lanes rows(device ? blur : 0);
    for (placed_event e : events) write_event(e, first + static_cast<int>(rows.place(e)));
    for (std::size_t i = 0; i < rows.count(); ++i) {
      const int id = first + static_cast<int>(i);
      name_thread(id, rank, track, peer, i);
      const bool computes =
          s_.ranks[static_cast<std::size_t>(rank)].cuda ? device : track == trace_track::host;
      if (computes) compute_threads_[rank].push_back(id);
    }
    next += static_cast<int>(rows.count());
  }

  void name_thread(int id, int rank, trace_track track, int peer, std::size_t lane) {
    std::string name = "rank " + std::to_string(rank);
    switch (track) {
      case trace_track::host:
        name += s_.ranks[static_cast<std::size_t>(rank)].cuda ? ", host thread" : "";
        break;
      case trace_track::stream:
        name += ", stream";
        break;
      case trace_track::kernel:
        name += ", kernel";
        break;
      case trace_track::beside:
        name += peer < 0 ? ", beside" : " → " + std::to_string(peer);
        break;
    }
    if (lane > 0) name += " (" + std::to_string(lane + 1) + ")";
    const std::string head = "{\"ph\":\"M\",\"pid\":" + host_of(rank) +
                             ",\"tid\":" + std::to_string(id) + ",\"name\":\"thread_";
    out_ += head + "name\",\"args\":{\"name\":" + json_string(name) + "}},\n";
    out_ += head + "sort_index\",\"args\":{\"sort_index\":" + std::to_string(id) + "}},\n";
  }

  void write_event(const placed_event& at, int thread) {
    const trace_event& e = at.of->e;
    const std::string where =
        ",\"pid\":" + host_of(at.of->rank) + ",\"tid\":" + std::to_string(thread);
    const std::string args = arguments(*at.of);
    const std::string head = "\"cat\":\"" + std::string(to_string(e.kind)) +
                             "\",\"ts\":" + microseconds(at.begin) + where;
    out_ += "{\"ph\":\"X\",\"name\":" + json_string(e.name) + "," + head +
            ",\"dur\":" + microseconds(at.end - at.begin) + args + "},\n";
    if (e.kind != trace_class::level) return;
    out_ += "{\"ph\":\"i\",\"s\":\"t\",\"name\":" +
            json_string("level " + std::to_string(e.level) + " " + e.name) + "," + head + args +
            "},\n";
  }

  static std::string arguments(const kept_event& k) {
    const trace_event& e = k.e;
    std::string out =
        ",\"args\":{\"rank\":" + std::to_string(k.rank) + ",\"run\":" + std::to_string(k.run);
    const auto add = [&](const char* name, std::int64_t value) {
      out += std::string(",\"") + name + "\":" + std::to_string(value);
    };
    if (e.level >= 0) add("level", e.level);
    if (e.kind == trace_class::copy) {
      add("bytes", e.amount);
      add("from", e.from);
      add("to", e.to);
    } else if (e.kind == trace_class::wait) {
      add("for", e.from);
    } else if (e.kind == trace_class::level) {
      add("frontier", e.amount);
    }
    return out + "}";
  }

  void describe() {
    out_ += "\"format\":\"gossamer trace 1\",\n\"machine\":" + json_string(s_.spec) +
            ",\"fabric\":" + json_string(s_.fabric) + ",\"clock\":\"" +
            (s_.model ? "virtual" : "wall") + "\",\"dropped\":" + std::to_string(s_.dropped) +
            ",\n\"ranks\":[";
    for (std::size_t r = 0; r < s_.ranks.size(); ++r) {
      out_ += r == 0 ? "" : ",";
      out_ += "\n{\"rank\":" + std::to_string(r) +
              ",\"device\":" + json_string(s_.ranks[r].device) +
              ",\"host\":" + std::to_string(s_.ranks[r].host) + ",\"compute_threads\":[";
      const auto& ids = compute_threads_[static_cast<int>(r)];
      for (std::size_t i = 0; i < ids.size(); ++i)
        out_ += (i == 0 ? "" : ",") + std::to_string(ids[i]);
      out_ += "]}";
    }
    out_ += "],\n\"links\":[";
    describe_links();
    out_ += "],\n\"runs\":[";
    bool first = true;
    for (const auto& d : s_.descriptions) {
      out_ += std::exchange(first, false) ? "\n" : ",\n";
      out_ += "{\"run\":" + std::to_string(d.run) + ",\"algorithm\":" + json_string(d.algorithm) +
              ",\"milliseconds\":" + number(d.milliseconds);
      if (!d.engine.empty()) out_ += ",\"engine\":" + json_string(d.engine);
      for (const auto& [name, value] : d.facts)
        out_ += "," + json_string(name) + ":" + std::to_string(value);
      out_ += '}';
    }
    out_ += ']';
  }

  /// Those that carried something, with what the machine knows of their bandwidth.
  void describe_links() {
    std::map<std::pair<int, int>, bool> used;
    for (const kept_event& k : s_.events)
      if (k.e.kind == trace_class::copy) used[{k.e.from, k.e.to}] = true;
    bool first = true;
    for (const auto& [pair, _] : used) {
      const auto link = s_.link_of(pair.first, pair.second);
      out_ += std::exchange(first, false) ? "\n" : ",\n";
      out_ +=
          "{\"from\":" + std::to_string(pair.first) + ",\"to\":" + std::to_string(pair.second) +
          ",\"transport\":" + json_string(link.transport) + ",\"bandwidth\":" +
          (link.bandwidth > 0 && std::isfinite(link.bandwidth) ? number(link.bandwidth) : "null") +
          "}";
    }
  }

  [[nodiscard]] std::string host_of(int rank) const {
    return std::to_string(s_.ranks[static_cast<std::size_t>(rank)].host);
  }

  const timeline::state& s_;
  std::string out_;
  std::map<group, std::vector<placed_event>> events_;
  std::map<int, int> threads_;  ///< of each rank, so far
  std::map<int, std::vector<int>> compute_threads_;
};

}  // namespace

std::string timeline::json() const {
  require(!state_->ranks.empty(), "timeline: nothing was recorded");
  return writer(*state_).text();
}

}  // namespace gossamer
