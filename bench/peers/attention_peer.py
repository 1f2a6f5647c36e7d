# SPDX-License-Identifier: GPL-3.0-or-later
"""Times other libraries' attention for `attn bench --peer-python PYTHON`.

Writes {"torch": "2.x", ...}, the libraries found, then answers every line of standard input, one case as
JSON, with {"seconds": median of at least 5 runs} or {"refused": why}. Ends where its input ends.

torch         scaled_dot_product_attention, the flash kernel for the CPU. A ragged batch is one call per
              sequence, as there is no packed form. Keys and values of a decode are contiguous, not paged.
onnxruntime   com.microsoft.GroupQueryAttention, f32, batches of equal lengths. Past and present share memory.
"""
import json
import sys
import time


def median_seconds(run, min_time_s):
    run()
    seconds = []
    began = time.perf_counter()
    while len(seconds) < 5 or time.perf_counter() - began < min_time_s:
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[len(seconds) // 2]


def all_equal(values):
    return all(value == values[0] for value in values)


# Decodes use several copies of the operands: they should come from memory, not from the processor's caches.
def copies_for(bytes_of_one, is_prefill):
    return 1 if is_prefill else max(1, min(64, (512 << 20) // max(1, bytes_of_one)))


class Torch:
    def __init__(self):
        import torch

        self.torch = torch
        self.version = torch.__version__

    def operands(self, case, batch, query_len, kv_len):
        torch = self.torch
        dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[case["dtype"]]

        def random(heads, length):
            return (torch.rand(batch, heads, length, case["head_size"]) * 2 - 1).to(dtype)

        return (random(case["num_heads"], query_len), random(case["num_kv_heads"], kv_len),
                random(case["num_kv_heads"], kv_len))

    def measure(self, case):
        torch = self.torch
        torch.set_num_threads(case["threads"])
        lengths = list(zip(case["query_lens"], case["context_lens"]))
        if all_equal(lengths):
            groups = [(len(lengths), *lengths[0])]
        else:
            groups = [(1, *length) for length in lengths]
        element = 4 if case["dtype"] == "f32" else 2
        keys = sum(batch * (query_len + context_len) for batch, query_len, context_len in groups)
        size = 2 * keys * case["num_kv_heads"] * case["head_size"] * element
        copies = copies_for(size, case["is_prefill"])
        calls = []
        for batch, query_len, context_len in groups:
            kv_len = query_len + context_len
            is_causal = case["is_prefill"] and context_len == 0
            mask = None
            if case["is_prefill"] and context_len > 0:
                mask = torch.ones(query_len, kv_len, dtype=torch.bool).tril(context_len)
            sets = [self.operands(case, batch, query_len, kv_len)]
            sets += [tuple(x.clone() for x in sets[0]) for _ in range(copies - 1)]
            calls.append((sets, is_causal, mask))
        grouped = case["num_heads"] != case["num_kv_heads"]
        count = [0]

        def run():
            count[0] += 1
            for sets, is_causal, mask in calls:
                query, key, value = sets[count[0] % len(sets)]
                torch.nn.functional.scaled_dot_product_attention(
                    query, key, value, attn_mask=mask, is_causal=is_causal, enable_gqa=grouped)

        with torch.no_grad():
            return median_seconds(run, case["min_time_s"])


class OnnxRuntime:
    def __init__(self):
        import numpy
        import onnx
        import onnxruntime

        self.numpy, self.onnx, self.runtime = numpy, onnx, onnxruntime
        self.version = onnxruntime.__version__

    def session(self, case):
        helper, kind = self.onnx.helper, self.onnx.TensorProto
        names = ["query", "key", "value", "past_key", "past_value"]
        node = helper.make_node(
            "GroupQueryAttention", names + ["seqlens_k", "total_sequence_length"],
            ["output", "present_key", "present_value"], domain="com.microsoft",
            num_heads=case["num_heads"], kv_num_heads=case["num_kv_heads"])
        inputs = [helper.make_tensor_value_info(n, kind.FLOAT, None) for n in names]
        inputs += [helper.make_tensor_value_info(n, kind.INT32, None)
                   for n in ("seqlens_k", "total_sequence_length")]
        outputs = [helper.make_tensor_value_info(n, kind.FLOAT, None)
                   for n in ("output", "present_key", "present_value")]
        model = helper.make_model(helper.make_graph([node], "attention", inputs, outputs),
                                  opset_imports=[helper.make_opsetid("", 17),
                                                 helper.make_opsetid("com.microsoft", 1)])
        model.ir_version = 8
        options = self.runtime.SessionOptions()
        options.intra_op_num_threads = case["threads"]
        options.inter_op_num_threads = 1
        return self.runtime.InferenceSession(model.SerializeToString(), options,
                                             providers=["CPUExecutionProvider"])

    def measure(self, case):
        numpy = self.numpy
        if case["dtype"] != "f32" or not all_equal(case["query_lens"]) or not all_equal(case["context_lens"]):
            raise ValueError("f32 and batches of equal lengths only")
        query_len, context_len = case["query_lens"][0], case["context_lens"][0]
        batch, total = len(case["query_lens"]), query_len + context_len
        if case["is_prefill"] and context_len > 0 and batch > 1:
            raise ValueError("a cut prompt in a batch of one only")
        heads, kv_heads, size = case["num_heads"], case["num_kv_heads"], case["head_size"]
        random = numpy.random.default_rng(1)

        def numbers(*shape):
            return random.random(shape, dtype=numpy.float32) * 2 - 1

        def value(array):
            return self.runtime.OrtValue.ortvalue_from_numpy(array)

        session = self.session(case)
        cache_bytes = 2 * batch * kv_heads * total * size * 4
        bindings = []
        for _ in range(copies_for(cache_bytes, case["is_prefill"])):
            key, values = value(numbers(batch, kv_heads, total, size)), value(numbers(batch, kv_heads, total, size))
            operands = {
                "query": value(numbers(batch, query_len, heads * size)),
                "key": value(numbers(batch, query_len, kv_heads * size)),
                "value": value(numbers(batch, query_len, kv_heads * size)),
                "past_key": key, "past_value": values,
                "seqlens_k": value(numpy.full(batch, total - 1, dtype=numpy.int32)),
                "total_sequence_length": value(numpy.array(total, dtype=numpy.int32)),
            }
            binding = session.io_binding()
            for name, operand in operands.items():
                binding.bind_ortvalue_input(name, operand)
            binding.bind_ortvalue_output("output", value(numbers(batch, query_len, heads * size)))
            binding.bind_ortvalue_output("present_key", key)
            binding.bind_ortvalue_output("present_value", values)
            bindings.append((binding, operands))
        count = [0]

        def run():
            count[0] += 1
            session.run_with_iobinding(bindings[count[0] % len(bindings)][0])

        return median_seconds(run, case["min_time_s"])


def main():
    peers = {}
    for name, kind in (("torch", Torch), ("onnxruntime", OnnxRuntime)):
        try:
            peers[name] = kind()
        except ImportError:
            pass
    print(json.dumps({name: peer.version for name, peer in peers.items()}), flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = {"seconds": peers[case["peer"]].measure(case)}
        except Exception as error:  # for example a refusal of the library
            answer = {"refused": str(error)}
            print(f"{case['peer']}: {error}", file=sys.stderr)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
