"""Write the model that reads (engine.learning.reading.programs) as engine.language.model runs it: its weights
as one file of safetensors, 8 bits with a scale a row, and two ONNX graphs that take them from there by
name.

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
from engine.language import encoder, meaning
from engine.language.languages import declared_languages
from engine.language.model import FILE, FROZEN, GRAPHS, TURNED
from engine.language.vocabulary import COPIES, Vocabulary, start
from engine.learning.reading.networks import WIDTH, Writer

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

    def forward(self, words: Tensor) -> Tensor:
        return self.writer.encoder.states(words, torch.ones(words.shape[:2], dtype=torch.bool))


class _Decoder(nn.Module):
    def __init__(self, writer: Writer) -> None:
        super().__init__()
        self.writer = writer

    def forward(self, states: Tensor, copies: Tensor, written: Tensor) -> Tensor:
        return self.writer(states, torch.ones(states.shape[:2], dtype=torch.bool), copies, written)


def export(writer: Writer, folder: Path, about: dict[str, Any]) -> None:
    """Write FILE and GRAPHS into a folder. `about`: what the card says."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = _weights(writer)
    arrays = graphs(writer, weights, folder)
    taken = {graph: sorted(own) for graph, own in arrays.items()}
    every = {
        name: value for own in arrays.values() for name, value in own.items() if not name.startswith(FROZEN)
    }
    vectors = {
        name: value for name, value in weights.items() if value.ndim < 2 and not name.startswith(FROZEN)
    }
    every = vectors | every  # equal ones have one name in the graphs
    every = {
        name: value.astype(np.float16) if value.dtype == np.float32 and value.ndim == 2 else value
        for name, value in every.items()
    }
    metadata = {"reader": json.dumps({"graphs": taken, "tokens": writer.vocabulary.names, "card": about})}
    write_atomically(folder / FILE, save(every, metadata))


def rewritten(writer: Writer, path: Path, about: dict[str, Any]) -> None:
    """Write the weights of networks like those that ship as a file that runs with the graphs that ship: the
    same arrays with other values. `about`: what the card says. Raises ValueError where the shipped file has
    an array that the networks haven't.
    """
    shipped, its = encoder.load_as_is(encoder.FOLDER / FILE)
    weights = _weights(writer)
    arrays = {
        name: np.ascontiguousarray(_array(name, weights).astype(old.dtype)) for name, old in shipped.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, save(arrays, {"reader": json.dumps({**its, "card": about})}))


def _weights(writer: Writer) -> dict[str, np.ndarray]:
    """All weights by the names that the arrays' begin with."""
    return {f"writer.{name}": value.detach().numpy() for name, value in writer.eval().named_parameters()}


def _array(name: str, weights: dict[str, np.ndarray]) -> np.ndarray:
    """An array of the file, by its name there."""
    if name in weights:
        return weights[name]
    for turning in TURNINGS:
        for end in (QUANTISED, SCALES, ZERO):
            matrix = weights.get(name.removesuffix(turning + end))
            if name.endswith(turning + end) and matrix is not None:
                scale = np.maximum(np.abs(matrix).max(1), 1e-8) / 127
                small = np.rint(matrix / scale[:, None]).T
                return {QUANTISED: small, SCALES: scale, ZERO: np.zeros(len(scale))}[end]
    raise ValueError(f"The networks have no weight for {name}.")


def taken_up(folder: Path) -> Writer:
    """The networks of the files in a folder, to train them further: weights as they are run, in 8 bits.
    Raises ValueError where the files are missing, of another kind, or of other languages.
    """
    arrays, about = encoder.load_as_is(folder / FILE)
    published, _ = encoder.load(encoder.FOLDER / meaning.FILE)
    known = [declared for declared in declared_languages() if start(declared.game) in about["tokens"]]
    writer = Writer(published, Vocabulary(known))
    if writer.vocabulary.names != about["tokens"]:
        raise ValueError(f"{folder / FILE} was trained for other languages than the games declare.")
    with torch.no_grad():
        for name, weight in writer.named_parameters():
            if not f"writer.{name}".startswith(FROZEN):
                weight.copy_(torch.from_numpy(_float(arrays, f"writer.{name}")))
    return writer.eval()


def _float(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A weight by its name, as the networks have it."""
    if name in arrays:
        return arrays[name].astype(np.float32)
    ends = [end for end in TURNINGS if f"{name}{end}{QUANTISED}" in arrays]
    if not ends:
        raise ValueError(f"There is no weight {name} in {FILE}.")
    turned = name + ends[0]
    return (arrays[f"{turned}{QUANTISED}"] * arrays[f"{turned}{SCALES}"]).T.astype(np.float32)


def graphs(writer: Writer, weights: dict[str, np.ndarray], folder: Path) -> dict[str, dict[str, np.ndarray]]:
    """Write the graphs without their arrays; those of each, by file."""
    states = torch.zeros(1, 9, WIDTH)
    written = {
        "states": states,
        "copies": torch.full((1, COPIES), -1),
        "written": torch.zeros(1, 4, dtype=torch.long),
    }
    wanted = (
        (_Encoder(writer), {"words": states}, ["states"]),
        (_Decoder(writer), written, ["logits"]),
    )
    found = {}
    for (graph, given, outs), name in zip(wanted, GRAPHS, strict=True):
        axes = {one: {1: "tokens"} for one in (*given, *outs) if one != "copies"}
        axes |= {one: {1: "written"} for one in ("written", "logits") if one in axes}
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
