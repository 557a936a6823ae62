"""A corpus read once by a model: which pass is the bill, what cuts it, make or buy. Source: calculators C, section f."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, given, if_, least, most, nth_highest, same, sqrt, total


@quantity("An output token over an input token", "x")
def output_to_input(offline_decode, output_tokens, prefill_time):
    """What an output token costs in input tokens; never below 1."""
    return offline_decode / output_tokens / prefill_time


@quantity("Output at which both passes cost the same, memory", "tok")
def equal_output_memory(prompt_tokens, prefill_time, context_decode_time):
    """Root of S·t = O·κ·(S + O/2): where decode is bound by memory."""
    return -prompt_tokens + sqrt(prompt_tokens**2 + 2 * prompt_tokens * prefill_time / context_decode_time)


@quantity("Output below which prefill is the bill", "tok")
def equal_output(equal_output_memory, prompt_tokens):
    """Never above the prompt: an output token costs at least an input token."""
    return least(equal_output_memory, prompt_tokens)


@quantity("Its limit for long prompts", "tok")
def equal_output_limit(prefill_time, context_decode_time):
    """Input time over decode time per token of context."""
    return prefill_time / context_decode_time


@quantity("Ratio at the batch of a chat fleet", "x")
def chat_ratio(batches_output_to_input, batches_max_batch, chat_batch):
    """From the table of batches."""
    return at(batches_output_to_input, batches_max_batch, chat_batch)


@quantity("Bill at the batch of a chat fleet", "$")
def chat_batch_cost(batches_offline_cost, batches_max_batch, chat_batch):
    """From the table of batches."""
    return at(batches_offline_cost, batches_max_batch, chat_batch)


@quantity("Bill of the small model", "$")
def small_model_cost(sizes_offline_cost, model_size):
    """The whole corpus: the second row."""
    return at(sizes_offline_cost, model_size, 2)


@quantity("Bill of the cascade", "$")
def cascade_cost(small_model_cost, escalated_share, offline_cost):
    """All through the small model, and some again through the large one."""
    return small_model_cost + escalated_share * offline_cost


@quantity("Escalation up to which the cascade pays", "%")
def cascade_limit(small_model_cost, offline_cost):
    """Above it the large model alone is cheaper."""
    return 1 - small_model_cost / offline_cost


@check("The cascade pays", "the cascade does not pay: {escalated_share} are escalated and it pays up to {cascade_limit}", "alert")
def cascade_pays(escalated_share, cascade_limit):
    return escalated_share < cascade_limit


@quantity("Accuracy of the cascade", "%")
def cascade_accuracy(escalated_share, kept_accuracy, large_accuracy):
    """What is kept and what is escalated."""
    return (1 - escalated_share) * kept_accuracy + escalated_share * large_accuracy


@quantity("Accuracy against the large model", "%")
def cascade_accuracy_change(cascade_accuracy, large_accuracy):
    """Positive when the cascade is better."""
    return cascade_accuracy - large_accuracy


@quantity("Bill with the cut", "$")
def cut_cost(cut_is_cascade, cascade_cost, cuts_offline_cost):
    """The cascade's, or the job's with one input changed."""
    return if_(same(cut_is_cascade, 1), cascade_cost, cuts_offline_cost)


@quantity("Saved by the cut", "$")
def cut_saving(offline_cost, cut_cost):
    """Alone, 0 where the corpus cannot be read with the cut; savings of several cuts do not add."""
    return given(offline_cost - cut_cost, 0)


@quantity("Saving of the other cut", "$")
def other_cut_saving(cut_saving, cut, cut_place):
    """The same savings along the second list."""
    return at(cut_saving, cut, cut_place)


@quantity("Rank", "")
def cut_rank(other_cut_saving, cut_saving, cut_place, cut):
    """1 saves most; equal savings in the order of the table."""
    return 1 + total((other_cut_saving > cut_saving) + same(other_cut_saving, cut_saving) * (cut_place < cut), cut_place)


@quantity("Cut of the rank", "")
def ranked_cut(cut_rank, cut_place, cut):
    """Number of the cut."""
    return total(same(cut_rank, cut_place) * cut, cut)


@quantity("Cut", "")
def ranked_cut_name(cut_name, cut, ranked_cut):
    """Its name."""
    return at(cut_name, cut, ranked_cut)


@quantity("Saved alone", "$")
def ranked_cut_saving(cut_saving, cut, cut_place):
    """From most to least."""
    return nth_highest(cut_saving, cut, cut_place)


@quantity("Best cut", "")
def best_cut_name(ranked_cut_name, cut_place):
    """Its name."""
    return at(ranked_cut_name, cut_place, 1)


@quantity("Saved by the best cut", "$")
def best_cut_saving(ranked_cut_saving, cut_place):
    """Alone."""
    return at(ranked_cut_saving, cut_place, 1)


@quantity("Labels in passes of their own", "$")
def separate_labels_cost(labels, offline_cost):
    """The whole prompt again for each."""
    return labels * offline_cost


@quantity("Labels in one pass", "$")
def one_pass_cost(labels_offline_cost, labels_output_scale, labels):
    """The prompt once, the outputs one after the other."""
    return at(labels_offline_cost, labels_output_scale, labels)


@quantity("Saved by one pass", "$")
def one_pass_saving(separate_labels_cost, one_pass_cost):
    """Prefill that is not repeated."""
    return separate_labels_cost - one_pass_cost


@quantity("Share saved by one pass", "%")
def one_pass_share(one_pass_saving, separate_labels_cost):
    """Of the passes apart."""
    return one_pass_saving / separate_labels_cost


@quantity("At the batch API", "$")
def batch_api_cost(offline_requests, sent_prompt_tokens, batch_input_price, answer_tokens, batch_output_price):
    """Every token as sent."""
    return offline_requests * (sent_prompt_tokens * batch_input_price + answer_tokens * batch_output_price)


@quantity("Saved against the batch API", "$")
def make_saving(batch_api_cost, offline_cost):
    """Negative when the API is cheaper."""
    return batch_api_cost - offline_cost


@check("Own GPUs are cheaper than the batch API", "the batch API is cheaper by {buy_saving}", "alert")
def make_pays(make_saving):
    return make_saving > 0


@quantity("Saved by the batch API", "$")
def buy_saving(make_saving):
    """0 when own GPUs are cheaper."""
    return most(0, -make_saving)


@quantity("Cheaper of the two", "$")
def corpus_bill(batch_api_cost, offline_cost):
    """What the project has to budget."""
    return least(batch_api_cost, offline_cost)


@check("Prefill is the bill", "decode costs more than prefill: {answer_tokens:0} of output against {equal_output:0}", "sensitivity")
def prefill_is_the_bill(output_tokens, equal_output):
    return output_tokens < equal_output
