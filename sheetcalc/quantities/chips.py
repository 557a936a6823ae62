"""What one GPU is: looked up in the catalogue by its name, and by the format that is worked in."""

from sheetcalc.model import check, quantity
from sheetcalc.operations import at, both, either, if_, known, same


@quantity("Memory of a GPU", "GB")
def hbm_catalogue(gpu_hbm, gpu_name, gpu):
    """HBM as the vendor's data sheet gives it (1 GB is 1e9 B)."""
    return at(gpu_hbm, gpu_name, gpu)


@quantity("Memory bandwidth of a GPU", "TB/s")
def bandwidth_catalogue(gpu_bandwidth, gpu_name, gpu):
    """HBM bandwidth, data sheet."""
    return at(gpu_bandwidth, gpu_name, gpu)


@quantity("Link bandwidth of a GPU, one direction", "GB/s")
def link_bandwidth_catalogue(gpu_link, gpu_name, gpu):
    """Scale-up link, one direction, data sheet."""
    return at(gpu_link, gpu_name, gpu)


@quantity("Rental price of a GPU", "$/h")
def gpu_hour_price_catalogue(gpu_price_low, gpu_name, gpu):
    """Low end of published rental prices (decision 7)."""
    return at(gpu_price_low, gpu_name, gpu)


@quantity("Peak in BF16, dense", "TFLOP/s")
def peak_bf16(gpu_peak_bf16, gpu_name, gpu):
    """Dense peak, data sheet (without sparsity)."""
    return at(gpu_peak_bf16, gpu_name, gpu)


@quantity("Peak in FP8, dense", "TFLOP/s")
def peak_fp8(gpu_peak_fp8, gpu_name, gpu):
    """Dense peak, data sheet (without sparsity)."""
    return at(gpu_peak_fp8, gpu_name, gpu)


@quantity("Peak in FP4, dense", "TFLOP/s")
def peak_fp4(gpu_peak_fp4, gpu_name, gpu):
    """Dense peak, data sheet (without sparsity)."""
    return at(gpu_peak_fp4, gpu_name, gpu)


@quantity("Bytes per weight of the format", "B")
def bytes_per_weight_catalogue(format_bytes_per_weight, format_name, weight_format):
    """Bytes per parameter including scales (decision 8)."""
    return at(format_bytes_per_weight, format_name, weight_format)


@quantity("Format of the matrix products, by the weights", "")
def compute_format_of_weights(format_compute, format_name, weight_format):
    """The format in which tensor cores multiply when weights are kept in `weight_format`."""
    return at(format_compute, format_name, weight_format)


@quantity("Format of the matrix products", "")
def compute_format_catalogue(compute_format_of_weights, peak_fp8, peak_fp4):
    """A GPU without that format widens the weights and multiplies in BF16 (FP8 on A100, FP4 on Hopper)."""
    return if_(
        either(
            both(same(compute_format_of_weights, "FP8"), known(peak_fp8)), both(same(compute_format_of_weights, "FP4"), known(peak_fp4))
        ),
        compute_format_of_weights,
        "BF16",
    )


@quantity("Bytes per KV element of the format", "B")
def bytes_per_kv_catalogue(format_bytes_per_kv, format_name, kv_format):
    """Bytes per element of the KV cache."""
    return at(format_bytes_per_kv, format_name, kv_format)


@quantity("Peak of the format in the catalogue", "TFLOP/s")
def peak_of_format(compute_format, peak_fp8, peak_fp4, peak_bf16):
    """Peak of the format that the matrix products run in."""
    return if_(same(compute_format, "FP8"), peak_fp8, if_(same(compute_format, "FP4"), peak_fp4, peak_bf16))


@check(
    "The GPU multiplies in this format",
    "the GPU has no tensor peak for this weight format; choose another weight_format, or type peak_compute",
)
def format_supported(peak_compute):
    return known(peak_compute)


@quantity("Peak of the attention format in the catalogue", "TFLOP/s")
def attention_peak_catalogue(attention_format, peak_fp8, peak_bf16):
    """Attention runs in its own format (decision 4)."""
    return if_(same(attention_format, "FP8"), peak_fp8, peak_bf16)
