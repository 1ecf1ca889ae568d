// The source of a program: what the expression may call, then a row for the CPU or a round for
// GPUs. Both have the same arithmetic, so that both give the same values.
#include "algorithm/compiled_program/text.hpp"

#include "algorithm/compiled_program/order_key.hpp"

namespace gossamer {

namespace {

/// Types, keys, and functions of every type. Sums, differences and products of integers wrap;
/// quotients and remainders are Python's, and 0 where the divisor is.
constexpr const char* arithmetic = R"(
#ifdef __CUDACC__
#define GS_FN static __device__ __forceinline__
#define GS_MATH(name) name
#else
#define GS_FN static inline
#define GS_MATH(name) __builtin_##name
#endif
#define GS_TOP (K(1) << (8 * sizeof(K) - 1))
union gs_word { K key; T value; };

GS_FN K gs_to_key(T value) {
  gs_word w;
  w.value = value;
#if GS_FLOAT
  if (value != value) return ~K(0);
  w.key = (w.key & GS_TOP) ? ~w.key : w.key | GS_TOP;
#elif GS_SIGNED
  w.key ^= GS_TOP;
#endif
  return GS_LARGER ? K(~w.key) : w.key;
}
GS_FN T gs_from_key(K key) {
  gs_word w;
  w.key = GS_LARGER ? K(~key) : key;
#if GS_FLOAT
  w.key = (w.key & GS_TOP) ? w.key ^ GS_TOP : ~w.key;
#elif GS_SIGNED
  w.key ^= GS_TOP;
#endif
  return w.value;
}

GS_FN T gs_min(T a, T b) { return b < a ? b : a; }
GS_FN T gs_max(T a, T b) { return b > a ? b : a; }
#if GS_FLOAT
GS_FN T gs_add(T a, T b) { return a + b; }
GS_FN T gs_sub(T a, T b) { return a - b; }
GS_FN T gs_mul(T a, T b) { return a * b; }
GS_FN T gs_negate(T a) { return -a; }
GS_FN T gs_abs(T a) { return a < T(0) ? -a : a == T(0) ? T(0) : a; }
GS_FN T gs_infinity() {
  gs_word w;
  w.key = GS_FLOAT == 4 ? K(0x7f800000u) : K(0x7ff0000000000000ull);
  return w.value;
}
GS_FN T gs_divide(T a, T b) { return a / b; }
#if GS_FLOAT == 4
GS_FN T gs_sqrt(T a) { return GS_MATH(sqrtf)(a); }
GS_FN T gs_floor(T a) { return GS_MATH(floorf)(a); }
GS_FN T gs_ceil(T a) { return GS_MATH(ceilf)(a); }
GS_FN T gs_remainder(T a, T b) { return GS_MATH(fmodf)(a, b); }
#else
GS_FN T gs_sqrt(T a) { return GS_MATH(sqrt)(a); }
GS_FN T gs_floor(T a) { return GS_MATH(floor)(a); }
GS_FN T gs_ceil(T a) { return GS_MATH(ceil)(a); }
GS_FN T gs_remainder(T a, T b) { return GS_MATH(fmod)(a, b); }
#endif
GS_FN T gs_floor_divide(T a, T b) { return gs_floor(a / b); }
GS_FN T gs_modulo(T a, T b) {
  const T r = gs_remainder(a, b);
  return r != T(0) && (r < T(0)) != (b < T(0)) ? r + b : r;
}
#else
GS_FN T gs_add(T a, T b) { return T(K(a) + K(b)); }
GS_FN T gs_sub(T a, T b) { return T(K(a) - K(b)); }
GS_FN T gs_mul(T a, T b) { return T(K(a) * K(b)); }
GS_FN T gs_negate(T a) { return T(K(0) - K(a)); }
#if GS_SIGNED
GS_FN T gs_abs(T a) { return a < T(0) ? gs_negate(a) : a; }
GS_FN T gs_modulo(T a, T b) {
  if (b == T(0) || b == T(-1)) return T(0);
  const T r = a % b;
  return r != T(0) && (r < T(0)) != (b < T(0)) ? r + b : r;
}
GS_FN T gs_floor_divide(T a, T b) {
  if (b == T(0)) return T(0);
  if (b == T(-1)) return gs_negate(a);
  const T q = a / b;
  return a % b != T(0) && (a < T(0)) != (b < T(0)) ? q - T(1) : q;
}
#else
GS_FN T gs_abs(T a) { return a; }
GS_FN T gs_modulo(T a, T b) { return b == T(0) ? T(0) : T(a % b); }
GS_FN T gs_floor_divide(T a, T b) { return b == T(0) ? T(0) : T(a / b); }
#endif
#endif
)";

/// A row_function.
constexpr const char* row_text = R"(
extern "C" __attribute__((visibility("default"))) void gossamer_row(
    const void* key, long long degree, const void* weights, long long arcs, void* keys) {
  const T value = gs_from_key(*static_cast<const K*>(key)), d = T(degree);
  const T* w = static_cast<const T*>(weights);
  K* to = static_cast<K*>(keys);
  for (long long i = 0; i < arcs; ++i)
    to[i] = gs_to_key(gs_propagate(value, w ? w[i] : T(0), d));
}
)";

struct type_names {
  const char *value, *key;
  int bytes_of_float;
  bool has_sign;
};

type_names names_of(program_type type) {
  switch (type) {
    case program_type::int32:
      return {"int", "unsigned int", 0, true};
    case program_type::int64:
      return {"long long", "unsigned long long", 0, true};
    case program_type::uint32:
      return {"unsigned int", "unsigned int", 0, false};
    case program_type::uint64:
      return {"unsigned long long", "unsigned long long", 0, false};
    case program_type::float32:
      return {"float", "unsigned int", 4, true};
    default:
      return {"double", "unsigned long long", 8, true};
  }
}

}  // namespace

std::string program_text(program_type type, bool larger, const std::string& expression,
                         program_target target) {
  const type_names names = names_of(type);
  std::string text = "typedef " + std::string(names.value) + " T;\ntypedef " + names.key + " K;\n";
  text += "#define GS_FLOAT " + std::to_string(names.bytes_of_float) + "\n#define GS_SIGNED " +
          std::to_string(names.has_sign) + "\n#define GS_LARGER " + std::to_string(larger) + "\n";
  text += arithmetic;
  text +=
      "\nGS_FN T gs_propagate(T value, T weight, T degree) {\n  return " + expression + ";\n}\n";
  return text + (target == program_target::cpu ? row_text : program_detail::round_kernel);
}

}  // namespace gossamer
