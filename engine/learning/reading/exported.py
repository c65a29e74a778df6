"""Write the model that reads (engine.learning.reading.programs) as engine.language.model runs it: its weights
as one file of safetensors, 8 bits with a scale a row, and two ONNX graphs that take them from there by
name: a text's vectors to its states, and one token to what comes next.

`export` needs the package onnx, which running the model doesn't. The graphs change only with the code of the
networks, not with the weights: other weights for the graphs that ship are written without it (`rewritten`).
"""

from __future__ import annotations

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import save
from torch import Tensor, nn

from engine.agents.files import write_atomically
from engine.language import encoder
from engine.language.languages import declared_languages
from engine.language.model import FILE, GRAPHS, TURNED, WORDS
from engine.language.vocabulary import COPIES, Vocabulary
from engine.learning.reading.networks import HEADS, LAYERS, WIDTH, Writer

LEAST = 64
"""Smaller arrays stay in the graph."""
QUANTISED, SCALES, ZERO = "_quantized", "_scale", "_zero_point"
"""How the names end of the three arrays of a matrix in 8 bits, which has a scale for each column."""
TURNINGS = (TURNED, "_Transposed")
"""What the graphs' tools put before that where a matrix has rows for columns."""


class _Encoder(nn.Module):
    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self.writer = writer

    def forward(self, words: Tensor) -> tuple[Tensor, Tensor]:
        states = self.writer.encoder.states(words, torch.ones(words.shape[:2], dtype=torch.bool))
        return states, torch.stack([layer.text(states) for layer in self.writer.stack])


class _Decoder(nn.Module):
    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self.writer = writer

    def forward(
        self, states: Tensor, known: Tensor, copies: Tensor, token: Tensor, past: Tensor
    ) -> tuple[Tensor, Tensor]:
        own, written = self.writer, []
        hidden = own.tokens(token) + own.places(torch._shape_as_tensor(past)[4])
        there = torch.ones(states.shape[:2], dtype=torch.bool)
        for number, layer in enumerate(own.stack):
            hidden, after = layer(hidden, known[number], there, past[number])
            written.append(after)
        return own.logits(own.norm(hidden), states, copies), torch.stack(written)


def export(writer: Writer, folder: Path, about: dict[str, Any]) -> None:
    """Write FILE and GRAPHS into a folder. `about`: what the card says."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = _weights(writer)
    arrays = graphs(writer, weights, folder)
    taken = {graph: sorted(own) for graph, own in arrays.items()}
    every = {name: value for own in arrays.values() for name, value in own.items()}
    known = {WORDS, *map(_weight, every)}
    every |= {name: value for name, value in weights.items() if name not in known}
    every = {
        name: value.astype(np.float16) if value.dtype == np.float32 and value.ndim == 2 else value
        for name, value in every.items()
    }
    every |= {WORDS + end: _array(WORDS + end, weights) for end in (QUANTISED, SCALES)}
    metadata = {"reader": json.dumps({"graphs": taken, "tokens": writer.vocabulary.names, "card": about})}
    write_atomically(folder / FILE, save(every, metadata))


def rewritten(writer: Writer, path: Path, about: dict[str, Any]) -> None:
    """Write the weights of networks like those that ship as a file that runs with the graphs that ship: the
    same arrays with other values. `about`: what the card says. Raises ValueError where the shipped file has
    an array that the networks haven't.
    """
    shipped, its = encoder.load(encoder.FOLDER / FILE)
    weights = _weights(writer)
    arrays = {
        name: np.ascontiguousarray(_array(name, weights).astype(old.dtype)) for name, old in shipped.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    its |= {"tokens": writer.vocabulary.names, "card": about}
    write_atomically(path, save(arrays, {"reader": json.dumps(its)}))


def _weights(writer: Writer) -> dict[str, np.ndarray]:
    """All weights by the names that the arrays' begin with."""
    return {f"writer.{name}": value.detach().numpy() for name, value in writer.eval().named_parameters()}


def _array(name: str, weights: dict[str, np.ndarray]) -> np.ndarray:
    """An array of the file, by its name there."""
    if name in weights:
        return weights[name]
    for end in (QUANTISED, SCALES, ZERO):
        for turning in (*TURNINGS, ""):
            matrix = weights.get(name.removesuffix(turning + end))
            if name.endswith(turning + end) and matrix is not None:
                scale = np.maximum(np.abs(matrix).max(1), 1e-8) / 127
                small = np.rint(matrix / scale[:, None]).astype(np.int8)
                small = small.T if turning else small
                return {QUANTISED: small, SCALES: scale, ZERO: np.zeros(len(scale))}[end]
    raise ValueError(f"The networks have no weight for {name}.")


