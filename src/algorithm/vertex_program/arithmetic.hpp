// What expressions may call, of every type: the same values on CPUs and GPUs. Sums, differences and
// products of integers wrap; quotients and remainders are Python's, and 0 where the divisor is.
// Compilers that run when programs do have this file as text, and nothing of the standard library.
#pragma once

#ifdef __CUDACC__
#define GS_FN static __device__ __forceinline__
#define GS_IN __device__ __forceinline__
#define GS_MATH(name) name
#else
#define GS_FN static inline
#define GS_IN inline
#define GS_MATH(name) __builtin_##name
#endif

/// Names of one word, for values(in brackets).
typedef long long gs_int64;
typedef unsigned int gs_uint32;
typedef unsigned long long gs_uint64;

template <class T>
constexpr bool gs_has_fractions = T(1) / T(2) != T(0);
template <class T>
constexpr bool gs_has_sign = T(0) > T(-1);
/// Of an integer's width, without a sign.
template <int bytes>
struct gs_bits {
  typedef unsigned int type;
};
template <>
struct gs_bits<8> {
  typedef unsigned long long type;
};

template <class T>
GS_FN T gs_min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
GS_FN T gs_max(T a, T b) {
  return b > a ? b : a;
}
template <class T>
GS_FN T gs_add(T a, T b) {
  typedef typename gs_bits<sizeof(T)>::type bits;
  if constexpr (gs_has_fractions<T>)
    return a + b;
  else
    return T(bits(a) + bits(b));
}
template <class T>
GS_FN T gs_sub(T a, T b) {
  typedef typename gs_bits<sizeof(T)>::type bits;
  if constexpr (gs_has_fractions<T>)
    return a - b;
  else
    return T(bits(a) - bits(b));
}
template <class T>
GS_FN T gs_mul(T a, T b) {
  typedef typename gs_bits<sizeof(T)>::type bits;
  if constexpr (gs_has_fractions<T>)
    return a * b;
  else
    return T(bits(a) * bits(b));
}
template <class T>
GS_FN T gs_negate(T a) {
  if constexpr (gs_has_fractions<T>)
    return -a;
  else
    return gs_sub(T(0), a);
}
template <class T>
GS_FN T gs_abs(T a) {
  if constexpr (gs_has_fractions<T>)
    return a < T(0) ? -a : a == T(0) ? T(0) : a;
  else if constexpr (gs_has_sign<T>)
    return a < T(0) ? gs_negate(a) : a;
  else
    return a;
}
GS_FN float gs_sqrt(float a) {
  return GS_MATH(sqrtf)(a);
}
GS_FN double gs_sqrt(double a) {
  return GS_MATH(sqrt)(a);
}
GS_FN float gs_floor(float a) {
  return GS_MATH(floorf)(a);
}
GS_FN double gs_floor(double a) {
  return GS_MATH(floor)(a);
}
GS_FN float gs_ceil(float a) {
  return GS_MATH(ceilf)(a);
}
GS_FN double gs_ceil(double a) {
  return GS_MATH(ceil)(a);
}
GS_FN float gs_remainder(float a, float b) {
  return GS_MATH(fmodf)(a, b);
}
GS_FN double gs_remainder(double a, double b) {
  return GS_MATH(fmod)(a, b);
}
template <class T>
GS_FN T gs_divide(T a, T b) {
  return a / b;
}
template <class T>
GS_FN T gs_modulo(T a, T b) {
  if constexpr (gs_has_fractions<T>) {
    const T r = gs_remainder(a, b);
    return r != T(0) && (r < T(0)) != (b < T(0)) ? r + b : r;
  } else if constexpr (gs_has_sign<T>) {
    if (b == T(0) || b == T(-1)) return T(0);
    const T r = a % b;
    return r != T(0) && (r < T(0)) != (b < T(0)) ? r + b : r;
  } else {
    return b == T(0) ? T(0) : T(a % b);
  }
}
template <class T>
GS_FN T gs_floor_divide(T a, T b) {
  if constexpr (gs_has_fractions<T>) {
    return gs_floor(a / b);
  } else if constexpr (gs_has_sign<T>) {
    if (b == T(0)) return T(0);
    if (b == T(-1)) return gs_negate(a);
    const T q = a / b;
    return a % b != T(0) && (a < T(0)) != (b < T(0)) ? q - T(1) : q;
  } else {
    return b == T(0) ? T(0) : T(a / b);
  }
}
/// A float without its fraction, as an integer: beyond its ends the nearest, 0 of what is no
/// number.
template <class T, class Float>
GS_FN T gs_whole(Float a) {
  typedef typename gs_bits<sizeof(T)>::type bits;
  const bits half = bits(1) << (8 * sizeof(T) - 1);
  const T least = gs_has_sign<T> ? T(half) : T(0);
  const Float beyond = gs_has_sign<T> ? Float(half) : Float(half) * Float(2);
  if (a != a) return T(0);
  if (a >= beyond) return T(~bits(least));
  if (a <= (gs_has_sign<T> ? -beyond : Float(0))) return least;
  return T(a);
}
GS_FN double gs_infinity_of(double) {
  union {
    unsigned long long bits;
    double value;
  } word;
  word.bits = 0x7ff0000000000000ull;
  return word.value;
}
GS_FN float gs_infinity_of(float) {
  return float(gs_infinity_of(0.0));
}
/// Bits moved left, or right with the sign; by as many as there are, or by less than none: all of
/// them.
template <int left, class T>
GS_FN T gs_shift(T a, long long by) {
  if (by < 0 || by >= (long long)(8 * sizeof(T))) return left || a >= T(0) ? T(0) : T(-1);
  typedef typename gs_bits<sizeof(T)>::type bits;
  return left ? T(bits(a) << by) : T(a >> by);
}
