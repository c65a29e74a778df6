"""What stands behind `engine.language.decide`: questions, prompts, the models that answer, and what is
remembered.

`questions` says what may be asked and what comes back, `prompt` writes it down for a language model,
`embedded`, `endpoint` and `checkpoint` answer, `memory` keeps answers on disk, `settings` says who is asked.
Nothing here imports torch or Django.
"""
