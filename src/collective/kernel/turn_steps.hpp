// The steps of a command list (command_list.hpp) for one turn: with their addresses, in the order
// in which the team does them, and with what is known of when signals have to be raised.
#pragma once

#include <cstddef>
#include <vector>

#include "collective/kernel/command_list.hpp"
#include "collective/kernel/packing.hpp"
#include "collective/kernel/shortcuts.hpp"
#include "collective/run/plan_state.hpp"

namespace gossamer {

/// What the steps of all turns are made from.
struct command_source {
  command_source(const collective_plan::state& of, const rank_schedule& part,
                 const plan_places& buffers)
      : plan(of),
        places(buffers),
        element(of.what.request().element),
        packed(of.what),
        shorter(take_shortcuts(of.what, part, packed)) {}

  const collective_plan::state& plan;  ///< with signals and inbox
  const plan_places& places;
  const std::size_t element;
  const packing packed;
  const short_part shorter;
  std::vector<rank_schedule> parts;  ///< everybody's
  window<std::byte> scratch;
  int slices = 1;
};

std::vector<command> steps_of_turn(const command_source& from, int turn);

}  // namespace gossamer
