"""Errors out of fold: of the fitted form, of the textbook, after one calibration point, without a term, with fewer configurations."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sheetcalc.backtest import fit
from sheetcalc.backtest.rows import FOLDS
from sheetcalc.calibrate.form import TEXTBOOK, Rows, predict

SHARES = (0.10, 0.20, 0.30)


class Errors(NamedTuple):
    """Signed relative errors in one line: predicted over measured, less one."""

    rows: int
    median: float
    p90: float
    bias: float
    within: tuple[float, ...]

    @classmethod
    def of(cls, error: np.ndarray) -> Errors:
        size = np.abs(error)
        return cls(
            len(error),
            float(np.median(size)),
            float(np.quantile(size, 0.9)),
            float(np.median(error)),
            tuple(float(np.mean(size < share)) for share in SHARES),
        )


def relative(predicted: np.ndarray, rows: Rows) -> np.ndarray:
    return predicted / rows.about["measured"] - 1


def textbook(rows: Rows) -> np.ndarray:
    """Relative errors of the textbook profile, which has no fitted constant."""
    return relative(predict(rows, TEXTBOOK), rows)


def out_of_fold(speed: Rows, ttft: Rows | None = None, without: tuple[str, ...] = (), keep: Callable[[Rows], np.ndarray] | None = None):
    """Relative errors of both sets, each row predicted by constants that were refitted without its fold.

    `keep` picks the training rows that may be used (for a learning curve)."""
    errors, first = np.full(len(speed), np.nan), np.full(0 if ttft is None else len(ttft), np.nan)
    for fold in range(FOLDS):
        train = speed.where(speed.about["fold"] != fold)
        train = train.where(keep(train)) if keep else train
        constants, _ = fit.speed(train, without)
        test = speed.about["fold"] == fold
        errors[test] = relative(predict(speed.where(test), constants.on(speed.where(test))), speed.where(test))
        if ttft is not None:
            constants = fit.ttft(ttft.where(ttft.about["fold"] != fold), constants)
            test = ttft.about["fold"] == fold
            first[test] = relative(predict(ttft.where(test), constants.on(ttft.where(test))), ttft.where(test))
    return errors, first


def offset_alone(ttft: Rows) -> np.ndarray:
    """Relative errors of a TTFT that is one number for each engine (median of the training folds): what the closed form has to beat."""
    errors = np.full(len(ttft), np.nan)
    for fold in range(FOLDS):
        for engine in set(ttft.about["engine"].tolist()):
            mine = ttft.about["engine"] == engine
            train, test = mine & (ttft.about["fold"] != fold), mine & (ttft.about["fold"] == fold)
            errors[test] = np.exp(np.median(np.log(ttft.about["measured"][train]))) / ttft.about["measured"][test] - 1
    return errors


def calibrated(rows: Rows, errors: np.ndarray, points: int = 1) -> np.ndarray:
    """Errors of the other rows of a configuration once `points` of its rows, drawn by the hash of their ids, have set its scale.

    The scale is set for throughput and TPOT apart: one does not calibrate the other.
    NaN for the rows that were used, and where nothing is left."""
    left = np.full(len(rows), np.nan)
    kind = np.array([f"{c}|{m}" for c, m in zip(rows.about["configuration"], rows.about["metric"], strict=True)])
    order = np.array([hashlib.sha256(i.encode()).hexdigest() for i in rows.about["id"].tolist()])
    for each in np.unique(kind):
        members = np.flatnonzero(kind == each)
        members = members[np.argsort(order[members])]
        if len(members) > points:
            scale = np.exp(np.mean(np.log(1 + errors[members[:points]])))
            rest = members[points:]
            left[rest] = (1 + errors[rest]) / scale - 1
    return left


def some_of(share: float, draw: int) -> Callable[[Rows], np.ndarray]:
    """Keeps a share of the groups (model, GPU, count), drawn by hash."""

    def keep(rows: Rows) -> np.ndarray:
        place = {g: int(hashlib.sha256(f"{draw}|{g}".encode()).hexdigest()[:8], 16) / 16**8 for g in set(rows.about["group_of"].tolist())}
        return np.array([place[g] < share for g in rows.about["group_of"].tolist()])

    return keep
