"""Whether an episode's log is whole and its row says the same. Not for: how logs are checked (the engine's
log)."""

from __future__ import annotations

from engine.refusal import Refusal
from engine.simulation.log import resimulate, verify
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store


def problems_of(episode: Episode) -> list[str]:
    """Sentences about what is wrong: no log, a torn or changed one, or a row that tells another game. Never
    raises: whatever is wrong with one episode, others wait to be checked.
    """
    try:
        return _problems_of(episode)
    except FileNotFoundError:
        return ["There is no log."]
    except Refusal as error:
        return [str(error)]
    except OSError as error:
        return [f"The log can't be read: {error.strerror or error}."]
    except Exception as error:
        return [f"The log can't be checked ({type(error).__name__}: {error})."]


def _problems_of(episode: Episode) -> list[str]:
    log = log_store().read(episode.pk)
    if log.header.get("episode") != str(episode.pk):
        return [f"The log is of another episode, {log.header.get('episode')}."]
    problems = list(verify(log))
    if problems or episode.status == Episode.RUNNING:
        return problems
    last = resimulate(log)
    if last.tick != episode.ticks:
        problems.append(f"The log has {last.tick} ticks, the row says {episode.ticks}.")
    if episode.digest and last.digest() != episode.digest:
        problems.append("The last state has another digest than the row says.")
    if episode.status == Episode.FINISHED and episode.score is not None and last.score != episode.score:
        problems.append(f"The log ends with {last.score} points, the row says {episode.score:g}.")
    return problems
