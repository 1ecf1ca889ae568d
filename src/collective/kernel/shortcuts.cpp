// Walks over a part's steps and removes copies whose data can be read in the inbox or written
// straight to its place.
#include "collective/kernel/shortcuts.hpp"

#include <algorithm>
#include <optional>

namespace gossamer {

namespace {

struct range {
  buffer_id in;
  std::size_t begin, end;

  [[nodiscard]] bool overlaps(const range& other) const {
    return in == other.in && begin < other.end && other.begin < end;
  }
  [[nodiscard]] bool within(const range& other) const {
    return in == other.in && begin >= other.begin && end <= other.end;
  }
};

range from_place(const buffer_place& at, std::size_t count) {
  return {at.in, at.offset, at.offset + count};
}
/// All operands of a reduction, and what lies between them.
range operands(const step& s) {
  return from_place(s.from, static_cast<std::size_t>(s.parts - 1) * s.stride + s.count);
}

/// What a step reads of the rank's own memory.
std::vector<range> reads(const step& s) {
  switch (s.kind) {
    case step_kind::put:
      if (s.count == 0) return {};
      [[fallthrough]];
    case step_kind::copy:
      return {from_place(s.from, s.count)};
    case step_kind::reduce: {
      std::vector<range> all{operands(s)};
      if (s.own_part >= 0) all.push_back(from_place(s.own, s.count));
      return all;
    }
    case step_kind::wait:
    case step_kind::flush:
      break;
  }
  return {};
}
std::vector<range> touches(const step& s) {
  auto all = reads(s);
  if (s.kind == step_kind::copy || s.kind == step_kind::reduce)
    all.push_back(from_place(s.to, s.count));
  return all;
}

class shortener {
 public:
  shortener(const schedule& s, const rank_schedule& part, const packing& packed)
      : element_(s.request().element), in_place_(s.request().in_place) {
    for (const auto& x : part.steps) result_.steps.push_back({x, short_part::none});
    for (int i = 0; i < part.signals; ++i) result_.slots.push_back(packed.slot(part.rank, i));
    complete_ = packed.complete(part.rank);
  }

  short_part run() {
    for (std::size_t i = 0; i < steps().size(); ++i)
      if (const auto as = ends_as_output(i)) {
        rename(steps()[i].what, *as);
        steps().erase(steps().begin() + static_cast<std::ptrdiff_t>(i--));
      }
    for (std::size_t i = 0; i < steps().size(); ++i)
      if (steps()[i].what.kind == step_kind::reduce) i = take_from_inbox(i);
    return std::move(result_);
  }

 private:
  std::vector<short_part::entry>& steps() { return result_.steps; }
  [[nodiscard]] const packed_slot& slot_of(const step& wait) const {
    return result_.slots[static_cast<std::size_t>(wait.signal)];
  }
  [[nodiscard]] range landing(const packed_slot& slot) const {
    return from_place(slot.to, slot.bytes / element_);
  }

  /// The output range that step i's source may be from the start: it copies scratch that only this
  /// rank writes, and nothing else touches the output or half of the scratch.
  std::optional<range> ends_as_output(std::size_t i) {
    const step& copy = steps()[i].what;
    if (in_place_ || !complete_ || copy.kind != step_kind::copy ||
        copy.from.in != buffer_id::scratch || copy.to.in != buffer_id::output)
      return {};
    const range source = from_place(copy.from, copy.count),
                target = from_place(copy.to, copy.count);
    const auto harmless = [&](const range& x) {
      return !x.overlaps(target) && (!x.overlaps(source) || x.within(source));
    };
    for (std::size_t j = 0; j < steps().size(); ++j)
      if (j != i && !std::ranges::all_of(touches(steps()[j].what), harmless)) return {};
    for (const auto& slot : result_.slots)
      if (slot.bytes != 0 && !harmless(landing(slot))) return {};
    return target;
  }
  void rename(step copy, const range& target) {
    const range source = from_place(copy.from, copy.count);
    const auto change = [&](buffer_place& at) {
      if (at.in != source.in || at.offset < source.begin || at.offset >= source.end) return;
      at = {target.in, target.begin + (at.offset - source.begin)};
    };
    for (auto& [s, inbox] : steps()) {
      change(s.from);
      change(s.own);
      if (s.kind != step_kind::put) change(s.to);
    }
    for (auto& slot : result_.slots) change(slot.to);
  }

  /// Lets the reduction at i read the inbox if its operands come straight before it, in the order
  /// of their slots, and for nobody else. Returns its index, which falls by the waits left out.
  std::size_t take_from_inbox(std::size_t i) {
    const step fold = steps()[i].what;
    const auto others = static_cast<std::size_t>(fold.parts - (fold.own_part >= 0 ? 1 : 0));
    if (others == 0 || i < others) return i;
    const auto first = steps().begin() + static_cast<std::ptrdiff_t>(i - others);
    const auto end = steps().begin() + static_cast<std::ptrdiff_t>(i);
    std::size_t base = short_part::none;
    for (auto x = first; x != end; ++x) {
      if (x->what.kind != step_kind::wait || slot_of(x->what).bytes == 0) return i;
      base = std::min(base, slot_of(x->what).at);
    }
    for (int k = 0; k < fold.parts; ++k) {
      if (k == fold.own_part) continue;
      const auto before =
          static_cast<std::size_t>(k - (fold.own_part >= 0 && k > fold.own_part ? 1 : 0));
      const buffer_place at{fold.from.in,
                            fold.from.offset + static_cast<std::size_t>(k) * fold.stride};
      const std::size_t bytes = fold.count * element_;
      const bool there = std::any_of(first, end, [&](const short_part::entry& x) {
        const auto& slot = slot_of(x.what);
        return slot.bytes == bytes && slot.at == base + before * packed_words(bytes) &&
               slot.to.in == at.in && slot.to.offset == at.offset && !read_elsewhere(slot, i);
      });
      if (!there) return i;
    }
    steps()[i].inbox = base;
    steps()[i].what.peer = others == 1 ? first->what.peer : -1;
    steps().erase(first, end);
    return i - others;
  }
  bool read_elsewhere(const packed_slot& slot, std::size_t fold) {
    for (std::size_t j = 0; j < steps().size(); ++j)
      if (j != fold)
        for (const auto& x : reads(steps()[j].what))
          if (x.overlaps(landing(slot))) return true;
    const step& f = steps()[fold].what;  // the own operand must be another
    return f.own_part >= 0 && from_place(f.own, f.count).overlaps(landing(slot));
  }

  const std::size_t element_;
  const bool in_place_;
  bool complete_ = false;
  short_part result_;
};

}  // namespace

short_part take_shortcuts(const schedule& s, const rank_schedule& part, const packing& packed) {
  return shortener(s, part, packed).run();
}

}  // namespace gossamer
