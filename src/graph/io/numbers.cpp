// Vectors from files: they go through what graphs are read with, so that damaged ones are refused
// alike, with the file and the line or byte.
#include "gossamer/graph/numbers.hpp"

#include <algorithm>
#include <cstring>

#include "graph/io/input.hpp"
#include "graph/io/matrix_banner.hpp"
#include "graph/io/npz_file.hpp"
#include "graph/io/text_stream.hpp"
#include "graph/io/tokens.hpp"

namespace gossamer {
namespace io {
namespace {

constexpr std::size_t text_block = 1 << 20;

void require_room(const read_context& context, std::int64_t bytes) {
  using configuration::format_bytes;
  if (bytes > context.limit)
    throw capacity_error(context.path + ": the numbers do not fit: they take " +
                         format_bytes(bytes) + " or more; the limit is " +
                         format_bytes(context.limit) + " (" + context.limit_source + ")");
}

number_array doubles(const shared_array<double>& values, std::size_t count) {
  return {"<f8",
          static_cast<std::int64_t>(count),
          {reinterpret_cast<char*>(values.data()), count * sizeof(double), values.owner()}};
}

/// Doubles that come one by one: no header is believed how many there will be.
class number_list {
 public:
  explicit number_list(const read_context& context) : context_(context), values_(1024) {}
  void add(double value) {
    if (used_ == values_.size()) grow();
    values_[used_++] = value;
  }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(used_); }
  [[nodiscard]] number_array finish() const { return doubles(values_, used_); }

