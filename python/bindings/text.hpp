// std::string between C++ and Python, in the place of nanobind's caster: no text is refused.
//
// Names of files and words from damaged ones are bytes, which need not be UTF-8. On the way in they
// are what Python made of them (surrogates, as os.fsdecode does); on the way out such bytes are
// escaped ("\xff"), so that every name and every message can be printed.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace gossamer_python {

inline nanobind::str printable(std::string_view text) {
  return nanobind::steal<nanobind::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
}

}  // namespace gossamer_python

namespace nanobind::detail {

template <>
struct type_caster<std::string> {
  NB_TYPE_CASTER(std::string, const_name("str"))

  bool from_python(handle source, std::uint32_t, cleanup_list*) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    PyObject* bytes = PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape");
    char* text = nullptr;
    Py_ssize_t size = 0;
    const bool ok = bytes != nullptr && PyBytes_AsStringAndSize(bytes, &text, &size) == 0;
    if (ok) value.assign(text, static_cast<std::size_t>(size));
    Py_XDECREF(bytes);
    if (!ok) PyErr_Clear();
    return ok;
  }

  static handle from_cpp(const std::string& text, rv_policy, cleanup_list*) noexcept {
    return gossamer_python::printable(text).release();
  }
};

}  // namespace nanobind::detail
