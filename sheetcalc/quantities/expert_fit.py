"""How many nodes an instance of a mixture of experts needs, by four criteria. Source: calculators B (d)."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import both, count, either, first, most, same, when


@quantity("GPUs", "")
def fit_gpus(node_count, gpus_per_node):
    return node_count * gpus_per_node


@quantity("Weights of a GPU", "GB")
def fit_weights(expert_bytes, fit_gpus, replicated_bytes):
    """Bytes: experts shared out, the rest copied."""
    return expert_bytes / fit_gpus + replicated_bytes


@quantity("Left for the cache on a GPU", "GB")
def fit_kv_room(usable_memory, fit_weights):
    """Bytes; negative when the weights do not fit."""
    return usable_memory - fit_weights


@quantity("Context tokens of a GPU", "tok")
def fit_tokens(fit_kv_room, latent_kv_per_token):
    return most(fit_kv_room / latent_kv_per_token, 0)


@quantity("Context tokens of the whole instance, tensor parallel", "tok")
def fit_tensor_tokens(usable_memory, moe_weight_bytes, fit_gpus, latent_kv_per_token):
    """All weights shared out, the latent copied to every GPU."""
    return most((usable_memory - moe_weight_bytes / fit_gpus) / latent_kv_per_token, 0)


@quantity("The bytes fit the memory", "")
def fit_raw(moe_weight_bytes, fit_gpus, hbm):
    return moe_weight_bytes <= fit_gpus * hbm


@quantity("The bytes fit what the engine may use", "")
def fit_usable(moe_weight_bytes, fit_gpus, usable_memory):
    return moe_weight_bytes <= fit_gpus * usable_memory


@quantity("The longest sequence fits each GPU", "")
def fit_longest(fit_tokens, longest_context):
    return fit_tokens >= longest_context


@quantity("… on a node count that halves evenly", "")
def fit_whole(fit_tokens, longest_context, power_of_two_only, halves_evenly):
    return both(fit_tokens >= longest_context, either(same(power_of_two_only, 0), same(halves_evenly, 1)))


@quantity("The longest sequence fits, tensor parallel", "")
def fit_tensor(fit_tensor_tokens, longest_context, power_of_two_only, halves_evenly):
    return both(fit_tensor_tokens >= longest_context, either(same(power_of_two_only, 0), same(halves_evenly, 1)))


@quantity("Nodes by raw bytes", "")
def nodes_raw(fit_raw, node_count):
    return first(fit_raw, node_count)


@quantity("Nodes by usable bytes", "")
def nodes_usable(fit_usable, node_count):
    return first(fit_usable, node_count)


@quantity("Nodes for one longest sequence on each GPU", "")
def nodes_longest(fit_longest, node_count):
    return first(fit_longest, node_count)


@quantity("Layouts that hold it", "")
def fitting_layouts(fit_whole, node_count):
    return count(fit_whole, node_count)


@check("A node count holds the build", "no node count in the table holds this build with one sequence of {longest_context} on each GPU")
def build_fits(fitting_layouts):
    return fitting_layouts > 0


@quantity("Nodes of an instance", "")
def instance_nodes(build_fits, fit_whole, node_count):
    """The first node count that meets every criterion."""
    return when(build_fits, first(fit_whole, node_count))


@quantity("Nodes, tensor parallel", "")
def nodes_tensor(fit_tensor, node_count):
    return first(fit_tensor, node_count)


@quantity("GPUs of an instance", "")
def instance_gpus(instance_nodes, gpus_per_node):
    return instance_nodes * gpus_per_node


@quantity("Left for the cache on a GPU of the instance", "GB")
def instance_kv_room(usable_memory, expert_bytes, instance_gpus, replicated_bytes):
    """Bytes."""
    return usable_memory - expert_bytes / instance_gpus - replicated_bytes
