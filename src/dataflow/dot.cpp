// The graph of endpoints and links as Graphviz reads it.
#include "dataflow/layout.hpp"
#include "gossamer/base/configuration.hpp"

namespace gossamer::dataflow {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string node_name(std::size_t index) {
  return "n" + std::to_string(index);
}

/// "2 x 256.0 KiB" of the lanes that end with the link, or the bound that a link into a router
/// sets.
std::string label(const wiring& w, const layout& plan, std::size_t link) {
  for (const auto& l : plan.lanes)
    if (l.in_link == static_cast<int>(link))
      return std::to_string(l.buffers) + " x " +
             configuration::format_bytes(static_cast<std::int64_t>(l.packet));
  const auto packet = w.edges()[link].options.packet;
  if (packet == 0) return "";
  return "<= " + configuration::format_bytes(static_cast<std::int64_t>(packet));
}

}  // namespace

std::string wiring::dot() const {
  const layout plan = lay_out(*this);
  std::string text = "digraph dataflow {\n  rankdir=LR;\n  node [fontname=sans];\n";
  text += "  edge [fontname=sans, fontsize=10];\n";
  for (int r = 0; r < machine_->size(); ++r) {
    std::string inside;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].rank == r)
        inside += "    " + node_name(i) + " [shape=box, label=" + quoted(nodes_[i].name) + "];\n";
    if (inside.empty()) continue;
    text += "  subgraph cluster_" + std::to_string(r) +
            " {\n    label=" + quoted("rank " + std::to_string(r) + ": " + (*machine_)[r].name) +
            ";\n" + inside + "  }\n";
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].is_router())
      text += "  " + node_name(i) +
              " [shape=ellipse, label=" + quoted(nodes_[i].name + "\n" + nodes_[i].policy.name) +
              "];\n";
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    text += "  " + node_name(static_cast<std::size_t>(edges_[i].from.index)) + " -> " +
            node_name(static_cast<std::size_t>(edges_[i].to.index));
    if (const auto words = label(*this, plan, i); !words.empty())
      text += " [label=" + quoted(words) + "]";
    text += ";\n";
  }
  return text + "}\n";
}

}  // namespace gossamer::dataflow
