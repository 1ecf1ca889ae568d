// The source of a program: what the expression may call, then a row for the CPU or a worklist's
// kernel for GPUs. Both have the same arithmetic, so that both give the same values.
#include "algorithm/vertex_program/text.hpp"

#include "gossamer/algorithm/vertex_program.hpp"

namespace gossamer {

namespace program_detail {

const char* const standard_text = R"(
namespace std {
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using size_t = decltype(sizeof 0);
template <bool B, class T, class F> struct conditional { using type = T; };
template <class T, class F> struct conditional<false, T, F> { using type = F; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
template <class A, class B> inline constexpr bool is_same_v = false;
template <class A> inline constexpr bool is_same_v<A, A> = true;
template <class T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);
template <class T> struct remove_cvref { using type = T; };
template <class T> struct remove_cvref<const T> { using type = T; };
template <class T> struct remove_cvref<T&> : remove_cvref<T> {};
template <class T> using remove_cvref_t = typename remove_cvref<T>::type;
template <class T> struct numeric_limits;
template <> struct numeric_limits<double> {
  static __host__ __device__ constexpr double infinity() {
    return __builtin_bit_cast(double, 0x7ff0000000000000ull);
  }
};
}
)";

}  // namespace program_detail

namespace {

/// Keys of a type, behind the functions of every type (arithmetic.hpp).
constexpr const char* keys_text = R"(
#define GS_TOP (K(1) << (8 * sizeof(K) - 1))
union gs_word { K key; T value; };

GS_FN K gs_to_key(T value) {
  gs_word w;
  w.value = value;
#if !GS_ORDERED
#elif GS_FLOAT
  if (value != value) return ~K(0);
  w.key = (w.key & GS_TOP) ? ~w.key : w.key | GS_TOP;
#elif GS_SIGNED
  w.key ^= GS_TOP;
#endif
#if GS_ORDERED
  return GS_LARGER ? K(~w.key) : w.key;
#else
  return w.key;
#endif
}
GS_FN T gs_from_key(K key) {
  gs_word w;
  w.key = GS_LARGER ? K(~key) : key;
#if !GS_ORDERED
#elif GS_FLOAT
  w.key = (w.key & GS_TOP) ? w.key ^ GS_TOP : ~w.key;
#elif GS_SIGNED
  w.key ^= GS_TOP;
#endif
  return w.value;
}

#if GS_FLOAT
GS_FN T gs_infinity() { return gs_infinity_of(T(0)); }
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

/// What an update makes of the expression on GPUs (cuda/key_operator.hpp), and how a run begins.
struct update_names {
  const char *by, *start;
};
update_names names_of(program_update update) {
  switch (update) {
    case program_update::all_bits:
      return {"bits_operator<K, gs_code>", "given_values"};
    case program_update::sum:
      return {"sum_operator<gs_code>", "given_sums"};
    default:
      return {"key_operator<K, gs_code>", "given_values"};
  }
}

/// A worklist's kernel with the expression as its operator.
constexpr const char* list_text = R"(
namespace program = gossamer::program_detail::cuda;
namespace lists = gossamer::dataflow::cuda;

struct gs_code {
  static __device__ __forceinline__ K propagate(const program::operator_terms& terms, K from,
                                                K weight, long vertex) {
    gs_word w;
    w.key = weight;
    return gs_to_key(gs_propagate(gs_from_key(from), w.value, T(terms.degree(vertex))));
  }
  static __device__ __forceinline__ double priority(const program::operator_terms&, K at) {
    const double most = 0x1p1022;
    const double value = double(gs_from_key(at)), sooner = GS_LARGER ? -value : value;
    return sooner < -most ? -most : sooner <= most ? sooner : most;
  }
  static __device__ __forceinline__ K of_priority(const program::operator_terms&, double priority) {
    return gs_to_key(T(priority));
  }
};

extern "C" __global__ void __launch_bounds__(lists::list_threads, 1)
    GS_KERNEL(const __grid_constant__ lists::GS_VIEW<program::GS_OPERATOR, gs_weight>
                  view,
              const __grid_constant__ program::GS_START start) {
  lists::run_list(view, start);
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

const char* program_kernel(int ranks) {
  return ranks == 1 ? "gossamer_lone_list" : "gossamer_list";
}

std::string program_text(program_type type, program_update update, const std::string& expression,
                         program_target target) {
  const type_names names = names_of(type);
  const bool gpu = target != program_target::cpu;
  std::string text =
      gpu ? std::string(program_detail::standard_text) + program_detail::worklist_text : "";
  text += "typedef " + std::string(names.value) + " T;\ntypedef " + names.key + " K;\n";
  text += "#define GS_FLOAT " + std::to_string(names.bytes_of_float) + "\n#define GS_SIGNED " +
          std::to_string(names.has_sign) + "\n#define GS_LARGER " +
          std::to_string(update == program_update::larger) + "\n#define GS_ORDERED " +
          std::to_string(update <= program_update::larger) + "\n";
  text += program_detail::arithmetic_text;
  text += keys_text;
  text +=
      "\nGS_FN T gs_propagate(T value, T weight, T degree) {\n  return " + expression + ";\n}\n";
  if (!gpu) return text + row_text;
  const bool weighted = expression.find("weight") != std::string::npos;
  text += weighted ? "using gs_weight = K;\n" : "using gs_weight = gossamer::no_weight;\n";
  const bool lone = target == program_target::one_gpu;
  text += std::string("#define GS_KERNEL ") + program_kernel(lone ? 1 : 2) + "\n";
  text += lone ? "#define GS_VIEW lone_list_view\n" : "#define GS_VIEW list_view\n";
  text += std::string("#define GS_OPERATOR ") + names_of(update).by + "\n";
  text += std::string("#define GS_START ") + names_of(update).start + "\n";
  return text + list_text;
}

}  // namespace gossamer
