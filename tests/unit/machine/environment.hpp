// A variable of the environment for the length of a scope. Tests of one program run one by one.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace gossamer::testing {

class scoped_variable {
 public:
  /// `value` = nullptr unsets it.
  scoped_variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~scoped_variable() {
    before_ ? setenv(name_.c_str(), before_->c_str(), 1) : unsetenv(name_.c_str());
  }
  scoped_variable(const scoped_variable&) = delete;
  scoped_variable& operator=(const scoped_variable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace gossamer::testing
