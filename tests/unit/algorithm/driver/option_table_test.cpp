// Tables of options and engines: what users may ask for, and what they are told otherwise.
#include "gossamer/algorithm/option_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithm/driver/option_table.hpp"
#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/base/error.hpp"
#include "message_of.hpp"

namespace gossamer {
namespace {

using algorithm_detail::kept_text;
using values = std::vector<std::pair<std::string, option_value>>;

algorithm_detail::settled<sssp_options> settled(const std::string& engine,
                                                const sssp_options& others = {}) {
  const machine m = machine::open("cpu:2x1");
  sssp_options o = others;
  o.engine = engine;
  return algorithm_detail::settle(o, m, [](const sssp_options&) {
    return algorithm_detail::engine_choice{"sync", "why"};
  });
}

std::string refused(const std::string& engine, const sssp_options& others = {}) {
  return message_of<usage_error>([&] { settled(engine, others); });
}

TEST(OptionTables, EnginesTakeOptionsBehindTheirNames) {
  const auto s = settled("async:balance=steal,priority=none");
  EXPECT_EQ(s.engine.name, "async");
  EXPECT_EQ(s.engine.reason, "asked for");
  EXPECT_EQ(s.options.engine, "async");
  EXPECT_EQ(s.options.balance, "steal");
  EXPECT_EQ(s.options.priority, "none");
  EXPECT_EQ(settled("auto").engine.reason, "why");
}

TEST(OptionTables, BadEnginesAreNamed) {
  EXPECT_EQ(refused("fast"),
            "sssp: unknown engine 'fast' (there are auto, sync, async, host, tasks)");
  EXPECT_EQ(refused("async:"), "sssp: engine 'async:' ends behind its colon");
  EXPECT_EQ(refused("async:steal"), "sssp: engine 'async:steal': 'steal' is not KEY=VALUE");
  EXPECT_EQ(refused("a\nb").find("sssp: unknown engine 'a?b' (there are"), 0u);
  for (const std::string start : {"", "async:", "async:a=", "async:balance=", "host:packet="})
    EXPECT_LT(refused(start + std::string(10000, 'x')).size(), 400u) << start;
  EXPECT_EQ(refused("sync:balance=steal"),
            "sssp: engine 'sync' has no option 'balance' (it has none)");
  EXPECT_EQ(refused("async:packet=1"),
            "sssp: engine 'async' has no option 'packet' (it has balance, priority)");
  EXPECT_EQ(refused("host"),
            "engine 'host' of sssp on CPU ranks: it runs on GPUs (give the machine cuda); "
            "engines 'sync', 'async' and 'tasks' run on CPU ranks");
}

TEST(OptionTables, OptionsOfOtherEnginesAreRefused) {
  sssp_options o;
  o.balance = "steal";
  EXPECT_EQ(refused("sync", o),
            "sssp: balance 'steal' is of engines 'async' and 'host', and this is 'sync'");
  o.balance = "maybe";
  EXPECT_EQ(refused("async", o), "sssp: unknown balance 'maybe' (there are none, steal)");
  o = {};
  o.packet = -1;
  EXPECT_EQ(refused("sync", o), "sssp: packet -1 is negative");
  o = {};
  o.priority = "none";
  EXPECT_EQ(refused("tasks", o),
            "sssp: priority 'none' is of engines 'async' and 'host', and this is 'tasks'");
}

TEST(OptionTables, OptionsByName) {
  const auto o = options_from<sssp_options>(values{{"engine", std::string("async")},
                                                   {"delta", std::int64_t{3}},
                                                   {"parents", true},
                                                   {"use", std::string("all")},
                                                   {"memory", std::int64_t{1} << 30}});
  EXPECT_EQ(o.engine, "async");
  EXPECT_EQ(o.delta, 3.0);
  EXPECT_TRUE(o.parents);
  EXPECT_EQ(o.use, rank_use::all);
  EXPECT_EQ(o.memory, std::int64_t{1} << 30);
  const auto message = [](values v) {
    return message_of<usage_error>([&] { options_from<sssp_options>(v); });
  };
  EXPECT_EQ(message({{"deltas", 1.0}}), "sssp: there is no option 'deltas'");
  EXPECT_EQ(message({{"parents", 1.0}}), "sssp: parents '1' is not true or false");
  EXPECT_EQ(message({{"delta", std::string("x")}}), "sssp: delta 'x' is not a number");
  EXPECT_EQ(message({{"use", std::string("some")}}),
            "sssp: unknown use 'some' (there are auto, all)");
}

TEST(OptionTables, NumbersOutOfRangeAreRefused) {
  const auto message = [](double damping) {
    pagerank_options o;
    o.damping = damping;
    const machine m = machine::open("cpu:1");
    return message_of<usage_error>([&] { algorithm_detail::check_options(o, "sync", m); });
  };
  EXPECT_EQ(message(1.5), "pagerank: damping 1.5 is not in 0 … 1");
  EXPECT_EQ(message(std::numeric_limits<double>::quiet_NaN()),
            "pagerank: damping nan is not in 0 … 1");
}

TEST(OptionTables, EveryOptionIsTextAndBack) {
  for (const algorithm_table& a : algorithms())
    for (const option_info& o : a.options) {
      if (std::holds_alternative<std::monostate>(o.standard)) continue;
      const std::string text = algorithm_detail::value_text(o.standard);
      EXPECT_EQ(algorithm_detail::value_of(o, text, a.name), o.standard) << a.name << o.name;
    }
}

TEST(OptionTables, WhatUsersReadIsThere) {
  for (const algorithm_table& a : algorithms()) {
    std::set<std::string> engines, options;
    bool chosen = false;
    for (const engine_info& e : a.engines) {
      EXPECT_TRUE(engines.insert(e.name).second) << a.name << e.name;
      EXPECT_FALSE(e.meaning.empty()) << e.name;
      EXPECT_TRUE(e.cpus || e.gpus) << e.name;
      chosen = chosen || !e.chosen.empty();
    }
    EXPECT_TRUE(chosen) << a.name;
    for (const option_info& o : a.options) {
      EXPECT_TRUE(options.insert(o.name).second) << a.name << o.name;
      EXPECT_FALSE(o.meaning.empty()) << o.name;
      EXPECT_NE(o.meaning.back(), '.') << o.name;
      for (const std::string& e : o.engines) EXPECT_TRUE(engines.count(e)) << o.name << e;
    }
  }
}

TEST(OptionTables, KeptSearchesDifferInEveryOption) {
  const sssp_options plain;
  sssp_options other;
  other.packet = 4096;
  EXPECT_NE(kept_text(plain), kept_text(other));
  EXPECT_EQ(kept_text(plain), kept_text(sssp_options()));
}

}  // namespace
}  // namespace gossamer