def taken_up(folder: Path) -> Writer:
    """The networks of the files in a folder, to train them further on the languages of all games: weights as
    they are run, in 8 bits; tokens that are new begin as those of new networks. Raises ValueError where the
    files are missing or of another kind.
    """
    arrays, about = encoder.load(folder / FILE)
    vocabulary = Vocabulary(declared_languages(), about["tokens"])
    names = {_weight(name) for name in arrays}
    large = {name.removeprefix("writer."): _float(arrays, name) for name in names}
    before = "encoder.values."
    writer = Writer({name.removeprefix(before): large[name] for name in large if before in name}, vocabulary)
    begun = writer.tokens.weight.detach().clone()
    writer.load_state_dict(
        writer.state_dict() | {name: torch.from_numpy(value) for name, value in large.items()}
    )
    pairs = zip(vocabulary.names, about["tokens"], strict=True)
    new = [at for at, (name, before) in enumerate(pairs) if name != before]
    with torch.no_grad():
        writer.tokens.weight[new] = begun[new]
    return writer.eval()


def _weight(name: str) -> str:
    """Which weight an array is, by its name."""
    for end in (QUANTISED, SCALES, ZERO, *TURNINGS):
        name = name.removesuffix(end)
    return name


def _float(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A weight by its name, as the networks have it."""
    if name in arrays:
        return arrays[name].astype(np.float32)
    for turning in (*TURNINGS, ""):
        small = arrays.get(f"{name}{turning}{QUANTISED}")
        if small is not None:
            scale = arrays[f"{name}{turning}{SCALES}"][:, None]
            return ((small.T if turning else small) * scale).astype(np.float32)
    raise ValueError(f"There is no weight {name} in {FILE}.")


def graphs(writer: Writer, weights: dict[str, np.ndarray], folder: Path) -> dict[str, dict[str, np.ndarray]]:
    """Write the graphs without their arrays; those of each, by file."""
    states = torch.zeros(1, 9, WIDTH)
    written = {
        "states": states,
        "known": torch.zeros(LAYERS, 1, 9, 2 * WIDTH),
        "copies": torch.full((1, COPIES), -1),
        "token": torch.zeros(1, 1, dtype=torch.long),
        "past": torch.zeros(LAYERS, 2, 1, HEADS, 3, WIDTH // HEADS),
    }
    wanted = (
        (_Encoder(writer), {"words": states}, ["states", "known"]),
        (_Decoder(writer), written, ["logits", "after"]),
    )
    variable = {"words": 1, "states": 1, "known": 2, "past": 4, "after": 4}
    found = {}
    for (graph, given, outs), name in zip(wanted, GRAPHS, strict=True):
        axes = {one: {variable[one]: f"{one}_count"} for one in (*given, *outs) if one in variable}
        with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = Path(place) / name
            torch.onnx.export(
                graph,
                tuple(given.values()),
                str(whole),
                input_names=list(given),
                output_names=outs,
                dynamic_axes=axes,
                dynamo=False,
                opset_version=17,
            )
            found[name] = _emptied(whole, folder / name, weights)
    return found


def _emptied(whole: Path, out: Path, weights: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Write a graph with 8-bit matrices and without its large arrays, which are named by the weights that
    they are.
    """
    import onnx
    from onnx import numpy_helper
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model, renamed = onnx.load(whole), {}
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.size >= LEAST:
            renamed[tensor.name] = _named(values, weights)
            tensor.name = renamed[tensor.name]
    for node in model.graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]
    onnx.save(model, whole)
    quantize_dynamic(
        whole, out, op_types_to_quantize=["MatMul", "Gemm"], weight_type=QuantType.QInt8, per_channel=True
    )
    model, arrays = onnx.load(out), {}
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if not tensor.name.startswith("writer."):
            continue
        arrays[tensor.name] = np.ascontiguousarray(values)
        tensor.ClearField("raw_data")
        tensor.ClearField("float_data")
        tensor.ClearField("int32_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="weights")
    out.write_bytes(model.SerializeToString())
    return arrays


def _named(values: np.ndarray, weights: dict[str, np.ndarray]) -> str:
    """The name of a weight, with TURNED where the graph has it with rows for columns."""
    for name, weight in weights.items():
        if weight.shape == values.shape and np.array_equal(weight, values):
            return name
        if weight.ndim == 2 and weight.T.shape == values.shape and np.array_equal(weight.T, values):
            return name + TURNED
    raise ValueError(f"An array of shape {values.shape} is none of the weights.")
