// Errors: every failure a user can cause or meet has a type here, and says what and where.
//
// Contract of the layer `base`: vocabulary only (errors, ids, limits, configuration, bounded
// waits). It knows no device, no graph and no other layer.
//
// The command line turns these types into exit codes: 2 bad usage or input, 3 failed verification,
// 4 time-out (a stuck or lost rank), 1 anything else.
#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gossamer {

// Constructors are written out: CUDA 13.0's front end fails on inherited ones with a
// std::source_location default.

/// Root of all exceptions thrown by Gossamer, but for std::bad_alloc, which passes through: to say
/// more takes memory. `what()` is one line without a trailing newline.
class error : public std::runtime_error {
 public:
  explicit error(const std::string& what,
                 std::source_location where = std::source_location::current())
      : std::runtime_error(what), where_(where) {}
  /// Source position that raised the error; not part of `what()` for errors that users cause.
  [[nodiscard]] const std::source_location& where() const noexcept { return where_; }

 private:
  std::source_location where_;
};

/// Wrong use of an interface: an argument out of range, a malformed spec. Exit code 2.
class usage_error : public error {
 public:
  explicit usage_error(const std::string& what,
                       std::source_location where = std::source_location::current())
      : error(what, where) {}
};

/// Bad input data. `what()` starts with "FILE:LINE: " for text and "FILE: byte N: " for binary
/// formats. Exit code 2.
class input_error : public error {
 public:
  explicit input_error(const std::string& what,
                       std::source_location where = std::source_location::current())
      : error(what, where) {}
};

/// Something that this build lacks. Exit code 2.
class not_compiled : public usage_error {
 public:
  /// `feature` in words ("CUDA devices"), `how` the way to get it ("configure with
  /// -DGOSSAMER_CUDA=ON").
  not_compiled(std::string_view feature, std::string_view how,
               std::source_location where = std::source_location::current())
      : usage_error(std::string(feature) + " not compiled in: " + std::string(how), where) {}
};

/// The memory plan does not fit the limit. `what()` holds the plan. Exit code 2.
class capacity_error : public error {
 public:
  explicit capacity_error(const std::string& what,
                          std::source_location where = std::source_location::current())
      : error(what, where) {}
};

/// A result failed its verifier. Exit code 3.
class verification_error : public error {
 public:
  explicit verification_error(const std::string& what,
                              std::source_location where = std::source_location::current())
      : error(what, where) {}
};

/// The caller asked a run to stop (Ctrl-C, std::stop_token).
class cancelled_error : public error {
 public:
  explicit cancelled_error(const std::string& what,
                           std::source_location where = std::source_location::current())
      : error(what, where) {}
};

/// A wait ran out, or another rank failed. Carries who waited for whom, on what. Exit code 4 when
/// `timed_out()`.
class rank_error : public error {
 public:
  rank_error(const std::string& what, int rank, int peer, bool timed_out,
             std::source_location where = std::source_location::current())
      : error(what, where), rank_(rank), peer_(peer), timed_out_(timed_out) {}
  /// The rank where the failure began.
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// The rank it was waiting for, -1 when none.
  [[nodiscard]] int peer() const noexcept { return peer_; }
  [[nodiscard]] bool timed_out() const noexcept { return timed_out_; }

 private:
  int rank_, peer_;
  bool timed_out_;
};

/// A foreign API (CUDA, MPI, …) reported a failure; `what()` names the call, the code,
/// file and line.
class foreign_error : public error {
 public:
  foreign_error(const std::string& what, int code, bool device_lost,
                std::source_location where = std::source_location::current())
      : error(what, where), code_(code), device_lost_(device_lost) {}
  [[nodiscard]] int code() const noexcept { return code_; }
  /// True when the device's context cannot be used any more in this process.
  [[nodiscard]] bool device_lost() const noexcept { return device_lost_; }

 private:
  int code_;
  bool device_lost_;
};

/// Throws usage_error(message) unless `ok`.
inline void require(bool ok, std::string_view message,
                    std::source_location where = std::source_location::current()) {
  if (!ok) throw usage_error(std::string(message), where);
}
/// The same with message(), for what is asked of each vertex or arc: a text takes longer to make
/// than to check.
template <std::invocable Message>
void require(bool ok, const Message& message,
             std::source_location where = std::source_location::current()) {
  if (!ok) throw usage_error(message(), where);
}

}  // namespace gossamer
