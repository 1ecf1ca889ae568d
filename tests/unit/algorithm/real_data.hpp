// Where real graphs lie: GOSSAMER_DATA, else ../shared/data beside the project.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gossamer {

inline std::filesystem::path data_file(const std::string& name) {
  const char* folder = std::getenv("GOSSAMER_DATA");
  const std::filesystem::path base =
      folder != nullptr ? folder : std::filesystem::path(GOSSAMER_SOURCE) / "../shared/data";
  return base / name;
}

}  // namespace gossamer
