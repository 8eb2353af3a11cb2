"""Fields of 2,048 entities on 2,048 x 2,048 cells: NumPy, Numba, Fourier transforms, filters."""

import math

import cv2
import numpy as np
import scipy.fft
import scipy.ndimage
import scipy.signal
from numba import njit, prange

SIDE, WORLD, COUNT = 2048, 256.0, 2048
CELL = WORLD / SIDE
RADIUS, SIGMA, NARROW, RING, BOX = 15.0, 5.0, 5.0, 10.0, (8.0, 4.0)
# Number of rows that a thread computes at a time.
BAND = 64
# Number of cells up to which a bell is above 0; at the radius itself it is 0.
REACH = 119


def block(low, high):
    """The cells between two coordinates, whose samples are at multiples of the cell."""
    return max(0, math.ceil(low / CELL)), min(SIDE, math.floor(high / CELL) + 1)


@njit
def samples_along():
    """Coordinates of samples along an axis."""
    return np.arange(SIDE).astype(np.float32) * np.float32(CELL)


def by_numpy(places, reach, value):
    """Adds each entity to a slice of the field."""
    field = np.zeros((SIDE, SIDE), np.float32)
    at = np.arange(SIDE, dtype=np.float32) * np.float32(CELL)
    for i, (x, y) in enumerate(places):
        (c0, c1), (r0, r1) = block(x - reach, x + reach), block(y - reach, y + reach)
        field[r0:r1, c0:c1] += value(i, at[None, c0:c1] - np.float32(x), at[r0:r1, None] - np.float32(y))
    return field


def fall(d, radius):
    return np.maximum(np.float32(0), 1 - d * np.float32(1 / radius))


def linear(_, dx, dy):
    return fall(np.sqrt(dx * dx + dy * dy), RADIUS)


def bell(_, dx, dy):
    square = dx * dx + dy * dy
    return np.where(square < RADIUS**2, np.exp(square * np.float32(-0.5 / SIGMA**2)), np.float32(0))


def ring(_, dx, dy):
    return fall(np.abs(np.sqrt(dx * dx + dy * dy) - np.float32(RING)), NARROW)


def box(i, dx, dy):
    cos, sin = np.float32(math.cos(i * 0.37)), np.float32(math.sin(i * 0.37))
    x = np.maximum(np.abs(dx * cos + dy * sin) - np.float32(BOX[0]), 0)
    y = np.maximum(np.abs(dy * cos - dx * sin) - np.float32(BOX[1]), 0)
    return fall(np.sqrt(x * x + y * y), NARROW)


