"""Array forms of the operations along an axis, and columns of words.

Every axis of a study has a dimension of its own; the last dimension is free for scenarios. The axis array itself says
which dimension is meant: the one where its length is above 1. With one entry each of these is the identity.
"""

from __future__ import annotations

import importlib
import math
import operator


class _Numpy:
    """numpy, imported at the first array and not before: the core must work without it."""

    def __getattr__(self, name):
        value = getattr(importlib.import_module("numpy"), name)
        setattr(self, name, value)
        return value


np = _Numpy()


def arrays_work() -> bool:
    """Whether numpy can be imported here; where it cannot, everything is worked out on lists, row by row."""
    try:
        importlib.import_module("numpy")
    except ImportError:
        return False
    return True


class Choice:
    """A column of words kept as small whole numbers: a million GPU names cost one look-up a distinct word."""

    ndim = 1
    __array_ufunc__ = None  # an array leaves the comparison with a Choice to it

    def __init__(self, column):
        seen: dict[str, int] = {}
        self.codes = np.fromiter((seen.setdefault(word, len(seen)) for word in column), "i4", len(column))
        self.words = list(seen)

    @classmethod
    def of(cls, words, codes) -> Choice:
        made = object.__new__(cls)
        made.words, made.codes = list(words), codes
        return made

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, part) -> Choice:
        return Choice.of(self.words, self.codes[part])

    def __lt__(self, other):
        return self._ordered(operator.lt, other)

    def __le__(self, other):
        return self._ordered(operator.le, other)

    def __gt__(self, other):
        return self._ordered(operator.gt, other)

    def __ge__(self, other):
        return self._ordered(operator.ge, other)

    def _ordered(self, compare, other):
        """Row by row, in the order of the alphabet (days as year-month-day are in order of time)."""
        if isinstance(other, str):
            return self.each(lambda word: compare(word, other))
        return compare(np.array(self.list()), np.array(other.list()) if isinstance(other, Choice) else other)

    def each(self, of_word):
        """What `of_word` gives for each row; it is asked once a distinct word."""
        return np.array([of_word(w) for w in self.words])[self.codes]

    def list(self) -> list[str]:
        return [self.words[i] for i in self.codes.tolist()]


def is_array(x) -> bool:
    return hasattr(x, "ndim")


def axis_of(labels) -> int:
    """The dimension along which a column of labels runs, counted from the right; the last one is that of scenarios."""
    return max(range(max(labels.ndim - 1, 1)), key=labels.shape.__getitem__) - labels.ndim


def tidy(x):
    """A plain number where an array of one element is left."""
    return x.item() if getattr(x, "size", 0) == 1 else x


def over(reduce):
    """An operation that swallows the axis; the dimension stays with length 1."""
    return lambda x, labels, *rest: tidy(reduce(_full(x, labels), *rest, axis=axis_of(labels), keepdims=True))


def _full(x, labels):
    """The column as long as its axis, even where all its entries are one number."""
    x, k = np.asarray(x), axis_of(labels)
    if x.ndim < -k or x.shape[k] != labels.shape[k]:
        shape = list(np.broadcast_shapes(x.shape, labels.shape))
        x = np.broadcast_to(x, shape)
    return x


def position(labels: list, key):
    """Where each key stands among the labels; -1 for one that is not there."""
    where = {label: i for i, label in enumerate(labels)}

    def one(k):
        return where.get(k, -1)

    if isinstance(key, Choice):
        return key.each(one)
    if not is_array(key):
        return one(key)
    found, back = np.unique(key, return_inverse=True)
    return np.array([one(k) for k in found.tolist()])[back].reshape(key.shape)


def _take(x, i, k):
    """x at place i (an array, or one number) of its dimension k; i may vary along the other dimensions."""
    if not is_array(i):
        return tidy(np.take(x, [i], k))
    i = np.asarray(i)
    dims = max(x.ndim, i.ndim)
    x = x.reshape((1,) * (dims - x.ndim) + x.shape)
    i = i.reshape((1,) * (dims - i.ndim) + i.shape)
    if x.size == x.shape[k] and i.shape[k] == 1:
        return tidy(x.ravel()[i])
    others = np.broadcast_shapes(x.shape[: dims + k] + (1,) + x.shape[dims + k + 1 :], i.shape[: dims + k] + (1,) + i.shape[dims + k + 1 :])
    x = np.broadcast_to(x, others[: dims + k] + (x.shape[k],) + others[dims + k + 1 :])
    i = np.broadcast_to(i, others[: dims + k] + (i.shape[k],) + others[dims + k + 1 :])
    return tidy(np.take_along_axis(x, i, k))


