"""What speculation is worth: at the quiet hours, at the peak, in GPUs and in money; and the map of batch against context.

Source: calculators B (a).
"""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, at_or_below, both, ceil, highest, if_, lowest, when


@check(
    "The fixed length is in the table",
    "a draft of {fixed_draft:0} is longer than the table of drafts, which ends at {longest_draft:0}; enter a shorter one",
)
def fixed_draft_listed(fixed_draft, longest_draft):
    return fixed_draft <= longest_draft


@quantity("Longest draft of the table", "tok")
def longest_draft(draft):
    return highest(draft, draft)


@quantity("Compute sets the pace at some batch, no draft", "")
def plain_turns(turns_compute_bound, draft):
    """1 when it does."""
    return if_(at(turns_compute_bound, draft, 0), 1, 0)


@quantity("Compute sets the pace at some batch, fixed length", "")
def fixed_turns(turns_compute_bound, draft, fixed_draft):
    """1 when it does."""
    return if_(at_or_below(turns_compute_bound, draft, fixed_draft), 1, 0)


@quantity("Batch at which compute sets the pace, no draft", "")
def turning_batch_plain(compute_bound_batch, draft):
    return at(compute_bound_batch, draft, 0)


@quantity("Batch at which compute sets the pace, fixed length", "")
def turning_batch_fixed(compute_bound_batch, draft, fixed_draft):
    return at_or_below(compute_bound_batch, draft, fixed_draft)


@quantity("Context above which compute never sets the pace, no draft", "tok")
def free_context_plain(compute_free_context, draft):
    return at(compute_free_context, draft, 0)


@quantity("Context above which compute never sets the pace, fixed length", "tok")
def free_context_fixed(compute_free_context, draft, fixed_draft):
    return at_or_below(compute_free_context, draft, fixed_draft)


@quantity("What the fixed length leaves when compute sets the pace", "%")
def compute_bound_gain_fixed(compute_bound_gain, draft, fixed_draft):
    return at_or_below(compute_bound_gain, draft, fixed_draft)


@quantity("Tokens a verification yields at the fixed length", "tok")
def tokens_per_verification_fixed(tokens_per_verification, draft, fixed_draft):
    return at_or_below(tokens_per_verification, draft, fixed_draft)


@check(
    "The batches asked about are in the table",
    "a batch of {lone_batch:0} or {peak_batch:0} is below the smallest of the table; add it there",
)
def batches_listed(bucket, lone_batch, peak_batch):
    return both(lone_batch >= lowest(bucket, bucket), peak_batch >= lowest(bucket, bucket))


@quantity("Batch of the table at the peak", "")
def peak_bucket(batches_listed, bucket, peak_batch):
    """The last one that is not above the peak batch."""
    return when(batches_listed, at_or_below(bucket, bucket, peak_batch))


@quantity("KV cache of the peak batch", "GB")
def peak_kv(peak_bucket, decode_context, kv_per_token):
    """Bytes."""
    return peak_bucket * decode_context * kv_per_token


@check(
    "The peak batch fits in memory",
    "a batch of {peak_bucket:0} does not fit at the peak: its KV cache is {peak_kv}, {draft_kv_room} are left for it",
)
def peak_batch_fits(peak_kv, draft_kv_room):
    return peak_kv <= draft_kv_room


@quantity("Speed-up of the quiet hours, fixed length", "x")
def lone_gain(batches_listed, fixed_gain, bucket, lone_batch):
    return when(batches_listed, at_or_below(fixed_gain, bucket, lone_batch))


@quantity("Throughput at the peak, fixed length", "%")
def peak_ratio(peak_batch_fits, fixed_gain, bucket, peak_bucket):
    """Against no draft at all."""
    return when(peak_batch_fits, at(fixed_gain, bucket, peak_bucket))


@quantity("Loss at the peak, fixed length", "%")
def peak_loss(peak_ratio):
    """Fraction of the throughput without a draft."""
    return 1 - peak_ratio


@quantity("Further GPUs at the peak, fixed length", "%")
def peak_extra_share(peak_ratio):
    """Fraction of the GPUs that serve the peak without a draft."""
    return 1 / peak_ratio - 1


@quantity("Gain at the peak, best length", "x")
def peak_best_gain(peak_batch_fits, best_gain, bucket, peak_bucket):
    return when(peak_batch_fits, at(best_gain, bucket, peak_bucket))


@quantity("Replicas at the peak, fixed length", "")
def peak_replicas_fixed(peak_work, peak_ratio):
    """Whole replicas."""
    return ceil(peak_work / peak_ratio)


@quantity("Replicas at the peak, length by batch", "")
def peak_replicas_aware(peak_work, peak_best_gain):
    """Whole replicas."""
    return ceil(peak_work / peak_best_gain)


@quantity("GPUs that a batch-aware controller saves", "")
def draft_gpus_saved(peak_replicas_fixed, peak_replicas_aware, gpus_per_replica):
    return (peak_replicas_fixed - peak_replicas_aware) * gpus_per_replica


@quantity("What a batch-aware controller saves", "$/h")
def draft_saving(draft_gpus_saved, gpu_hour_price):
    """Dollars per hour."""
    return draft_gpus_saved * gpu_hour_price


@quantity("Saving in a month", "$/month")
def draft_saving_month(draft_saving, hours_per_month):
    """Dollars per month."""
    return draft_saving * hours_per_month


@check(
    "The fixed length does not cost throughput at the peak",
    "left on at the peak, a draft of {fixed_draft:0} delivers {peak_ratio:0} of what no draft would",
    kind="alert",
)
def fixed_pays_at_peak(peak_ratio):
    return peak_ratio >= 1


@quantity("Best draft length, by context and batch", "tok")
def best_draft_map(cases_best_draft, case, cases_before, bucket_place):
    return at(cases_best_draft, case, cases_before + bucket_place)


@quantity("Gain at the best length, by context and batch", "x")
def best_gain_map(cases_best_gain, case, cases_before, bucket_place):
    return at(cases_best_gain, case, cases_before + bucket_place)


@quantity("Gain at the fixed length, by context and batch", "x")
def fixed_gain_map(cases_fixed_gain, case, cases_before, bucket_place):
    return at(cases_fixed_gain, case, cases_before + bucket_place)
