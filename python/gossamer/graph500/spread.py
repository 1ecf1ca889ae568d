"""How values spread, by the rules of Graph500's reference code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gossamer.errors import UsageError


@dataclass(frozen=True)
class Spread:
    """Order statistics, mean and deviation of some values, in their unit."""

    minimum: float
    #: A quartile or a median between two values is their mean.
    first_quartile: float
    median: float
    third_quartile: float
    maximum: float
    #: Arithmetic.
    mean: float
    #: Of a sample: squares over n − 1. 0 for a single value.
    stddev: float

    @staticmethod
    def of(values: Sequence[float]) -> Spread:
        """Of one value or more; UsageError for none."""
        n = len(values)
        if n == 0:
            raise UsageError("statistics of no values")
        x = sorted(float(value) for value in values)
        mean = math.fsum(x) / n
        squares = math.fsum((value - mean) ** 2 for value in x)
        # The last value not after each quarter and the first not before it, from either end.
        early, late = (n - 1) // 4, n // 4
        return Spread(
            x[0],
            (x[early] + x[late]) / 2,
            (x[(n - 1) // 2] + x[n // 2]) / 2,
            (x[n - 1 - early] + x[n - 1 - late]) / 2,
            x[-1],
            mean,
            math.sqrt(squares / (n - 1)) if n > 1 else 0.0,
        )


@dataclass(frozen=True)
class RateSpread:
    """Order statistics and harmonic mean of rates: work over time."""

    minimum: float
    first_quartile: float
    median: float
    third_quartile: float
    maximum: float
    harmonic_mean: float
    #: Standard error of the harmonic mean: s / (a² √(n − 1)), where a and s are mean and deviation
    #: of the reciprocals (N. Norris, Ann. Math. Statist. 11 (1940), 445-448). 0 for a single rate.
    harmonic_stddev: float

    @staticmethod
    def of(work: Sequence[float], seconds: Sequence[float]) -> RateSpread:
        """Of work[i] / seconds[i]; all are positive.

        Everything is worked out of the reciprocals, seconds by unit of work, as the reference does:
        a median between two rates is their harmonic mean.
        """
        if not all(w > 0 and s > 0 for w, s in zip(work, seconds, strict=True)):
            raise UsageError("statistics of rates: work and time must be positive")
        cost = Spread.of([s / w for w, s in zip(work, seconds, strict=True)])
        n = len(work)
        return RateSpread(
            1 / cost.maximum,
            1 / cost.third_quartile,
            1 / cost.median,
            1 / cost.first_quartile,
            1 / cost.minimum,
            1 / cost.mean,
            cost.stddev / (cost.mean**2 * math.sqrt(n - 1)) if n > 1 else 0.0,
        )
