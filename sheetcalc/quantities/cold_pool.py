"""A pool for cold prompts: the smallest that meets the TTFT target from one central queue. Source: calculators B (e)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, first, given, when


@quantity("Time that a cold prompt may wait", "s")
def cold_slack(cold_ttft_target, cold_time, session_handover):
    """Seconds: the target less its own prefill and the hand-over."""
    return cold_ttft_target - cold_time - session_handover


@check(
    "A cold prompt can meet its target",
    "a cold request cannot meet its target of {cold_ttft_target:2} at any size: it takes {cold_time:2} by itself",
)
def cold_possible(cold_slack):
    return cold_slack > 0


@quantity("Load", "%")
def pool_load(cold_work, servers):
    """Fraction."""
    return cold_work / servers


@check("The pool keeps up", "overloaded: the queue grows without bound", "alert")
def pool_stable(pool_load):
    return pool_load < 1


@quantity("The pool meets the target", "")
def pool_meets(pool_wait, cold_slack):
    return pool_wait <= cold_slack


@quantity("Load if every prompt were cold", "%")
def all_cold_load(all_cold_work, servers):
    """Fraction."""
    return all_cold_work / servers


@check("The pool keeps up with everything cold", "overloaded: the queue grows without bound", "alert")
def all_cold_stable(all_cold_load):
    return all_cold_load < 1


@quantity("The pool meets the target if every prompt were cold", "")
def all_cold_meets(all_cold_wait, cold_slack):
    return all_cold_wait <= cold_slack


@check(
    "A pool of the table is large enough",
    "no pool of the table meets the target of cold prompts; lengthen the table or shorten the prompts",
)
def cold_served(pool_meets, servers):
    return given(first(pool_meets, servers), 0) > 0


@quantity("Replicas for cold prompts", "")
def cold_replicas(cold_served, pool_meets, servers):
    """The first of the table that meets the target."""
    return when(cold_served, first(pool_meets, servers))


@quantity("Replicas for prefill if every prompt were cold", "")
def all_cold_replicas(all_cold_meets, servers):
    """The first of the table that meets the target."""
    return first(all_cold_meets, servers)


@quantity("Wait of a cold prompt at the percentile", "s")
def cold_wait(pool_wait, servers, cold_replicas):
    """Seconds."""
    return at(pool_wait, servers, cold_replicas)


@quantity("Load of the cold pool", "%")
def cold_load(cold_work, cold_replicas):
    """Fraction."""
    return cold_work / cold_replicas


@quantity("TTFT of a cold prompt at the percentile", "s")
def cold_ttft(cold_wait, cold_time, session_handover):
    """Seconds."""
    return cold_wait + cold_time + session_handover
