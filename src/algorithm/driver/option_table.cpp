// Reads and checks the values of options and the names of engines, apart from any option's type,
// and says in words what is wrong with them.
#include "algorithm/driver/option_table.hpp"

#include <charconv>
#include <sstream>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/enum_name.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer::algorithm_detail {

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

template <class T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty()) return {};
  return value;
}

const char* in_words(const option_info& o) {
  return enum_name<option_type::name>(o.type,
                                      {"true or false", "a whole number", "a number", "a name"});
}

}  // namespace

std::string value_text(const option_value& value) {
  struct writer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(double v) const { return term_text(v); }
    std::string operator()(const std::string& v) const { return v; }
  };
  return std::visit(writer{}, value);
}

void refuse_value(const option_info& o, const option_value& value, const std::string& who) {
  throw usage_error(who + ": " + o.name + " '" + shown(value_text(value)) + "' is not " +
                    in_words(o));
}

option_value value_of(const option_info& o, const std::string& text, const std::string& who) {
  option_value value = text;
  switch (o.type) {
    case option_type::flag:
      if (text == "true" || text == "false") return text == "true";
      refuse_value(o, value, who);
    case option_type::integer:
      if (o.unit == "bytes") return configuration::parse_bytes(text);
      if (const auto v = parsed<std::int64_t>(text)) return *v;
      refuse_value(o, value, who);
    case option_type::number:
      if (const auto v = parsed<double>(text)) return *v;
      refuse_value(o, value, who);
    case option_type::name:
      break;
  }
  return value;
}

void check_value(const option_info& o, const option_value& value, const std::string& who) {
  if (const auto* name = std::get_if<std::string>(&value)) {
    require(o.choices.empty() ||
                std::find(o.choices.begin(), o.choices.end(), *name) != o.choices.end(),
            who + ": unknown " + o.name + " '" + shown(*name) + "' (there are " +
                joined(o.choices) + ")");
    return;
  }
  double v = 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    v = static_cast<double>(*integer);
  else if (const auto* real = std::get_if<double>(&value))
    v = *real;
  else
    return;
  if ((o.least && !(v >= *o.least)) || (o.most && !(v <= *o.most)))
    throw usage_error(who + ": " + o.name + " " + value_text(value) +
                      (o.most ? " is not in " + shown(o.least.value_or(0)) + " … " + shown(*o.most)
                       : *o.least == 0 ? " is negative"
                                       : " is less than " + shown(*o.least)));
}

std::string quoted(const std::vector<std::string>& names) {
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
  return all;
}

// --- engines -------------------------------------------------------------------------------------

asked_engine parse_engine(const std::string& algorithm, const std::string& text) {
  asked_engine asked;
  const auto colon = text.find(':');
  asked.name = text.substr(0, colon);
  if (colon == std::string::npos) return asked;
  std::istringstream rest(text.substr(colon + 1));
  for (std::string pair; std::getline(rest, pair, ',');) {
    const auto equals = pair.find('=');
    // A longer word is no key, and would not fit the message that says so.
    constexpr std::size_t longest = 32;
    require(
        equals != std::string::npos && equals != 0 && equals <= longest &&
            prints(std::string_view(pair).substr(0, equals)),
        algorithm + ": engine '" + shown(text, 100) + "': '" + shown(pair) + "' is not KEY=VALUE");
    asked.values.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
  }
  require(!asked.values.empty(),
          algorithm + ": engine '" + shown(text, 100) + "' ends behind its colon");
  return asked;
}

void check_name(const std::string& algorithm, const std::vector<engine_info>& engines,
                const std::string& name) {
  std::string names = "auto";
  bool known = name == "auto";
  for (const engine_info& e : engines) {
    known = known || e.name == name;
    names += ", " + e.name;
  }
  require(known, algorithm + ": unknown engine '" + shown(name) + "' (there are " + names + ")");
}

namespace {

/// What ranks a machine has that decide.
struct rank_kinds {
  bool cpus = false, gpus = false, gpus_of_processes = false;
  explicit rank_kinds(const machine& m) {
    for (int r = 0; r < m.size(); ++r) {
      (m[r].is_cuda() ? gpus : cpus) = true;
      if (m[r].is_cuda() && m[r].process >= 0) gpus_of_processes = true;
    }
  }
  [[nodiscard]] bool suit(const engine_info& e) const {
    if (gpus_of_processes && !e.gpus_of_processes) return false;
    if (cpus && gpus) return e.mixed;
    return gpus ? e.gpus : e.cpus;
  }
  [[nodiscard]] const char* in_words() const {
    if (gpus_of_processes) return "GPUs of MPI processes";
    if (cpus && gpus) return "CPUs and GPUs together";
    return gpus ? "GPUs" : "CPU ranks";
  }
};

std::string places(const engine_info& e) {
  std::string all = e.cpus ? "CPU ranks (give the machine cpu)" : "";
  if (e.gpus)
    all += std::string(all.empty() ? "" : " and on ") +
           (e.gpus_of_processes ? "GPUs" : "GPUs of one process") +
           (all.empty() ? " (give the machine cuda)" : " (give it cuda)");
  return all;
}

}  // namespace

void check_engine(const std::string& algorithm, const std::vector<engine_info>& engines,
                  const std::string& name, const machine& m) {
  const auto e = std::find_if(engines.begin(), engines.end(),
                              [&](const engine_info& x) { return x.name == name; });
  const rank_kinds ranks(m);
  if (e == engines.end() || ranks.suit(*e)) return;
  std::vector<std::string> others;
  for (const engine_info& x : engines)
    if (ranks.suit(x)) others.push_back(x.name);
  const std::string what = "engine '" + name + "' of " + algorithm + " on " + ranks.in_words();
  std::string how = "it runs on " + places(*e);
  if (!others.empty())
    how += std::string("; engine") + (others.size() == 1 ? " " : "s ") + quoted(others) +
           (others.size() == 1 ? " runs" : " run") + " on " + ranks.in_words();
  if (!ranks.gpus) throw usage_error(what + ": " + how);
  throw not_compiled(what, how);
}

}  // namespace gossamer::algorithm_detail
