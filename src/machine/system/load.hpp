// A system from the text of its description.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/machine/system.hpp"

namespace gossamer::model {

/// What load_system() does with a file's text; `name` stands for the file in messages.
std::shared_ptr<const system> parse_system(std::string_view text, const std::string& name,
                                           const std::vector<std::string>& changes = {});

}  // namespace gossamer::model
