// /proc/self/cgroup names the group, /proc/self/mountinfo the part of the hierarchy that is mounted
// and where; both as seen from the process's cgroup namespace, so that what lies above the
// namespace's root begins with "/..". Formats: cgroups(7), cgroup_namespaces(7),
// proc_pid_mountinfo(5).
#include "gossamer/base/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

namespace gossamer {

namespace {

using names = std::vector<std::string>;

names split(std::string_view text, char at) {
  names parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool lists(std::string_view words, std::string_view word) {
  const names all = split(words, ',');
  return std::find(all.begin(), all.end(), word) != all.end();
}

/// mountinfo writes blanks, tabs, line ends and backslashes as three octal digits.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t k) {
      return i + k < text.size() && text[i + k] >= '0' && text[i + k] <= '7' ? text[i + k] - '0'
                                                                             : -1;
    };
    if (text[i] == '\\' && digit(1) >= 0 && digit(2) >= 0 && digit(3) >= 0) {
      out += static_cast<char>(digit(1) * 64 + digit(2) * 8 + digit(3));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

struct mounted {
  names root;  ///< the group that lies at `point`
  std::string point;
  bool v2;
};

/// Mounts of the hierarchies that may have the controller.
std::vector<mounted> mounts_of(std::string_view controller, const std::string& root) {
  std::vector<mounted> found;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const names before = split(std::string_view(line).substr(0, dash), ' ');
    const names after = split(std::string_view(line).substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3) continue;
    const bool v2 = after[0] == "cgroup2";
    if (v2 || (after[0] == "cgroup" && lists(after[2], controller)))
      found.push_back({split(unescaped(before[3]), '/'), root + unescaped(before[4]), v2});
  }
  return found;
}

/// The names that lead from group `top` down to group `group`; nothing when `top` is no ancestor.
std::optional<names> way_down(const names& top, const names& group) {
  const auto above = [](const names& path) {
    return std::find_if(path.begin(), path.end(), [](const auto& n) { return n != ".."; }) -
           path.begin();
  };
  // From above the namespace's root no names are known that lead to it: the top alone is left.
  if (above(top) > above(group))
    return above(top) == static_cast<std::ptrdiff_t>(top.size()) ? std::optional(names())
                                                                 : std::nullopt;
  if (top.size() > group.size() || !std::equal(top.begin(), top.end(), group.begin()))
    return std::nullopt;
  names rest(group.begin() + static_cast<std::ptrdiff_t>(top.size()), group.end());
  if (above(rest) > 0) return std::nullopt;
  return rest;
}

}  // namespace

std::vector<cgroup_folder> cgroup_folders(std::string_view controller, const std::string& root) {
  const std::vector<mounted> mounts = mounts_of(controller, root);
  std::vector<cgroup_folder> folders;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    // "0::/a/b" (version 2) or "4:cpu,cpuacct:/a/b" (version 1)
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string_view controllers(line.data() + first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && !lists(controllers, controller)) continue;
    const names group = split(std::string_view(line).substr(second + 1), '/');
    for (const mounted& mount : mounts) {
      if (mount.v2 != v2) continue;
      const auto way = way_down(mount.root, group);
      if (!way) continue;
      std::vector<cgroup_folder> down = {{mount.point, v2}};
      for (const auto& name : *way) down.push_back({down.back().path + "/" + name, v2});
      folders.insert(folders.end(), down.rbegin(), down.rend());
    }
  }
  return folders;
}

}  // namespace gossamer
