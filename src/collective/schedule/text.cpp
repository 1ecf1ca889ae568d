// Schedules as text for people and as JSON for programs.
#include <string>

#include "collective/schedule/room.hpp"
#include "gossamer/base/memory_limit.hpp"
#include "gossamer/collective/schedule.hpp"

namespace gossamer {

namespace {

constexpr const char* buffers[] = {"input", "output", "scratch"};
constexpr const char* kinds[] = {"put", "wait", "copy", "reduce", "flush"};

std::string range(const buffer_place& at, std::size_t n) {
  return std::string(buffers[static_cast<int>(at.in)]) + "[" + std::to_string(at.offset) + ".." +
         std::to_string(at.offset + n) + ")";
}

std::string operand(const step& s, int k) {
  if (k == s.own_part) return range(s.own, s.count);
  return range({s.from.in, s.from.offset + static_cast<std::size_t>(k) * s.stride}, s.count);
}

std::string json_place(const char* name, const buffer_place& at) {
  return std::string(",\"") + name + "\":{\"buffer\":\"" + buffers[static_cast<int>(at.in)] +
         "\",\"offset\":" + std::to_string(at.offset) + "}";
}

std::string json_number(const char* name, long long value) {
  return std::string(",\"") + name + "\":" + std::to_string(value);
}

std::string json_step(const step& s) {
  std::string t = std::string("{\"kind\":\"") + kinds[static_cast<int>(s.kind)] + "\"";
  t += json_number("round", s.round);
  if (s.peer >= 0) t += json_number("peer", s.peer);
  if (s.signal >= 0) t += json_number("signal", s.signal);
  if (s.kind == step_kind::wait) t += json_number("lag", s.lag);
  if (s.kind == step_kind::put) t += json_number("chain", s.chain);
  if (s.lane >= 0) t += json_number("lane", s.lane);
  const bool moves =
      s.kind == step_kind::copy || s.kind == step_kind::reduce || s.kind == step_kind::put;
  if (moves) t += json_number("count", static_cast<long long>(s.count));
  if (moves && s.count != 0) t += json_place("from", s.from) + json_place("to", s.to);
  if (s.kind == step_kind::reduce) {
    t += json_number("parts", s.parts) + json_number("stride", static_cast<long long>(s.stride));
    if (s.own_part >= 0) t += json_number("own_part", s.own_part) + json_place("own", s.own);
  }
  return t + "}";
}

}  // namespace

std::string to_text(const step& s) {
  const auto signal = [&] { return "signal " + std::to_string(s.signal); };
  const auto peer = [&] { return std::to_string(s.peer); };
  switch (s.kind) {
    case step_kind::put: {
      std::string t = "put " + (s.count == 0 ? std::string("nothing -> ") + peer()
                                             : range(s.from, s.count) + " -> " + peer() + ' ' +
                                                   range(s.to, s.count));
      return s.signal < 0 ? t : t + ", " + signal();
    }
    case step_kind::wait:
      return "wait " + signal() + " from " + peer() +
             (s.lag == 0 ? "" : ", " + std::to_string(s.lag) + " epochs ago");
    case step_kind::copy:
      return "copy " + range(s.from, s.count) + " -> " + range(s.to, s.count);
    case step_kind::reduce: {
      std::string t = "reduce ";
      if (s.parts <= 4)
        for (int k = 0; k < s.parts; ++k) t += (k == 0 ? "" : " + ") + operand(s, k);
      else
        t += operand(s, 0) + " + " + operand(s, 1) + " + … + " + operand(s, s.parts - 1) + " (" +
             std::to_string(s.parts) + " operands)";
      return t + " -> " + range(s.to, s.count);
    }
    case step_kind::flush:
      return "flush " + peer();
  }
  return {};
}

std::string schedule::text() const {
  const auto& q = request();
  std::string t = std::string(name_of(q.op)) + ' ' + std::string(algorithm().name) + ": " +
                  std::to_string(q.ranks) + (q.ranks == 1 ? " rank, " : " ranks, ") +
                  std::to_string(q.count) + " elements of " + std::to_string(q.element) + " bytes" +
                  (q.in_place ? ", in place" : "") + (q.direct ? ", direct output" : "") +
                  (q.via_host ? ", via host memory" : "") + "\n";
  const std::int64_t limit = host_memory_limit().bytes / 4;
  for (int r = 0; r < q.ranks; ++r) {
    const auto part = of(r);
    check_room(q, "its text", t.size(), limit);
    t += "rank " + std::to_string(r) + ": " + std::to_string(part.steps.size()) + " steps, " +
         std::to_string(part.scratch) + " elements of scratch, " + std::to_string(part.signals) +
         " signals\n";
    for (const auto& s : part.steps) {
      const std::string round = s.round < 0 ? "-" : std::to_string(s.round);
      t += std::string(round.size() < 4 ? 4 - round.size() : 0, ' ') + round + "  " + to_text(s) +
           "\n";
    }
  }
  return t;
}

std::string schedule::json() const {
  const auto& q = request();
  std::string t = "{\"operation\":\"" + std::string(name_of(q.op)) + "\",\"algorithm\":\"" +
                  std::string(algorithm().name) + "\"";
  t += json_number("ranks", q.ranks) + json_number("root", q.root) +
       json_number("count", static_cast<long long>(q.count)) +
       json_number("element", static_cast<long long>(q.element));
  t += std::string(",\"in_place\":") + (q.in_place ? "true" : "false") +
       ",\"direct\":" + (q.direct ? "true" : "false") + ",\"parts\":[";
  // A program that reads it makes objects of it, which take more than ten times as much.
  const std::int64_t limit = host_memory_limit().bytes / 16;
  for (int r = 0; r < q.ranks; ++r) {
    const auto part = of(r);
    check_room(q, "its JSON", t.size(), limit);
    t += (r == 0 ? "" : ",") + std::string("{\"rank\":") + std::to_string(r) +
         json_number("scratch", static_cast<long long>(part.scratch)) +
         json_number("signals", part.signals) + ",\"steps\":[";
    bool first = true;
    for (const auto& s : part.steps) {
      if (!first) t += ',';
      first = false;
      t += json_step(s);
    }
    t += "]}";
  }
  return t + "]}";
}

}  // namespace gossamer
