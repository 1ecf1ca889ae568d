// The control groups that this process is in: folders whose files hold its limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer {

/// The folder of one group, which may lack any file.
struct cgroup_folder {
  std::string path;
  bool v2 = false;  ///< its files are those of version 2, else of version 1
};

/// The process's own group of `controller` ("memory", "cpu") and its ancestors up to the root of
/// the mount, of both versions: the limits of all of them bind. Groups that no mount shows are left
/// out, such as those above a container's. `root`: what stands before /proc and mount points.
std::vector<cgroup_folder> cgroup_folders(std::string_view controller,
                                          const std::string& root = "");

}  // namespace gossamer
