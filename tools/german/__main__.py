"""German, tried as data alone: the model that reads is trained on 700 German texts of kitchens, beside texts
that it knows, and reads 130 of another hand. Nothing is kept.

    python -m tools.german      # minutes on one core
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import torch

from engine import brings
from engine.evaluation import messy
from engine.language import encoder
from engine.language.declared import parse
from engine.language.languages import declared_languages
from engine.language.model import Model
from engine.learning.reading import exported, material, programs
from engine.learning.reading.material import Material, Sample

GAME, EPOCHS, BESIDE = "overcooked", 12, 1
"""BESIDE: texts that it knows for each German one."""
HERE = Path(__file__).parent


def main() -> None:
    torch.set_num_threads(1)
    declared, languages = brings.Language.of(GAME).DECLARED, declared_languages()
    lines = (line.split("\t") for line in (HERE / "phrasings.tsv").read_text(encoding="utf-8").splitlines())
    german = [Sample(GAME, text, parse(declared, program.split(" || ")[0])) for program, text, _ in lines]
    known = material.of(languages)
    some = known.samples[:: max(1, len(known.samples) // (BESIDE * len(german)))]
    wishes = {**known.wishes, GAME: [sample for sample in german if material.asks(sample)]}
    learned = Material([*german, *some], known.labelled, wishes, known.around)
    writer = programs.train(exported.taken_up(encoder.FOLDER), learned, EPOCHS, seed=0, warm=20)
    with tempfile.TemporaryDirectory() as folder:
        exported.rewritten(writer, Path(folder) / "own.safetensors", {})
        model = Model(languages, weights=Path(folder) / "own.safetensors")
        held = messy.load(declared, HERE / "held.tsv")
        read = [(item, model.read(GAME, item.text)[0].clauses) for item in held]
    right = sum(messy.is_right(declared, *pair) for pair in read)
    print(f"{len(held)} German texts: F1 {messy.f1(read):.3f}, {right} programs right")


if __name__ == "__main__":
    main()
