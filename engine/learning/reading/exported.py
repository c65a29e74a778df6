"""Write the model that reads (engine.learning.reading.programs) as engine.language.model runs it: its weights
as one file of safetensors, 8 bits with a scale a row, and three ONNX graphs that take them from there by
name.

Needs the package onnx, which running the model doesn't. The graphs change only with the code of the networks,
not with the weights.
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
from engine.language.vocabulary import COPIES, Vocabulary
from engine.learning.reading.judged import Judge
from engine.learning.reading.networks import WIDTH, Writer

LEAST = 64
"""Smaller arrays stay in the graph."""


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

    def forward(self, states: Tensor, copies: Tensor, written: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.writer.hidden(states, torch.ones(states.shape[:2], dtype=torch.bool), written)
        return self.writer.logits(hidden, states, copies), hidden


class _Judge(nn.Module):
    def __init__(self, judge: Judge) -> None:
        super().__init__()
        self.judge = judge

    def forward(self, states: Tensor, hidden: Tensor) -> Tensor:
        there = torch.ones(states.shape[:2], dtype=torch.bool)
        return self.judge(hidden, torch.ones(hidden.shape[:2], dtype=torch.bool), states, there)


def export(writer: Writer, judge: Judge, folder: Path, about: dict[str, Any]) -> None:
    """Write FILE and GRAPHS into a folder. `about`: what the card says."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {f"writer.{name}": value.detach().numpy() for name, value in writer.eval().named_parameters()}
    weights |= {f"judge.{name}": value.detach().numpy() for name, value in judge.eval().named_parameters()}
    arrays = graphs(writer, judge, weights, folder)
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


def taken_up(folder: Path) -> tuple[Writer, Judge]:
    """The networks of the files in a folder, to train them further: weights as they are run, in 8 bits.
    Raises ValueError where the files are missing, of another kind, or of other languages.
    """
    arrays, about = encoder.load_as_is(folder / FILE)
    published, _ = encoder.load(encoder.FOLDER / meaning.FILE)
    writer, judge = Writer(published, Vocabulary(declared_languages())), Judge()
    if writer.vocabulary.names != about["tokens"]:
        raise ValueError(f"{folder / FILE} was trained for other languages than the games declare.")
    named = {f"writer.{name}": value for name, value in writer.named_parameters()}
    named |= {f"judge.{name}": value for name, value in judge.named_parameters()}
    with torch.no_grad():
        for name, weight in named.items():
            if not name.startswith(FROZEN):
                weight.copy_(torch.from_numpy(_float(arrays, name)))
    return writer.eval(), judge.eval()


def _float(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A weight by its name, as the networks have it."""
    if name in arrays:
        return arrays[name].astype(np.float32)
    ends = [end for end in (TURNED, "_Transposed") if f"{name}{end}_quantized" in arrays]
    if not ends:
        raise ValueError(f"There is no weight {name} in {FILE}.")
    turned = name + ends[0]
    return (arrays[f"{turned}_quantized"] * arrays[f"{turned}_scale"]).T.astype(np.float32)


def graphs(
    writer: Writer, judge: Judge, weights: dict[str, np.ndarray], folder: Path
) -> dict[str, dict[str, np.ndarray]]:
    """Write the graphs without their arrays; those of each, by file."""
    states, hidden = torch.zeros(1, 9, WIDTH), torch.zeros(1, 4, WIDTH)
    written = {
        "states": states,
        "copies": torch.full((1, COPIES), -1),
        "written": torch.zeros(1, 4, dtype=torch.long),
    }
    wanted = (
        (_Encoder(writer), {"words": states}, ["states"]),
        (_Decoder(writer), written, ["logits", "hidden"]),
        (_Judge(judge), {"states": states, "hidden": hidden}, ["judged"]),
    )
    found = {}
    for (graph, given, outs), name in zip(wanted, GRAPHS, strict=True):
        axes = {one: {1: "tokens"} for one in (*given, *outs) if one not in ("copies", "judged")}
        axes |= {one: {1: "written"} for one in ("written", "hidden", "logits") if one in axes}
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
        if not tensor.name.startswith(("writer.", "judge.")):
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
