"""Run an experiment: every setting with every seed, two at a time, each in its own process.

    python -m engine.experiments.prove --experiment lost-score --seeds 5 [--quick] [--out FOLDER]

A stopped run continues where it was. The rows are in FOLDER/NAME (by default below var/experiments); the
table, intervals and controls in docs/results/NAME.json and NAME.png. A quick run, or one of fewer seeds than
a result has, writes those to its own folder. Each row has its settings and its commit, machine and seconds.
Rows that a result has already, of other settings or seeds, are kept and summarised again with the new ones
if the same commit made them with the same settings: so --only runs one setting, and --first 106 goes on
with further seeds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine import command_line, experiments
from engine.agents.files import write_atomically
from engine.experiments import provenance
from engine.experiments.figures import drawn
from engine.experiments.work import Work
from engine.learning.run.reporting import STOPPED, Stopped

ROOT = provenance.ROOT
RESULTS, WORKING = ROOT / "docs" / "results", ROOT / "var" / "experiments"
SEEDS = 5
"""How many a result has at least, unless its setting says how many in "seeds"."""
TUNING = 6
"""The seed on which an experiment's settings are chosen; its results are made without it."""


def seeds_of(count: int, first: int = 1) -> list[int]:
    """The seeds of results: `count` from `first` on, without the tuning seed."""
    return [seed for seed in range(first, first + count + 1) if seed != TUNING][:count]


def row_folder(out: Path, setting: str, seed: int) -> Path:
    """The folder of the steps of one seed."""
    return out / f"{setting}-{seed}"


def run_row(name: str, setting: str, seed: int, quick: bool, out: Path) -> int:
    """One seed of one setting in this process; returns the exit status."""
    import signal

    import torch

    torch.set_num_threads(1)
    asked, parent = False, os.getppid()

    def stop(*_: Any) -> None:
        nonlocal asked
        asked = True

    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, stop)

    def stopping() -> bool:
        """Whether to leave: asked to, or left alone by a parent that was killed."""
        return asked or os.getppid() != parent

    experiment = experiments.find(name)
    chosen = next(row for row in experiments.settings(name, quick) if row["name"] == setting)
    folder = row_folder(out, setting, seed)
    work = Work(folder, lambda text: print(f"{setting} {seed}: {text}", flush=True), stopping)
    provenance.commit()  # as it is now that this code has been read
    try:
        result = experiment.run(chosen, seed, quick, work)
    except Stopped:
        return STOPPED
    write_atomically(folder / "row.json", json.dumps({**result, "made": work.made}, indent=1).encode())
    return 0


