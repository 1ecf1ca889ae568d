"""Arrays of any origin on their way in, and on any device on their way out."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _gossamer
from .errors import UsageError

#: DLPack device types (dlpack.h).
_CPU, _CUDA = 1, 2
_HOST_TYPES = {_CPU, 3}  # 3: pinned host memory
_CODES = {0: "i", 1: "u", 2: "f"}


@runtime_checkable
class _HasDlpack(Protocol):
    def __dlpack__(self, **kwargs: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...


class Array:
    """One-dimensional array in the memory of one device, handed on without a copy.

    Consumers take it by DLPack (``torch.from_dlpack``, ``cupy.from_dlpack``, ``numpy.from_dlpack``)
    or, on a GPU, by ``__cuda_array_interface__`` (Numba, CuPy). The memory lives as long as this
    object or anything made from it.
    """

    def __init__(
        self, view: Any, address: int, length: int, itemsize: int, ordinal: int, kind: str = "i"
    ) -> None:
        self._view = view
        self._address = address
        self._ordinal = ordinal
        #: Integers or floats of 4 or 8 bytes.
        self.dtype: np.dtype[Any] = np.dtype(f"<{kind}{itemsize}")
        self.shape: tuple[int] = (length,)

    @property
    def device(self) -> str:
        """``"cpu"`` or ``"cuda:K"``."""
        return "cpu" if self._ordinal < 0 else f"cuda:{self._ordinal}"

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"Array({self.shape[0]} × {self.dtype} on {self.device})"

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_CPU, 0) if self._ordinal < 0 else (_CUDA, self._ordinal)

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule.

        Results are complete on the device before they are handed out (the run has waited for its
        streams), so work submitted to any `stream` of the consumer afterwards finds the data: no
        further synchronisation is needed, whichever stream is named.
        """
        if self._ordinal < 0 and stream is not None:
            raise UsageError("__dlpack__: arrays on the CPU take no stream")
        if self._ordinal >= 0 and stream == 0:
            raise UsageError("__dlpack__: stream 0 is ambiguous; 1 is the legacy default stream")
        asked = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
        return self._view.__dlpack__(**{k: v for k, v in asked.items() if v is not None})

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._ordinal < 0:
            raise AttributeError("__cuda_array_interface__: this array is in host memory")
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._address, False),
            "version": 3,
            "strides": None,
            "stream": None,  # complete: nothing to wait for
        }

    def numpy(self) -> npt.NDArray[Any]:
        """As a NumPy array: the same memory on the CPU, a copy from a GPU."""
        if self._ordinal < 0:
            same: npt.NDArray[Any] = np.from_dlpack(self)
            return same
        raw = _gossamer.pointer_to_host(self._address, len(self) * self.dtype.itemsize, None)
        values: npt.NDArray[Any] = raw.view(self.dtype)
        return values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if self._ordinal >= 0:
            raise TypeError("this array is on a GPU: copy it with .numpy()")
        return np.array(self.numpy(), dtype=dtype) if copy else np.asarray(self.numpy(), dtype)


def uploaded(host: npt.NDArray[Any], ordinal: int) -> Array:
    """A copy of an array of the host's on a GPU."""
    there, address = _gossamer.upload(host, ordinal)
    return Array(there, address, host.size, host.itemsize, ordinal, host.dtype.kind)


def plain_array(x: Any, what: str) -> npt.NDArray[Any]:
    """`x` as NumPy has it; UsageError where NumPy can make no array of it."""
    try:
        if isinstance(x, _HasDlpack) and not hasattr(x, "__array__"):
            array: npt.NDArray[Any] = np.from_dlpack(x)
            return array
        return np.asarray(x)
    except (AttributeError, BufferError, OverflowError, RuntimeError, TypeError, ValueError) as e:
        reason = " ".join(str(e).split())
        raise UsageError(f"{what}: {type(x).__name__} is no array: {reason}") from None


def number_array(x: Any, what: str) -> npt.NDArray[Any]:
    """`x` as one number a vertex, of whatever type."""
    array = plain_array(x, what)
    if array.ndim != 1 or array.dtype.kind not in "biuf":
        raise UsageError(
            f"{what} is {array.ndim}-dimensional, of {array.dtype}; one number a vertex is needed"
        )
    return array