def at(x, labels, key):
    """The entry whose label is the key; missing where there is none, as Excel's MATCH says."""
    k = axis_of(labels)
    if labels.size == labels.shape[k]:
        i = position(labels.ravel().tolist(), key)
    else:  # labels that differ by scenario
        same = labels == key
        i = np.where(same.any(k, keepdims=True), same.argmax(k, keepdims=True), -1)
    found = _take(_full(x, labels), i, k)
    if np.min(i) >= 0:
        return found
    return tidy(np.where(np.asarray(i) < 0, "" if np.asarray(found).dtype.kind in "US" else math.nan, found))


def at_or_below(x, labels, key):
    flat = labels.ravel()
    i = np.searchsorted(flat, key, side="right") - 1
    found = _take(_full(x, labels), np.maximum(i, 0) if is_array(i) and i.ndim else max(int(i), 0), axis_of(labels))
    return tidy(np.where(i < 0, math.nan, found))


def nth_highest(x, labels, k):
    axis = axis_of(labels)
    x = _full(x, labels)
    ordered = np.where(np.isnan(x).any(axis, keepdims=True), math.nan, -np.sort(-x, axis))
    i = np.asarray(k, float).astype(int) - 1
    inside = (i >= 0) & (i < ordered.shape[axis])
    found = _take(ordered, np.clip(i, 0, ordered.shape[axis] - 1) if i.ndim else int(np.clip(i, 0, ordered.shape[axis] - 1)), axis)
    return tidy(np.where(inside, found, math.nan))


def percentile(x, labels, p):
    """Excel's PERCENTILE; p may vary along the other dimensions."""
    axis = axis_of(labels)
    x = _full(x, labels)
    ordered = np.where(np.isnan(x).any(axis, keepdims=True), math.nan, np.sort(x, axis))
    place = np.asarray(p, float) * (ordered.shape[axis] - 1)
    low = np.clip(np.floor(place).astype(int), 0, max(ordered.shape[axis] - 2, 0))
    below = _take(ordered, low if low.ndim else int(low), axis)
    above = _take(ordered, (low if low.ndim else int(low)) + min(1, ordered.shape[axis] - 1), axis)
    return tidy(below + (place - low) * (above - below))


def label_of(pick):
    """The label where `pick` (np.argmax or np.argmin) points."""

    def form(x, labels):
        x, k = _full(x, labels), axis_of(labels)
        i = pick(x, axis=k, keepdims=True)
        gone = np.isnan(x).any(k, keepdims=True) if x.dtype.kind == "f" else False
        return tidy(np.where(gone, math.nan if labels.dtype.kind == "f" else "", labels.ravel()[i]))

    return form


def first(x, labels):
    """The first label whose flag is true; a missing flag is not true (Excel's MATCH passes over it)."""
    x, k = _full(x, labels) == 1, axis_of(labels)
    return tidy(np.where(x.any(k, keepdims=True), labels.ravel()[x.argmax(k, keepdims=True)], math.nan))


def last(x, labels):
    """The highest label whose flag is true; missing when a flag is missing (Excel's SUMPRODUCT stops at it)."""
    x, k = _full(x, labels).astype(float), axis_of(labels)
    found = np.max(np.where(x == 1, labels, -math.inf), axis=k, keepdims=True)
    return tidy(np.where(np.isnan(x).any(k, keepdims=True) | (found == -math.inf), math.nan, found))


def before(x, labels, start):
    x, k = _full(x, labels), axis_of(labels)
    moved = np.roll(np.asarray(x, float), 1, k)
    head = (Ellipsis, slice(0, 1)) + (slice(None),) * (-1 - k)
    moved[head] = start
    return moved


def running(x, labels):
    return np.cumsum(_full(x, labels), axis_of(labels))


def highest_so_far(x, labels):
    return np.maximum.accumulate(_full(x, labels), axis_of(labels))


def lowest_ahead(x, labels):
    k = axis_of(labels)
    return np.flip(np.minimum.accumulate(np.flip(_full(x, labels), k), k), k)
