// Asks in order: the name in the options, a modelled system's own software, the rules. Whether
// NVIDIA's library could do better is asked apart.
#include "collective/choose/choice.hpp"

#include <algorithm>

#include "collective/choose/default_rules.hpp"
#include "gossamer/collective/rules.hpp"

namespace gossamer {

std::size_t message_bytes(const layout& shape) {
  const auto& q = shape.request();
  std::size_t n = q.count;
  for (const auto c : q.counts) n = std::max(n, c);
  if (q.op == collective_op::all_to_all_v)
    for (int i = 0; i < q.ranks; ++i)
      for (int j = 0; j < q.ranks; ++j) n = std::max(n, q.pair_count(i, j));
  return n * q.element;
}

bool any_gpu(const rank& r) {
  for (int i = 0; i < r.size(); ++i)
    if (r.owner()[i].is_cuda()) return true;
  return false;
}

const model::collective_row* own_software(const rank& r, const layout& shape, bool host,
                                          const plan_options& options) {
  const auto& on = r.dev().model;
  if (on == nullptr || !options.algorithm.empty() || !options.rules.empty()) return nullptr;
  const auto op = shape.request().op;
  const auto memory = host ? model::memory::host : on->native;
  const auto* row = on->collective_of(name_of(op), message_bytes(shape), r.size(), memory);
  return row != nullptr && left_to_system(r.owner(), op) ? row : nullptr;
}

namespace {

std::string by_rules(const rank& r, const layout& shape, const plan_options& options,
                     bool libraries) {
  auto rules = selection_rules::of(r.owner(), libraries);
  if (!options.rules.empty()) rules.override_with(selection_rules::parse(options.rules));
  return std::string(rules.algorithm(shape.request().op, message_bytes(shape)));
}

}  // namespace

choice choose(const rank& r, const layout& shape, reduction how, const plan_options& options) {
  if (!options.algorithm.empty()) return {options.algorithm};
  const auto own = by_rules(r, shape, options, false);
  return {own, any_gpu(r) && library_may(message_bytes(shape), how, options) &&
                   by_rules(r, shape, options, true) != own};
}

}  // namespace gossamer