def _from_cuda_interface(x: Any, what: str) -> npt.NDArray[Any]:
    face = x.__cuda_array_interface__
    dtype = np.dtype(face["typestr"])
    shape, strides = face["shape"], face.get("strides")
    if len(shape) != 1 or (strides is not None and tuple(strides) != (dtype.itemsize,)):
        raise UsageError(f"{what}: expected a contiguous one-dimensional array")
    raw = _gossamer.pointer_to_host(face["data"][0], shape[0] * dtype.itemsize, face.get("stream"))
    return raw.view(dtype)


def host_array(x: Any, what: str) -> npt.NDArray[Any]:
    """`x` as a contiguous one-dimensional NumPy array; only GPU arrays and lists are copied."""
    if isinstance(x, np.ndarray):
        array = x
    elif isinstance(x, _HasDlpack) and x.__dlpack_device__()[0] not in _HOST_TYPES:
        raw, code, bits = _gossamer.dlpack_to_host(x)
        if code not in _CODES:
            raise UsageError(f"{what}: not an array of numbers")
        array = raw.view(np.dtype(f"{_CODES[code]}{bits // 8}"))
    elif hasattr(x, "__cuda_array_interface__"):
        array = _from_cuda_interface(x, what)
    else:
        array = plain_array(x, what)
    if array.ndim != 1:
        raise UsageError(f"{what}: expected one dimension, got {array.ndim}")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return np.ascontiguousarray(array)


class GpuArray(NamedTuple):
    """A contiguous array on a GPU, as the library's GPU code takes them."""

    address: int
    length: int
    #: As NumPy writes it: ``<i4``, …
    type: str
    ordinal: int
    #: As in ``__cuda_array_interface__``; None: nothing to wait for.
    stream: int | None


_GPU_TYPES = {"<i4", "<i8", "<u4", "<f4", "<f8"}


def gpu_array(x: Any, kinds: str) -> GpuArray | None:
    """`x` where it lies on a GPU and holds integers (``"iu"``) or other numbers that GPU code takes
    as they are; else None."""
    if isinstance(x, np.ndarray):
        return None
    if hasattr(x, "__cuda_array_interface__"):
        face = x.__cuda_array_interface__
        kind, shape, strides = np.dtype(face["typestr"]), face["shape"], face.get("strides")
        if len(shape) != 1 or (strides is not None and tuple(strides) != (kind.itemsize,)):
            return None
        address = face["data"][0]
        found = GpuArray(
            address, shape[0], kind.str, _gossamer.home_of(address), face.get("stream")
        )
    elif isinstance(x, _HasDlpack) and x.__dlpack_device__()[0] not in _HOST_TYPES:
        view = _gossamer.dlpack_array(x)
        if view is None:
            return None
        found = GpuArray(*view, 1)
    else:
        return None
    usual = found.type in _GPU_TYPES and found.type[1] in kinds
    return found if usual and found.length > 0 and found.ordinal >= 0 else None


def id_array(x: Any, what: str, are: str = "vertex ids") -> npt.NDArray[np.signedinteger[Any]]:
    """Vertex ids as int32 or int64; those types are taken as they are. `are`: other integers."""
    array = host_array(x, what)
    if array.dtype in (np.dtype(np.int32), np.dtype(np.int64)):
        return array
    if array.size == 0:
        return array.astype(np.int32)
    if array.dtype.kind not in "iu":
        raise UsageError(f"{what}: {are} are integers, got {array.dtype}")
    if array.dtype == np.dtype(np.uint64) and int(array.max()) > np.iinfo(np.int64).max:
        raise UsageError(f"{what}: {int(array.max())} is above 64 bits, signed")
    return array.astype(np.int64 if array.dtype.itemsize >= 4 else np.int32)


def weight_array(x: Any, what: str) -> npt.NDArray[Any]:
    """Weights as int32, float32 or float64; those types are taken as they are."""
    array = host_array(x, what)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f":
        return array if size in (4, 8) else array.astype(np.float32 if size < 4 else np.float64)
    if kind == "b":
        return array.astype(np.int32)
    if kind not in "iu":
        raise UsageError(f"{what}: weights are numbers, got {array.dtype}")
    if array.dtype == np.dtype(np.int32):
        return array
    limits = np.iinfo(np.int32)
    if array.size and (int(array.min()) < limits.min or int(array.max()) > limits.max):
        raise UsageError(f"{what}: integer weights beyond int32; give them as float64")
    return array.astype(np.int32)
