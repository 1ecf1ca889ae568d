// Options and engines of an algorithm as a table. Each info of gossamer/algorithm/option_table.hpp
// comes with the member of an options struct that it stands for.
//
// A driver settles what users asked for. It then has the engine by its name, and options that are
// checked. kept_text() and add_terms() go over the same table.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithm/driver/common_terms.hpp"
#include "algorithm/driver/engine_choice.hpp"
#include "gossamer/algorithm/option_table.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {
struct betweenness_options;
struct bfs_options;
struct cg_options;
struct communities_options;
struct components_options;
struct core_numbers_options;
struct distances_options;
struct pagerank_options;
struct random_walks_options;
struct spanning_forest_options;
struct sssp_options;
struct strong_components_options;
struct triangles_options;
}  // namespace gossamer

namespace gossamer::algorithm_detail {

template <class Options>
struct option {
  option_info info;
  bool agreed = true;  ///< processes must have been given the same
  option_value (*get)(const Options&, const option_info&) = nullptr;
  void (*set)(Options&, const option_value&, const option_info&, const std::string& who) = nullptr;
};

template <class Options>
struct option_table {
  std::string algorithm;
  std::vector<engine_info> engines;
  std::vector<option<Options>> options;

  [[nodiscard]] algorithm_table info() const {
    algorithm_table all{algorithm, engines, {}};
    for (const auto& o : options) all.options.push_back(o.info);
    return all;
  }
};

/// An algorithm's engines and options: in its table.cpp.
template <class Options>
option_table<Options> make_table();
template <>
option_table<betweenness_options> make_table();
template <>
option_table<bfs_options> make_table();
template <>
option_table<cg_options> make_table();
template <>
option_table<communities_options> make_table();
template <>
option_table<components_options> make_table();
template <>
option_table<core_numbers_options> make_table();
template <>
option_table<distances_options> make_table();
template <>
option_table<pagerank_options> make_table();
template <>
option_table<random_walks_options> make_table();
template <>
option_table<spanning_forest_options> make_table();
template <>
option_table<sssp_options> make_table();
template <>
option_table<strong_components_options> make_table();
template <>
option_table<triangles_options> make_table();

template <class Options>
const option_table<Options>& table_of() {
  static const option_table<Options> table = make_table<Options>();
  return table;
}

// --- values --------------------------------------------------------------------------------------

/// A value as people write it; an empty one is "".
std::string value_text(const option_value& value);
/// `text` as a value of the option's type; usage_error beginning with `who`.
option_value value_of(const option_info& o, const std::string& text, const std::string& who);
/// usage_error for a name that is no choice, and for a number out of its range.
void check_value(const option_info& o, const option_value& value, const std::string& who);
[[noreturn]] void refuse_value(const option_info& o, const option_value& value,
                               const std::string& who);

template <class>
struct member_of;
template <class Options, class Field>
struct member_of<Field Options::*> {
  using options = Options;
  using field = Field;
};
template <class T>
struct bare_type {
  using type = T;
  static constexpr bool optional = false;
};
template <class T>
struct bare_type<std::optional<T>> {
  using type = T;
  static constexpr bool optional = true;
};

/// The option that is member `Member`. Type, default and whether it may be nothing are the
/// member's. An enumerator's name is the choice at its place.
template <auto Member>
auto option_of(option_info info) {
  using options = typename member_of<decltype(Member)>::options;
  using field = typename member_of<decltype(Member)>::field;
  using type = typename bare_type<field>::type;
  constexpr bool whole = std::is_integral_v<type> && !std::is_same_v<type, bool>;
  option<options> o;
  info.type = std::is_same_v<type, bool>       ? option_type::flag
              : whole                          ? option_type::integer
              : std::is_floating_point_v<type> ? option_type::number
                                               : option_type::name;
  info.optional = bare_type<field>::optional;
  o.get = [](const options& of, const option_info& it) -> option_value {
    const auto value = [&](const type& v) -> option_value {
      if constexpr (std::is_enum_v<type>)
        return it.choices.at(static_cast<std::size_t>(v));
      else if constexpr (whole)
        return static_cast<std::int64_t>(v);
      else
        return v;
    };
    if constexpr (bare_type<field>::optional) {
      return of.*Member ? value(*(of.*Member)) : option_value();
    } else {
      return value(of.*Member);
    }
  };
  o.set = [](options& of, const option_value& v, const option_info& it, const std::string& who) {
    if constexpr (bare_type<field>::optional) {
      if (std::holds_alternative<std::monostate>(v)) {
        of.*Member = {};
        return;
      }
    }
    if constexpr (std::is_enum_v<type>) {
      const auto* name = std::get_if<std::string>(&v);
      if (name == nullptr) refuse_value(it, v, who);
      check_value(it, v, who);
      of.*Member = static_cast<type>(std::find(it.choices.begin(), it.choices.end(), *name) -
                                     it.choices.begin());
    } else if constexpr (std::is_floating_point_v<type>) {
      if (const auto* number = std::get_if<double>(&v))
        of.*Member = static_cast<type>(*number);
      else if (const auto* integer = std::get_if<std::int64_t>(&v))
        of.*Member = static_cast<type>(*integer);
      else
        refuse_value(it, v, who);
    } else {
      using held = std::conditional_t<whole, std::int64_t, type>;
      const auto* value = std::get_if<held>(&v);
      if (value == nullptr) refuse_value(it, v, who);
      if constexpr (whole)
        if (static_cast<held>(static_cast<type>(*value)) != *value) refuse_value(it, v, who);
      of.*Member = static_cast<type>(*value);
    }
  };
  info.standard = o.get(options{}, info);
  o.info = std::move(info);
  return o;
}

// --- engines -------------------------------------------------------------------------------------

/// An engine as users ask for it: its name, and values for options of its own.
struct asked_engine {
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;
};
/// "NAME" or "NAME:key=value,…"; usage_error for other forms.
asked_engine parse_engine(const std::string& algorithm, const std::string& text);

/// usage_error unless `name` is auto or one of the engines.
void check_name(const std::string& algorithm, const std::vector<engine_info>& engines,
                const std::string& name);
/// not_compiled where the engine does not run on such ranks; usage_error for an engine of GPUs
/// alone on a machine without any.
void check_engine(const std::string& algorithm, const std::vector<engine_info>& engines,
                  const std::string& name, const machine& m);

/// Whether it is one of them.
inline bool names(const std::vector<std::string>& engines, const std::string& engine) {
  return std::find(engines.begin(), engines.end(), engine) != engines.end();
}

/// The options, with those behind the engine's name put in their places; its name then stands
/// alone. usage_error for an unknown engine or key.
template <class Options>
Options with_engine_options(Options options) {
  const auto& table = table_of<Options>();
  const auto& all = table.options;
  const asked_engine asked = parse_engine(table.algorithm, options.engine);
  check_name(table.algorithm, table.engines, asked.name);
  const std::string who = table.algorithm + ": engine '" + asked.name + "'";
  for (const auto& [key, text] : asked.values) {
    std::string own;
    const option<Options>* found = nullptr;
    for (const auto& o : all) {
      if (!names(o.info.engines, asked.name)) continue;
      own += (own.empty() ? "" : ", ") + o.info.name;
      if (o.info.name == key) found = &o;
    }
    if (found == nullptr)
      throw usage_error(who + " has no option '" + key + "' (it has " +
                        (own.empty() ? "none" : own) + ")");
    const option_value value = value_of(found->info, text, who);
    check_value(found->info, value, who);
    found->set(options, value, found->info, who);
  }
  options.engine = asked.name;
  return options;
}

/// Of an option, or of several engines: 'a', or 'a' and 'b'.
std::string quoted(const std::vector<std::string>& names);

/// usage_error for values that check_value() refuses, and for options of other engines than
/// `engine`; not_compiled on GPUs for options of CPU ranks alone.
template <class Options>
void check_options(const Options& options, const std::string& engine, const machine& m) {
  const auto& table = table_of<Options>();
  for (const auto& o : table.options) {
    const option_value value = o.get(options, o.info);
    check_value(o.info, value, table.algorithm);
    if (value == o.info.standard) continue;
    const auto& of = o.info.engines;
    const std::string it = o.info.name + " '" + value_text(value) + "'";
    require(of.empty() || names(of, engine), table.algorithm + ": " + it + " is of engine" +
                                                 (of.size() == 1 ? " " : "s ") + quoted(of) +
                                                 ", and this is '" + engine + "'");
    if (m[0].is_cuda() && names(o.info.cpus_only, engine))
      throw not_compiled(it + " of " + table.algorithm + " on GPUs",
                         "it is for CPU and modelled ranks");
  }
}

/// What users asked for, checked on a machine.
template <class Options>
struct settled {
  Options options;  ///< the engine by its name alone, its options in their places
  engine_choice engine;
};

/// `choose(options)`: the engine that auto stands for.
template <class Options, class Choose>
settled<Options> settle(const Options& asked, const machine& m, const Choose& choose) {
  const auto& table = table_of<Options>();
  settled<Options> s{with_engine_options(asked), {}};
  s.engine = {s.options.engine, "asked for"};
  if (s.engine.name == "auto") s.engine = choose(std::as_const(s.options));
  check_engine(table.algorithm, table.engines, s.engine.name, m);
  check_options(s.options, s.engine.name, m);
  s.options.engine = s.engine.name;
  return s;
}

/// The same of an algorithm that has one engine, for ranks of one process.
template <class Options>
settled<Options> settle(const Options& asked, const machine& m) {
  const auto& table = table_of<Options>();
  auto s = settle(asked, m, [&](const Options&) -> engine_choice {
    return {table.engines.front().name, "the only one"};
  });
  if (!m.all_here())
    throw not_compiled(table.algorithm + " on ranks that are processes",
                       "it runs on ranks of one process, such as machine 'cpu' or 'cuda'");
  return s;
}

// --- what else uses the table --------------------------------------------------------------------

/// The text by which a prepared search is found again (placement/kept.hpp): every option.
template <class Options>
std::string kept_text(const Options& options) {
  std::string text = options.engine;
  for (const auto& o : table_of<Options>().options)
    text += '\n' + value_text(o.get(options, o.info));
  return text;
}

/// What all processes must have been given alike. The caller adds the engine, by name.
template <class Options>
void add_terms(common_terms& terms, const Options& options) {
  for (const auto& o : table_of<Options>().options)
    if (o.agreed) terms.add(o.info.name.c_str(), value_text(o.get(options, o.info)));
}

// --- options that algorithms share ---------------------------------------------------------------

/// For distributed worklists: who steals, and in what order.
template <class Options>
std::vector<option<Options>> worklist_options_of() {
  return {option_of<&Options::balance>(
              {.name = "balance",
               .choices = {"none", "steal"},
               .meaning = "how idle ranks get work from others: not at all, or parts of their rows",
               .engines = {"async", "host"},
               .cpus_only = {"async"}}),
          option_of<&Options::priority>(
              {.name = "priority",
               .choices = {"soft", "none"},
               .meaning =
                   "order of the worklist: the most urgent first, roughly, or first in, first out",
               .engines = {"async", "host"}})};
}

/// For messages that hosts send.
template <class Options>
// NOLINTNEXTLINE(performance-unnecessary-value-param): moved from, in a template
std::vector<option<Options>> message_options(std::vector<std::string> of_packet) {
  return {option_of<&Options::route>(
              {.name = "route",
               .choices = {"direct", "ring"},
               .meaning = "how messages reach a vertex's owner: at once, or from rank to rank",
               .engines = {"host"}}),
          option_of<&Options::packet>({.name = "packet",
                                       .least = 0,
                                       .unit = "bytes",
                                       .meaning = "size of the largest segment; 0: chosen",
                                       .engines = std::move(of_packet)})};
}

/// What ranks may take.
template <class Options>
option<Options> memory_option() {
  auto memory = option_of<&Options::memory>(
      {.name = "memory",
       .unit = "bytes",
       .meaning =
           "what each device and the host may be asked for, or device=BYTES, each GPU alone; "
           "0: as configured, else what they have"});
  memory.agreed = false;
  return memory;
}

/// Which rank owns what, how many ranks work, and what they may take.
template <class Options>
std::vector<option<Options>> placement_options() {
  auto use = option_of<&Options::use>(
      {.name = "use",
       .choices = {"auto", "all"},
       .meaning = "of several GPUs one where several would be slower, or all"});
  use.agreed = false;
  auto partition = option_of<&Options::partition>(
      {.name = "partition",
       .choices = {"auto", "ranges", "edges", "hash", "metis", "file"},
       .meaning = "which rank owns which vertices"});
  partition.agreed = false;  // what it leads to is
  return {partition, use, memory_option<Options>()};
}

/// Of algorithms whose rows may lie in host memory in part.
template <class Options>
std::vector<option<Options>> spill_option() {
  auto spill = option_of<&Options::spill>(
      {.name = "spill",
       .choices = {"auto", "host", "none"},
       .meaning = "where rows lie that GPUs have no room for: in host memory, unless a limit was "
                  "set; there in any case; or nowhere, and they are refused"});
  spill.agreed = false;
  return {spill};
}

template <class Options>
void append(std::vector<option<Options>>& to, std::vector<option<Options>> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace gossamer::algorithm_detail
