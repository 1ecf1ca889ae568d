// Reads and checks the environment variables. A value that makes no sense is a usage_error that
// names its variable.
#include "gossamer/base/configuration.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer::configuration {

namespace {
std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

bool on_or_off(const char* name, bool otherwise) {
  auto text = variable(name);
  if (!text) return otherwise;
  if (*text == "on" || *text == "1") return true;
  if (*text == "off" || *text == "0") return false;
  throw usage_error(std::string(name) + ": expected on or off, got " + *text);
}

std::optional<std::int64_t> bytes_of(const char* name) {
  auto text = variable(name);
  if (!text) return std::nullopt;
  try {
    return parse_bytes(*text);
  } catch (const usage_error& e) {
    throw usage_error(std::string(name) + ": " + e.what());
  }
}
}  // namespace

double timeout_factor() {
  auto text = variable("GOSSAMER_TIMEOUT");
  if (!text) return 1.0;
  char* end = nullptr;
  double factor = std::strtod(text->c_str(), &end);
  if (*end != '\0' || !(factor > 0) || !std::isfinite(factor))
    throw usage_error("GOSSAMER_TIMEOUT: not a positive number: " + *text);
  return factor;
}

std::chrono::nanoseconds default_deadline() {
  // At most a year: a larger factor means "no limit" and must not overflow the clock.
  constexpr double year = 365.0 * 24 * 3600 * 1e9;
  return std::chrono::nanoseconds(
      static_cast<std::int64_t>(std::min(year, 60e9 * timeout_factor())));
}

std::optional<std::int64_t> memory() {
  return bytes_of("GOSSAMER_MEMORY");
}

std::optional<std::int64_t> keep() {
  if (variable("GOSSAMER_KEEP") == "0") return 0;
  return bytes_of("GOSSAMER_KEEP");
}

peer_access peer() {
  const auto text = variable("GOSSAMER_PEER");
  if (!text || *text == "on" || *text == "1") return peer_access::on;
  if (*text == "off" || *text == "0") return peer_access::off;
  if (*text == "no-atomics") return peer_access::no_atomics;
  throw usage_error("GOSSAMER_PEER: expected on, no-atomics or off, got " + *text);
}

bool shared_kernels_allowed() {
  return on_or_off("GOSSAMER_SHARED_KERNELS", true);
}

bool bind_allowed() {
  return on_or_off("GOSSAMER_BIND", true);
}

bool mpi_shared() {
  return on_or_off("GOSSAMER_MPI_SHARED", true);
}

bool mpi_progress() {
  return on_or_off("GOSSAMER_MPI_PROGRESS", false);
}

gpu_messages mpi_cuda() {
  const auto text = variable("GOSSAMER_MPI_CUDA");
  if (!text || *text == "auto") return gpu_messages::automatic;
  if (*text == "on" || *text == "1") return gpu_messages::straight;
  if (*text == "off" || *text == "0") return gpu_messages::pinned;
  throw usage_error("GOSSAMER_MPI_CUDA: expected auto, on or off, got " + *text);
}

std::optional<std::string> default_machine() {
  return variable("GOSSAMER_MACHINE");
}

std::optional<std::string> collectives() {
  return variable("GOSSAMER_COLLECTIVES");
}

std::string directory() {
  if (auto config = variable("XDG_CONFIG_HOME")) return *config + "/gossamer";
  if (auto home = variable("HOME")) return *home + "/.config/gossamer";
  return {};
}

bool narrow_ids(std::int64_t vertices) {
  return vertices <= std::numeric_limits<std::int32_t>::max() &&
         !on_or_off("GOSSAMER_WIDE_IDS", false);
}

std::int64_t parse_bytes(const std::string& text) {
  const auto bad = [&text] {
    return usage_error("not a number of bytes: '" + shown(text) + "' (examples: 4096, 512M, 16G)");
  };
  const char* begin = text.c_str();
  while (*begin == ' ') ++begin;
  double value = 0;  // decimal alone, which strtod is not
  const auto [end, error] = std::from_chars(begin, text.c_str() + text.size(), value);
  if (error != std::errc() || !std::isfinite(value) || value < 0) throw bad();
  std::string suffix(end);
  while (!suffix.empty() && suffix.front() == ' ') suffix.erase(0, 1);
  double unit = 1;
  if (!suffix.empty() && suffix != "B") {
    constexpr std::string_view letters = "KMGT";
    auto at = letters.find(static_cast<char>(suffix.front() & ~0x20));
    auto rest = suffix.substr(1);
    if (at == std::string_view::npos || !(rest.empty() || rest == "B" || rest == "iB")) throw bad();
    unit = std::ldexp(1.0, 10 * (static_cast<int>(at) + 1));
  }
  if (value * unit > 9e18) throw bad();
  return static_cast<std::int64_t>(value * unit);
}

std::string format_bytes(std::int64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (std::abs(value) >= 1024 && unit < 5) value /= 1024, ++unit;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text;
}

}  // namespace gossamer::configuration
