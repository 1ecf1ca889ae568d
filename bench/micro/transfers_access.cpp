// Accesses of a kernel to a peer's memory and to the host's, for bench_transfers.
#include "transfer_runs.hpp"

namespace gossamer::bench {

namespace {

constexpr std::size_t count = std::size_t{1} << word_bits;

std::size_t place(std::size_t i, bool random) {
  return random ? scattered(static_cast<std::uint32_t>(i), word_bits) : i;
}

/// The word at place(i) is the source's i-th.
void check_stored(words got, bool random) {
  std::vector<std::uint32_t> all(count);
  copy_bytes(all.data(), got.data(), word_bytes);
  for (std::size_t i = 0; i < count; ++i)
    if (all[place(i, random)] != word_at(i)) throw verification_error("stores: wrong word");
}

/// What rank 0 reaches is `far`; its owner has it as `owned`, others nothing.
struct far_memory {
  rank& r;
  report& out;
  const buffers& b;
  std::string name;
  words far, owned;

  void stores(bool random) const {
    const auto one = [&](int, cudaStream_t on) {
      if (r.id() == 0)
        access_words(accesses::stores, random, far.data(), b.source.data(), word_bits, on);
    };
    measure(r, out, "a", "stores to " + name + ending(random), word_bytes, word_bytes, owned, one,
            [&] {
              if (!owned.empty()) check_stored(owned, random);
            });
  }
  void loads(bool random) const {
    if (!owned.empty()) buffers::fill_source(owned);
    r.barrier();
    const words into = r.id() == 0 ? b.target.local().first(count) : words{};
    const auto one = [&](int, cudaStream_t on) {
      if (r.id() == 0)
        access_words(accesses::loads, random, into.data(), far.data(), word_bits, on);
    };
    measure(r, out, "a", "loads from " + name + ending(random), word_bytes, word_bytes, into, one,
            [&] {
              if (!into.empty())
                check(
                    into, count, [&](std::size_t i) { return place(i, random); }, "loads");
            });
  }
  static std::string ending(bool random) { return random ? ", random" : ", coalesced"; }
};

}  // namespace

void direct_access(rank& r, report& out, const buffers& b) {
  const bool first = r.id() == 0;
  const words host = first ? b.host.local() : words{};
  const words to = r.id() == 1 ? b.target.local() : words{};
  for (const auto& memory :
       {far_memory{r, out, b, "a peer", first ? b.target.direct(1) : words{}, to},
        far_memory{r, out, b, "the host", host, host}})
    for (const bool random : {false, true}) {
      memory.stores(random);
      memory.loads(random);
    }
  const auto copy = [&](int, cudaStream_t) {
    if (first) r.put(b.target, 1, 0, b.source.first(count));
  };
  measure(r, out, "a", "copy to a peer", word_bytes, word_bytes, to, copy, [&] {
    if (!to.empty()) check(to, count, itself, "copy");
  });
}

}  // namespace gossamer::bench
