"""The child process of `checkpoint`: loads a model, answers the questions on standard input, ends.

Input: one JSON object {"folder", "chats": [messages], "labels": [[label]]}. Output: JSON lines, {"weights":
[[one a label]], "tokens"} for the next so many questions in order, or {"trouble": sentence}. No code from the
folder is run, and only safetensors are loaded.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

BATCH = 16
# As models like to begin: alone, after a space, in small letters.
FORMS = ("{}", " {}")


def main() -> None:
    request = json.load(sys.stdin)
    try:
        answer(request["folder"], request["chats"], request["labels"])
    except ImportError:
        say(trouble="the package transformers is not installed; pip install 'coplay[language]' does it.")
    except Exception as problem:  # every library beneath has errors of its own
        lines = str(problem).strip().splitlines() or [type(problem).__name__]
        say(trouble=lines[0])


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def answer(folder: str, chats: list[list[dict[str, str]]], labels: list[list[str]]) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    careful = {"local_files_only": True, "trust_remote_code": False}
    words = AutoTokenizer.from_pretrained(folder, padding_side="left", **careful)
    model = AutoModelForCausalLM.from_pretrained(folder, use_safetensors=True, dtype="auto", **careful)
    model.requires_grad_(False).eval()
    if words.pad_token is None:
        words.pad_token = words.eos_token or words.convert_ids_to_tokens(0)
    for start in range(0, len(chats), BATCH):
        texts = [text(words, chat) for chat in chats[start : start + BATCH]]
        # A chat template writes the first special tokens itself.
        batch = words(texts, return_tensors="pt", padding=True, add_special_tokens=not words.chat_template)
        batch.pop("token_type_ids", None)
        shares = model(**batch, logits_to_keep=1).logits[:, -1].float().softmax(-1)
        ids = [first_tokens(words, some) for some in labels[start : start + BATCH]]
        weights = [[float(row[of].sum()) for of in some] for row, some in zip(shares, ids, strict=True)]
        say(weights=weights, tokens=int(batch["attention_mask"].sum()))


def text(words: Any, chat: list[dict[str, str]]) -> str:
    """What the model continues: by its chat template or, for models without one, plainly."""
    if words.chat_template:
        return words.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
    return "\n\n".join(message["content"] for message in chat) + "\n\nAnswer:"


def first_tokens(words: Any, labels: list[str]) -> list[list[int]]:
    """For each label the tokens that it may begin with, less those with which another begins too."""
    found = []
    for label in labels:
        forms = {form.format(word) for form in FORMS for word in (label, label.lower())}
        encoded = [words(form, add_special_tokens=False)["input_ids"] for form in forms]
        found.append({ids[0] for ids in encoded if ids})
    counts = Counter(token for ids in found for token in ids)
    own = [[token for token in ids if counts[token] == 1] for ids in found]
    if not all(own):
        raise ValueError(f"its tokenizer begins different answers of {', '.join(labels)} with one token.")
    return own


if __name__ == "__main__":
    main()