 private:
  void grow() {
    require_room(context_, static_cast<std::int64_t>(3 * used_ * sizeof(double)));
    shared_array<double> larger(2 * used_);
    std::copy_n(values_.data(), used_, larger.data());
    values_ = std::move(larger);
  }
  const read_context& context_;
  shared_array<double> values_;
  std::size_t used_ = 0;
};

/// Calls take(p) wherever a word of the rest begins; it moves p behind what it took.
template <class Take>
void take_words(text_stream& in, Take&& take) {
  for (std::string_view block; !(block = in.next_block()).empty();) {
    const char* const end = block.data() + block.size();
    const auto lines_before = [&](const char* p) { return std::count(block.data(), p, '\n'); };
    try {
      for (const char* p = block.data(); p < end;) {
        if (is_blank(*p) || *p == '\n')
          ++p;
        else
          take(p);
      }
    } catch (const bad_text& complaint) {
      in.fail_at(in.next_line_number() + lines_before(complaint.at), complaint.message);
    }
    in.advance_lines(lines_before(end));
    in.context().tick(in.source().raw_position(), in.source().raw_size(), 0);
  }
}

number_array from_text(text_stream& in) {
  number_list found(in.context());
  bool first = true;
  take_words(in, [&](const char*& p) {
    // Some editors begin UTF-8 with a mark.
    const bool marked = first && p[0] == '\xef' && p[1] == '\xbb' && p[2] == '\xbf';
    first = false;
    if (marked) {
      p += 3;
      return;
    }
    bool integer = false;
    found.add(take_number(p, "number", integer));
  });
  return found.finish();
}

/// A value of a matrix's entry, of the kind that its banner says.
double take_entry(const char*& p, const matrix_banner& banner) {
  const char* start = p;
  bool integer = false;
  const double value = take_number(p, "number", integer);
  if (!banner.real && !integer)
    throw bad_text{start, "an 'integer' matrix holds " + quoted_word(start)};
  return value;
}

number_array from_listed(text_stream& in, const matrix_banner& banner, std::int64_t rows,
                         std::int64_t columns, std::int64_t& entries) {
  const std::int64_t count = rows * columns;  // one of them is 1, or 0
  require_room(in.context(), sat_mul(count, sizeof(double)));
  shared_array<double> values(static_cast<std::size_t>(count));
  std::fill(values.begin(), values.end(), 0.0);
  take_words(in, [&](const char*& p) {
    const char* start = p;
    const std::int64_t i = take_id(p, "row");
    skip_blanks(p);
    const std::int64_t j = take_id(p, "column");
    if (i < 1 || i > rows || j < 1 || j > columns)
      throw bad_text{start, "entry (" + std::to_string(i) + ", " + std::to_string(j) +
                                ") is outside " + std::to_string(rows) + " x " +
                                std::to_string(columns)};
    skip_blanks(p);
    // An entry that is listed twice is the sum, as in every reader of such matrices.
    values[static_cast<std::size_t>(i + j - 2)] += banner.pattern ? 1 : take_entry(p, banner);
    expect_line_end(p);
    ++entries;
  });
  return doubles(values, values.size());
}

number_array from_matrix(text_stream& in) {
  const matrix_banner banner = read_matrix_banner(in);
  if (banner.shape != matrix_symmetry::general) in.fail_here("a vector is a 'general' matrix");
  const auto [rows, columns, said] = read_matrix_sizes(in, banner);
  const std::int64_t size_line = in.next_line_number() - 1;
  if (rows > 1 && columns > 1)
    in.fail_here("one row or column of numbers is needed, not " + std::to_string(rows) + " x " +
                 std::to_string(columns));
  std::int64_t there = 0;
  number_array found;
  if (banner.array) {
    number_list all(in.context());
    take_words(in, [&](const char*& p) { all.add(take_entry(p, banner)); });
    there = all.size();
    found = all.finish();
  } else {
    found = from_listed(in, banner, rows, columns, there);
  }
  if (there != said)
    in.fail_at(size_line, "the header says " + std::to_string(said) + " entries, the file holds " +
                              std::to_string(there));
  in.expect_ended();
  return found;
}

bool is_number(const npy_array& a) {
  switch (a.kind) {
    case 'b':
      return a.bytes == 1;
    case 'f':
      return a.bytes >= 2;
    default:
      return a.kind == 'i' || a.kind == 'u';
  }
}

/// `image`: the file, whose pages are the numbers where they lie in it as they are.
number_array from_npy(npy_array a, const byte_image& image, const read_context& context) {
  std::string type(1, a.bytes <= 1 ? '|' : a.swapped ? '>' : '<');
  type += shown({&a.kind, 1}) + std::to_string(a.bytes);
  if (!is_number(a))
    fail_at_byte(context.path, a.at, "real numbers are needed, not type '" + type + "'");
  if (std::count_if(a.shape.begin(), a.shape.end(), [](auto side) { return side != 1; }) > 1) {
    std::string shape;
    for (const std::int64_t side : a.shape)
      shape += (shape.empty() ? "" : " x ") + std::to_string(side);
    fail_at_byte(context.path, a.at, "one row or column of numbers is needed, not " + shape);
  }
  const auto size = static_cast<std::size_t>(a.count * a.bytes);
  const char* data = image.bytes.data() + a.at;
  if (!a.source->compressed() &&
      reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(a.bytes) == 0)
    // Nothing writes through this pointer.
    return {type, a.count, {const_cast<char*>(data), size, image.owner}};
  require_room(context, a.count * a.bytes);
  shared_array<char> copied(size);
  a.source->read(copied.data(), size);
  return {type, a.count, copied};
}

number_array from_archive(const byte_image& image, const read_context& context,
                          const std::string& name) {
  auto found = npz_file(image, context).find(name, npy_order::either);
  if (!found) throw input_error(context.path + ": there is no array named " + name);
  return from_npy(std::move(*found), image, context);
}

number_array read_vector(const input& in, const read_context& context, const std::string& name) {
  std::string head(6, '\0');
  head.resize(in.open(context)->read(head.data(), head.size()));
  if (head.starts_with("PK")) return from_archive(in.image(context), context, name);
  if (head == "\x93NUMPY") {
    const byte_image image = in.image(context);
    return from_npy(
        open_npy({memory_source(image.bytes), 0, image.size()}, name, context, npy_order::either),
        image, context);
  }
  text_stream text(in.open(context), context, text_block);
  return head.starts_with("%%") ? from_matrix(text) : from_text(text);
}

}  // namespace
}  // namespace io

number_array read_numbers(const std::string& path, const std::string& name,
                          const std::stop_token& stop) {
  read_options options;
  options.threads = 1;
  options.stop = stop;
  return io::read_vector(io::file_input(path, "a list of numbers"), io::read_context(path, options),
                         name);
}

number_array read_numbers(std::span<const std::byte> bytes, const std::string& path,
                          const std::string& name, std::int64_t memory_limit) {
  read_options options;
  options.threads = 1;
  options.memory_limit = memory_limit;
  return io::read_vector(io::memory_input(bytes, path), io::read_context(path, options), name);
}

}  // namespace gossamer
