// A folder that stands for the root of a file system: what tests want /proc and mounts to say.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "unit/base/scratch_folder.hpp"

namespace gossamer {

class made_system {
 public:
  [[nodiscard]] const std::string& root() const { return root_; }
  void file(const std::string& path, const std::string& text) const {
    const std::filesystem::path at = root_ + path;
    std::filesystem::create_directories(at.parent_path());
    std::ofstream(at) << text;
  }

 private:
  const io_testing::scratch_folder folder_;
  const std::string root_ = folder_.path();
};

}  // namespace gossamer
