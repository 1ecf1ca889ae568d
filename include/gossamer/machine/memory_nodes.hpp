// The host's memory nodes (NUMA): which there are, and memory that comes from one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gossamer {

/// Nodes whose memory this process may use (its cpuset's), ascending; node 0 where the system does
/// not say. `root`: what stands before /proc.
std::vector<int> memory_nodes(const std::string& root = "");

/// usage_error, which names the host's nodes, unless `node` is one of them.
void require_memory_node(int node, const std::string& root = "");

/// Bytes that a node has left: free ones, and those of files that can be dropped. The largest value
/// where the system does not say. `root`: what stands before /sys.
std::int64_t memory_left_on(int node, const std::string& root = "");

/// Lets pages of mapped memory that are not there yet come from `node` alone, whichever thread
/// touches them. `data` is where a page begins. usage_error as above; foreign_error where a host of
/// several nodes lets no process choose (some containers).
void take_from_node(void* data, std::size_t bytes, int node);

/// The node of the page that `data` lies on; -1 where there is none yet, or the system does not
/// say.
int memory_node_of(const void* data);

}  // namespace gossamer
