"""The parts behind `engine.language.decide`: questions, prompts, the models that answer, and kept answers.

`questions` defines what may be asked and the form of answers, `prompt` writes questions for a language model,
`embedded`, `endpoint` and `checkpoint` answer, `chat` gets a text from an endpoint, `memory` keeps answers on
disk, `settings` chooses the model.
Nothing here imports torch or Django.
"""
