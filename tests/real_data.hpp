// Where real graphs lie: GOSSAMER_DATA, else ../shared/data beside the project.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/graph/io.hpp"

namespace gossamer {

struct real_file {
  std::string path;
  std::string missing;  ///< why it cannot be read here, or empty: not there, or not by this build
};

inline real_file data_file(const std::string& name) {
  const char* folder = std::getenv("GOSSAMER_DATA");
  const std::filesystem::path base =
      folder != nullptr ? folder : std::filesystem::path(GOSSAMER_SOURCE) / "../shared/data";
  real_file file{(base / name).string(), {}};
  if (!std::filesystem::exists(file.path)) {
    file.missing = file.path + " is not there; GOSSAMER_DATA names the folder of real graphs";
    return file;
  }
  try {
    sniff_format(file.path);
  } catch (const not_compiled& e) {
    file.missing = e.what();
  }
  return file;
}

}  // namespace gossamer
