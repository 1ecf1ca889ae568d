// A folder that stands for the root of a file system: what tests want /proc and mounts to say.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace gossamer {

class made_system {
 public:
  made_system() {
    std::string name = (std::filesystem::temp_directory_path() / "gossamer-root-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root_ = name;
  }
  made_system(const made_system&) = delete;
  made_system& operator=(const made_system&) = delete;
  ~made_system() { std::filesystem::remove_all(root_); }

  [[nodiscard]] const std::string& root() const { return root_; }
  void file(const std::string& path, const std::string& text) const {
    const std::filesystem::path at = root_ + path;
    std::filesystem::create_directories(at.parent_path());
    std::ofstream(at) << text;
  }

 private:
  std::string root_;
};

}  // namespace gossamer
