// The graph of endpoints and links as Graphviz reads it, and as JSON.
#include "dataflow/layout.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/base/json.hpp"

namespace gossamer::dataflow {

namespace {

/// As Graphviz has it; a line break stays one.
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

/// Of the lanes that end with the link, or the bound that a link into a router sets; 0 = none.
struct size {
  std::size_t packet = 0;
  int buffers = 0;
};
size size_of(const wiring& w, const layout& plan, std::size_t link) {
  for (const auto& l : plan.lanes)
    if (l.in_link == static_cast<int>(link)) return {l.packet, l.buffers};
  return {w.edges()[link].options.packet, 0};
}

/// "2 x 256.0 KiB", "<= 256.0 KiB" or nothing.
std::string label(const size& s) {
  if (s.packet == 0) return "";
  return (s.buffers == 0 ? "<= " : std::to_string(s.buffers) + " x ") +
         configuration::format_bytes(static_cast<std::int64_t>(s.packet));
}

std::string number_or_null(std::size_t n) {
  return n == 0 ? "null" : std::to_string(n);
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
    if (const auto words = label(size_of(*this, plan, i)); !words.empty())
      text += " [label=" + quoted(words) + "]";
    text += ";\n";
  }
  return text + "}\n";
}

std::string wiring::json() const {
  const layout plan = lay_out(*this);
  std::string text = "{\"nodes\":[";
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto& n = nodes_[i];
    text += (i == 0 ? "{\"name\":" : ",{\"name\":") + json_string(n.name);
    text += ",\"rank\":" + (n.is_router() ? "null" : std::to_string(n.rank));
    text += ",\"policy\":" + (n.is_router() ? json_string(n.policy.name) : "null") + "}";
  }
  text += "],\"links\":[";
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const auto bounds = size_of(*this, plan, i);
    text += (i == 0 ? "{\"from\":" : ",{\"from\":") + std::to_string(edges_[i].from.index);
    text += ",\"to\":" + std::to_string(edges_[i].to.index);
    text += ",\"packet\":" + number_or_null(bounds.packet);
    text += ",\"buffers\":" + number_or_null(static_cast<std::size_t>(bounds.buffers)) + "}";
  }
  return text + "]}";
}

}  // namespace gossamer::dataflow