def loops(fastmath):
    """Compiled loops over entities and their cells: one thread computes all rows, several compute bands of rows."""
    zero, one = np.float32(0), np.float32(1)

    @njit(inline="always")
    def value(kind, dx, dy, cos, sin):
        if kind == 1:
            square = dx * dx + dy * dy
            if square < np.float32(RADIUS * RADIUS):
                return math.exp(square * np.float32(-0.5 / SIGMA**2))
            return zero
        if kind == 0:
            return max(zero, one - math.sqrt(dx * dx + dy * dy) * np.float32(1 / RADIUS))
        if kind == 2:
            d = abs(math.sqrt(dx * dx + dy * dy) - np.float32(RING))
            return max(zero, one - d * np.float32(1 / NARROW))
        x = max(abs(dx * cos + dy * sin) - np.float32(BOX[0]), zero)
        y = max(abs(dy * cos - dx * sin) - np.float32(BOX[1]), zero)
        return max(zero, one - math.sqrt(x * x + y * y) * np.float32(1 / NARROW))

    def of_kind(kind):
        @njit(fastmath=fastmath)
        def rows(field, at, places, reach, low, high):
            for i in range(places.shape[0]):
                x, y = np.float32(places[i, 0]), np.float32(places[i, 1])
                c0 = max(0, int(math.ceil((x - reach) / CELL)))
                c1 = min(SIDE, int(math.floor((x + reach) / CELL)) + 1)
                r0 = max(low, int(math.ceil((y - reach) / CELL)))
                r1 = min(high, int(math.floor((y + reach) / CELL)) + 1)
                cos, sin = np.float32(math.cos(i * 0.37)), np.float32(math.sin(i * 0.37))
                for row in range(r0, r1):
                    dy = at[row] - y
                    for column in range(c0, c1):
                        field[row, column] += value(kind, at[column] - x, dy, cos, sin)

        @njit(fastmath=fastmath)
        def serial(places, reach):
            field = np.zeros((SIDE, SIDE), np.float32)
            rows(field, samples_along(), places, reach, 0, SIDE)
            return field

        @njit(fastmath=fastmath, parallel=True)
        def parallel(places, reach):
            field = np.zeros((SIDE, SIDE), np.float32)
            at = samples_along()
            for band in prange(SIDE // BAND):
                rows(field, at, places, reach, band * BAND, (band + 1) * BAND)
            return field

        return lambda places, reach, threads: (serial if threads == 1 else parallel)(places, reach)

    return [of_kind(kind) for kind in range(4)]


def impulses(samples):
    """Charges at sampled points."""
    field = np.zeros((SIDE, SIDE), np.float32)
    cells = np.rint(samples / CELL).astype(int)
    np.add.at(field, (cells[:, 1], cells[:, 0]), 1)
    return field


def kernel(value):
    at = (np.arange(-120, 121) * CELL).astype(np.float32)
    return value(0, at[None, :], at[:, None]).astype(np.float32)


def by_fourier(samples, weights, threads):
    """Convolution as a product of transforms in single precision, padded to the next fast length."""
    length = scipy.fft.next_fast_len(SIDE + 120, real=True)
    shape = (length, length)
    spectrum = scipy.fft.rfft2(impulses(samples), shape, workers=threads)
    spectrum *= scipy.fft.rfft2(np.roll(np.pad(weights, (0, length - 241)), (-120, -120), (0, 1)), workers=threads)
    return scipy.fft.irfft2(spectrum, shape, workers=threads)[:SIDE, :SIDE]


def by_filter(samples, weights):
    return cv2.filter2D(impulses(samples), -1, weights, borderType=cv2.BORDER_CONSTANT)


def bells_by_scipy(samples):
    sigma = SIGMA / CELL
    scale = np.exp(-0.5 * (np.arange(-REACH, REACH + 1) / sigma) ** 2).sum() ** 2
    return scipy.ndimage.gaussian_filter(impulses(samples), sigma, mode="constant", radius=REACH) * np.float32(scale)


def bells_by_opencv(samples):
    across = np.exp(-0.5 * (np.arange(-REACH, REACH + 1) / (SIGMA / CELL)) ** 2).astype(np.float32)
    return cv2.sepFilter2D(impulses(samples), -1, across, across, borderType=cv2.BORDER_CONSTANT)


def tasks(folder, task):
    draw = np.random.default_rng(1)
    # In single precision, so that all programs use the same positions.
    places = draw.uniform(0, WORLD, (COUNT, 2)).astype(np.float32).astype(float)
    samples = draw.integers(0, SIDE, (COUNT, 2)) * CELL
    np.save(folder / "places.npy", places)
    np.save(folder / "samples.npy", samples)
    strict, fast = loops(False), loops(True)
    box_reach = NARROW + math.hypot(*BOX)
    for kind, (name, value, reach) in enumerate(
        [
            ("linear discs", linear, RADIUS),
            ("Gaussian discs", bell, RADIUS),
            ("rings", ring, RING + NARROW),
            ("boxes", box, box_reach),
        ]
    ):
        yield task(
            name,
            {
                "NumPy": (lambda _, value=value, reach=reach: by_numpy(places, reach, value), False),
                "Numba": (lambda n, kind=kind, reach=reach: strict[kind](places, reach, n), True),
                "Numba, fastmath": (lambda n, kind=kind, reach=reach: fast[kind](places, reach, n), True),
            },
            # Rounding decides which cells count at the border of a bell, where its value is exp(-4.5).
            0.012 if value is bell else 2e-3,
        )
    line, round_bell = kernel(linear), kernel(bell)
    yield task(
        "linear discs on samples",
        {
            "SciPy fftconvolve": (lambda _: scipy.signal.fftconvolve(impulses(samples), line, mode="same"), False),
            "SciPy rfft2": (lambda n: by_fourier(samples, line, n), True),
            "OpenCV filter2D": (lambda _: by_filter(samples, line), True),
        },
        2e-3,
    )
    yield task(
        "Gaussian discs on samples",
        {
            "SciPy gaussian_filter *": (lambda _: bells_by_scipy(samples), False),
            "SciPy rfft2": (lambda n: by_fourier(samples, round_bell, n), True),
            "OpenCV sepFilter2D *": (lambda _: bells_by_opencv(samples), True),
        },
        2e-3,
        # Filters cut bells off at squares, Throng at discs: there, a bell is exp(-4.5) times its charge.
        loose=0.5,
    )
