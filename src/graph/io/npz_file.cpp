// Members of a zip archive as NumPy arrays.
#include "graph/io/npz_file.hpp"

#include <utility>

#include "graph/io/tokens.hpp"

namespace gossamer::io {

npz_file::npz_file(const byte_image& image, const read_context& context)
    : image_(image), context_(context) {
  for (auto& m : list_zip(image, context)) {
    std::string name = m.name;
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    if (!members_.emplace(name, m).second)
      fail(m.offset, "array '" + shown(name) + "' is there twice");
  }
}

std::optional<npy_array> npz_file::find(const std::string& name, npy_order order) const {
  const auto it = members_.find(name);
  if (it == members_.end()) return {};
  return open_npy(open_member(image_, it->second, context_), name, context_, order);
}

npy_array npz_file::integers(const std::string& name) const {
  auto a = find(name);
  if (!a) fail(image_.size(), "array '" + name + "' is missing");
  if ((a->kind != 'i' && a->kind != 'u') || a->shape.size() != 1)
    fail(a->at, "array '" + name + "' must hold integers in one dimension");
  return std::move(*a);
}

void npz_file::fail(std::int64_t at, const std::string& what) const {
  fail_at_byte(context_.path, at, what);
}

}  // namespace gossamer::io
