// The arrays of an .npz file, by name.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "graph/io/npy_array.hpp"
#include "graph/io/zip_archive.hpp"

namespace gossamer::io {

class npz_file {
 public:
  npz_file(const byte_image& image, const read_context& context);
  [[nodiscard]] bool has(const std::string& name) const { return members_.contains(name); }
  [[nodiscard]] std::optional<npy_array> find(const std::string& name,
                                              npy_order order = npy_order::native) const;
  /// An array that must be there, of integers in one dimension.
  [[nodiscard]] npy_array integers(const std::string& name) const;
  [[noreturn]] void fail(std::int64_t at, const std::string& what) const;
  [[nodiscard]] std::int64_t size() const { return image_.size(); }

 private:
  const byte_image& image_;
  const read_context& context_;
  std::map<std::string, zip_member> members_;
};

}  // namespace gossamer::io
