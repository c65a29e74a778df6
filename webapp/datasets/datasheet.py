"""The README.md of a snapshot: what is in it, how it was made, what it is not good for."""

from __future__ import annotations

import json
from typing import Any

from webapp.datasets.tables import TABLES


def credit(source: dict[str, Any]) -> str:
    """What has to be told of people's games from elsewhere."""
    year = f", {source['year']}" if source["year"] else ""
    return f"""
**Games of people from elsewhere** (`source` is people): {source["title"]}{year}, {source["url"]}.
{source["attribution"]} Licence: {source["licence"]} {source["licence_url"]}
Changed: {source["changed"]}
"""


def datasheet(manifest: dict[str, Any]) -> str:
    counts = manifest["counts"]
    simulated = (
        f"**Part of this data is simulated**: {counts['simulated_episodes']} episodes that agents played "
        f"alone and {counts['simulated_marks']} marks that a program made. The column `simulated` says which."
        if manifest["has_simulated"]
        else "All episodes were played by people and all marks were made by people."
    )
    if counts["free_marks"]:
        simulated += (
            f" {counts['free_marks']} marks were made freely, on episodes that nobody had handed to their "
            "annotators (the column `free`): they chose what to mark, so these are no fair sample."
        )
    if counts["people_episodes"]:
        simulated += f" {counts['people_episodes']} of the episodes were played elsewhere; who did is below."
    if left_out := manifest.get("left_out"):
        named = "; ".join(f"{episode}: {sentence}" for episode, sentence in left_out.items())
        simulated += f"\n\n**Left out**, since their logs are damaged: {named}"
    credits = "".join(credit(one) for one in manifest["sources"])
    rows = "\n".join(f"| `tables/{name}.parquet` | {title} |" for name, (title, _) in TABLES.items())
    return f"""# A snapshot of {manifest["game"]}

{counts["episodes"]} episodes ({counts["steps"]} ticks) with {counts["marks"]} marks
({counts["progress"]} progress, {counts["regression"]} regression) by {counts["raters"]} annotators.

{simulated}
{credits}
## What is in it

| file | one row |
|---|---|
{rows}
| `episodes/<number>.jsonl` | a record of an episode's log (many a file); re-simulated it gives every state |
| `schema.json` | JSON schema of the tables |
| `manifest.json` | size and sha256 of every file |

## How it was made

Chosen by these filters, at one moment; later changes to marks are not in it.

```json
{json.dumps(manifest["filters"], indent=2)}
```

Ticks are integers and count joint steps. A mark at tick t is about the move that led to the state at tick t.
The table `episodes` says where each log lies (`log`, `offset`, `bytes`). Its lines of type `step` have every
action, and in games in real time who chose it (`by`): a co-pilot may have taken an agent's place, an agent
may have been late, and a seat may have been empty. `ticks_per_second` is the clock that it was played by.

## People

People are pseudonyms; the names, addresses and private notes of people are not in it. Instructions and
utterances are what players typed, and may say things about people; those of agents are made by the game.
Somebody who withdraws is named by pseudonym: delete their rows and every agent trained on them (an agent's
page lists the snapshot behind it).

## Load it

`./manage.py datasets import FILE.zip` into another Coplay, or any parquet reader for the tables.
"""