def prove(
    name: str,
    seeds: list[int],
    quick: bool = False,
    out: Path | None = None,
    only: str = "",
    at_once: int = 2,
    tell: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Run what is missing, and summarise; returns the content of docs/results. Raises ValueError with a
    sentence, and Stopped when interrupted.
    """
    experiment = experiments.find(name)
    settings = [setting for setting in experiments.settings(name, quick) if only in ("", setting["name"])]
    if not settings:
        known = ", ".join(setting["name"] for setting in experiments.settings(name, quick))
        raise ValueError(f"{name} has no setting {only!r}; it has {known}.")
    out = (out or WORKING / (f"{name}-quick" if quick else name)).resolve()
    todo = [(setting["name"], seed) for seed in seeds for setting in settings]
    for setting, seed, status, texts in _children(name, todo, quick, out, at_once, tell):
        if status:
            raise ValueError(f"{name} in {setting} with seed {seed} failed: {texts}")
    asked = {
        setting["name"]: json.loads(json.dumps(setting)) for setting in experiments.settings(name, quick)
    }
    met = _met(experiment, settings, seeds, quick, out)
    rows = [{**_row(out, setting, seed, met), "asked": asked[setting]} for setting, seed in sorted(todo)]
    whole = not quick and all(len(seeds) >= setting.get("seeds", SEEDS) for setting in settings)
    folder = RESULTS if whole else out
    if whole:
        rows += _others(folder / f"{name}.json", asked, rows)
        rows.sort(key=lambda row: (row["setting"], row["seed"]))
    result = {
        "experiment": name,
        "claim": " ".join((experiment.__doc__ or "").split("\n\n")[0].split()),
        "annotators": getattr(experiment, "ANNOTATORS", "simulated"),
        "quick": quick,
        "seeds": sorted({row["seed"] for row in rows}),
        "command": "; ".join(one + " --quick" * quick for one in _commands(name, rows, len(asked))),
        "made": provenance.together(row.get("made", {}) for row in rows),
        "not_run": [each for each in asked if each not in {row["setting"] for row in rows}],
        **experiment.summary(rows, quick),
        "rows": rows,
    }
    result["holds"] = result["holds"] and not result["not_run"]
    result["outcome"] = outcome(result)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"{name}.json", (json.dumps(result, indent=1) + "\n").encode())
    drawn(experiment, result, folder / f"{name}.png")
    tell(f"{folder / name}.json and .png")
    return result


def outcome(result: dict[str, Any]) -> str:
    """What came out, in a sentence or two, so that nobody takes the claim for it."""
    if result["holds"]:
        return "It holds."
    missed = {
        name: [what for what, met in row.get("met", {}).items() if not met]
        for name, row in result.get("settings", {}).items()
        if not row.get("holds", True)
    }
    parts = ["; ".join(filter(None, (name, *texts))) for name, texts in missed.items()]
    said = f"It isn't shown in {' | '.join(parts)}." if parts else "It isn't shown."
    one = " One seed has no interval, so nothing could be." if len(result["seeds"]) == 1 else ""
    left = f" Not run: {', '.join(result['not_run'])}." if result["not_run"] else ""
    return said + one + left


def _commands(name: str, rows: list[dict[str, Any]], settings: int) -> list[str]:
    """Those that make the rows: one for seeds that follow each other, of one setting or of all `settings`."""
    blocks: dict[tuple[int, ...], list[str]] = {}
    for setting in dict.fromkeys(row["setting"] for row in rows):
        for block in _blocks(sorted(row["seed"] for row in rows if row["setting"] == setting)):
            blocks.setdefault(block, []).append(setting)
    return [
        _command(name, [*block], only)
        for block, some in blocks.items()
        for only in ([""] if len(some) == settings else some)
    ]


def _blocks(seeds: list[int]) -> Iterator[tuple[int, ...]]:
    """The seeds in parts that `seeds_of` gives."""
    while seeds:
        follow = (count for count in range(2, len(seeds) + 1) if seeds_of(count, seeds[0]) == seeds[:count])
        count = max(follow, default=1)
        yield tuple(seeds[:count])
        seeds = seeds[count:]


def _command(name: str, seeds: list[int], only: str) -> str:
    where = f" --only {only}" if only else ""
    if len(seeds) > 1:
        first = f" --first {seeds[0]}" if seeds[0] != 1 else ""
        return f"manage.py rounds prove --experiment {name} --seeds {len(seeds)}{first}{where}"
    return f"python -m engine.experiments.prove --experiment {name} --seed {seeds[0]}{where}"


def _met(
    experiment: Any, settings: list[dict[str, Any]], seeds: list[int], quick: bool, out: Path
) -> dict[tuple[str, int], dict[str, Any]]:
    """Results of agents of several seeds with each other and what `made` them, by setting and seed, if the
    experiment has a `meet`.
    """
    if not hasattr(experiment, "meet"):
        return {}
    result = {}
    for setting in settings:
        rows = {seed: row_folder(out, setting["name"], seed) for seed in seeds}
        work = Work(out / f"{setting['name']}-met")
        met = experiment.meet(setting, rows, quick, work)
        made = {**work.made, "seconds": work.made["seconds"] / len(seeds)}
        result |= {(setting["name"], seed): {**row, "made": made} for seed, row in met.items()}
    return result


def _row(out: Path, setting: str, seed: int, met: dict[tuple[str, int], dict[str, Any]]) -> dict[str, Any]:
    """One seed's row with what its agents did with those of other seeds."""
    own = json.loads((row_folder(out, setting, seed) / "row.json").read_text())
    others = met.get((setting, seed), {})
    made = provenance.together(part.get("made", {}) for part in (own, others) if part)
    return {"setting": setting, "seed": seed, **own, **others, "made": made}


def _others(
    result: Path, asked: dict[str, dict[str, Any]], new: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The rows that a result has beside `new` ones, of the same commit and with the settings `asked` now."""
    commits = {row["made"]["commit"] for row in new} - {provenance.UNKNOWN}
    have = {(row["setting"], row["seed"]) for row in new}
    return [
        row
        for row in (json.loads(result.read_text())["rows"] if result.exists() else ())
        if row["asked"] == asked.get(row["setting"])
        and row.get("made", {}).get("commit") in commits
        and (row["setting"], row["seed"]) not in have
    ]


def _children(
    name: str, todo: list[tuple[str, int]], quick: bool, out: Path, at_once: int, tell: Callable[[str], None]
) -> Iterator[tuple[str, int, int, str]]:
    """Run the rows in their own processes; yields (setting, seed, status, last line of output) of each that
    ends. All are stopped when the caller stops reading.
    """
    waiting, running = list(todo), {}
    out.mkdir(parents=True, exist_ok=True)
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                setting, seed = waiting.pop(0)
                words = out / f"{setting}-{seed}.log"
                command = [sys.executable, "-m", "engine.experiments.prove", "--experiment", name]
                command += ["--row", setting, "--seed", str(seed), "--out", str(out)] + ["--quick"] * quick
                with words.open("a") as log:
                    child = subprocess.Popen(
                        command,
                        cwd=ROOT,
                        stdout=log,
                        stderr=log,
                        env={**os.environ, "OMP_NUM_THREADS": "1"},
                    )
                running[child] = setting, seed, words
            time.sleep(0.2)
            for child in [process for process in running if process.poll() is not None]:
                setting, seed, words = running.pop(child)
                lines = words.read_text().splitlines()
                texts = lines[-1] if lines else ""
                tell(f"{name}: {setting}, seed {seed}: {'done' if not child.returncode else texts}")
                yield setting, seed, child.returncode, texts
    finally:
        for child in running:
            child.terminate()
        for child in running:
            child.wait()


def main(argv: list[str] | None = None) -> int:
    parser = command_line.Parser(prog="python -m engine.experiments.prove")
    parser.add_argument("--experiment", required=True, choices=experiments.names())
    parser.add_argument("--seeds", type=command_line.whole(2, 10), default=5)
    parser.add_argument("--first", type=command_line.seed, default=1, help="the first of the seeds")
    parser.add_argument("--seed", type=command_line.seed, help="this one alone")
    parser.add_argument("--only", type=command_line.name, default="", help="one of the settings")
    parser.add_argument("--row", type=command_line.name, default="", help="one setting, in this process")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=command_line.new_folder)
    args = parser.parse_args(argv)
    try:
        if args.row:
            return run_row(args.experiment, args.row, args.seed, args.quick, args.out)
        seeds = [args.seed] if args.seed else seeds_of(args.seeds, args.first)
        result = prove(args.experiment, seeds, args.quick, args.out, args.only)
    except Stopped:
        return STOPPED
    except (ValueError, OSError) as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        return 1
    print("\n".join([*result["table"], result["outcome"]]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
