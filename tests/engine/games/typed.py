"""What the games here bring, against engine/brings.py: mypy checks every line. Not for running.

Made by `.venv/bin/python -m tools.game_parts --typed`.
"""

import engine.games.arena.bots as their_arena_bots
import engine.games.arena.cotraining as their_arena_goalspace
import engine.games.arena.evaluation.goals as their_arena_goals
import engine.games.arena.evaluation.leading as their_arena_leading
import engine.games.arena.evaluation.moments as their_arena_moments
import engine.games.arena.evaluation.obedience as their_arena_obedience
import engine.games.arena.evaluation.probes as their_arena_probes
import engine.games.arena.evaluation.progress as their_arena_progress
import engine.games.arena.evaluation.published as their_arena_published
import engine.games.arena.evaluation.squads as their_arena_squads
import engine.games.arena.evaluation.texts as their_arena_texts
import engine.games.arena.evaluation.told as their_arena_told
import engine.games.arena.experiments.hacking as their_arena_hacking
import engine.games.arena.experiments.rounds as their_arena_experiment
import engine.games.arena.features as their_arena_features
import engine.games.arena.first as their_arena_firstgame
import engine.games.arena.frames as their_arena_frames
import engine.games.arena.language as their_arena_reader
import engine.games.arena.language.carried as their_arena_carriedout
import engine.games.arena.language.declared as their_arena_language
import engine.games.arena.language.features as their_arena_readfeatures
import engine.games.arena.language.goal_texts as their_arena_goaltexts
import engine.games.arena.language.labels as their_arena_labels
import engine.games.arena.language.reasons as their_arena_reasons
import engine.games.arena.language.say as their_arena_say
import engine.games.arena.language.table as their_arena_table
import engine.games.arena.language.wants as their_arena_wants
import engine.games.arena.pages as their_arena_pagesof
import engine.games.arena.people as their_arena_recorded
import engine.games.arena.planning as their_arena_planning
import engine.games.arena.positions as their_arena_positions
import engine.games.arena.protocol as their_arena_protocol
import engine.games.arena.story as their_arena_story
import engine.games.arena.talk as their_arena_talking
import engine.games.arena.training as their_arena_training
import engine.games.arena.words as their_arena_words
import engine.games.frozen_lake_2.bots as their_frozen_lake_2_bots
import engine.games.frozen_lake_2.evaluation.moments as their_frozen_lake_2_moments
import engine.games.frozen_lake_2.evaluation.progress as their_frozen_lake_2_progress
import engine.games.frozen_lake_2.features as their_frozen_lake_2_features
import engine.games.frozen_lake_2.first as their_frozen_lake_2_firstgame
import engine.games.frozen_lake_2.language as their_frozen_lake_2_reader
import engine.games.frozen_lake_2.language.carried as their_frozen_lake_2_carriedout
import engine.games.frozen_lake_2.language.declared as their_frozen_lake_2_language
import engine.games.frozen_lake_2.language.reasons as their_frozen_lake_2_reasons
import engine.games.frozen_lake_2.language.say as their_frozen_lake_2_say
import engine.games.frozen_lake_2.pages as their_frozen_lake_2_pagesof
import engine.games.frozen_lake_2.planning as their_frozen_lake_2_planning
import engine.games.frozen_lake_2.positions as their_frozen_lake_2_positions
import engine.games.frozen_lake_2.story as their_frozen_lake_2_story
import engine.games.frozen_lake_2.training as their_frozen_lake_2_training
import engine.games.frozen_lake_2.view as their_frozen_lake_2_view
import engine.games.frozen_lake_2.words as their_frozen_lake_2_words
import engine.games.hanabi.bots as their_hanabi_bots
import engine.games.hanabi.evaluation.events as their_hanabi_events
import engine.games.hanabi.evaluation.moments as their_hanabi_moments
import engine.games.hanabi.evaluation.probes as their_hanabi_probes
import engine.games.hanabi.evaluation.progress as their_hanabi_progress
import engine.games.hanabi.evaluation.readings as their_hanabi_readings
import engine.games.hanabi.evaluation.told as their_hanabi_told
import engine.games.hanabi.experiments.hacking as their_hanabi_hacking
import engine.games.hanabi.experiments.rounds as their_hanabi_experiment
import engine.games.hanabi.features as their_hanabi_features
import engine.games.hanabi.first as their_hanabi_firstgame
import engine.games.hanabi.habits as their_hanabi_habits
import engine.games.hanabi.labels as their_hanabi_actionlabels
import engine.games.hanabi.language as their_hanabi_reader
import engine.games.hanabi.language.carried as their_hanabi_carriedout
import engine.games.hanabi.language.declared as their_hanabi_language
import engine.games.hanabi.language.features as their_hanabi_readfeatures
import engine.games.hanabi.language.labels as their_hanabi_labels
import engine.games.hanabi.language.say as their_hanabi_say
import engine.games.hanabi.language.table as their_hanabi_table
import engine.games.hanabi.language.trial as their_hanabi_trial
import engine.games.hanabi.pages as their_hanabi_pagesof
import engine.games.hanabi.people as their_hanabi_recorded
import engine.games.hanabi.people_features as their_hanabi_peoplefeatures
import engine.games.hanabi.positions as their_hanabi_positions
import engine.games.hanabi.public as their_hanabi_public
import engine.games.hanabi.story as their_hanabi_story
import engine.games.hanabi.training as their_hanabi_training
import engine.games.hanabi.view as their_hanabi_view
import engine.games.hanabi.words as their_hanabi_words
import engine.games.overcooked.bots as their_overcooked_bots
import engine.games.overcooked.evaluation.moments as their_overcooked_moments
import engine.games.overcooked.evaluation.obedience as their_overcooked_obedience
import engine.games.overcooked.evaluation.probes as their_overcooked_probes
import engine.games.overcooked.evaluation.progress as their_overcooked_progress
import engine.games.overcooked.evaluation.told as their_overcooked_told
import engine.games.overcooked.experiments.hacking as their_overcooked_hacking
import engine.games.overcooked.experiments.lost_score as their_overcooked_lostscore
import engine.games.overcooked.experiments.rounds as their_overcooked_experiment
import engine.games.overcooked.features as their_overcooked_features
import engine.games.overcooked.first as their_overcooked_firstgame
import engine.games.overcooked.habits as their_overcooked_habits
import engine.games.overcooked.language as their_overcooked_reader
import engine.games.overcooked.language.carried as their_overcooked_carriedout
import engine.games.overcooked.language.declared as their_overcooked_language
import engine.games.overcooked.language.features as their_overcooked_readfeatures
import engine.games.overcooked.language.labels as their_overcooked_labels
import engine.games.overcooked.language.reasons as their_overcooked_reasons
import engine.games.overcooked.language.say as their_overcooked_say
import engine.games.overcooked.language.table as their_overcooked_table
import engine.games.overcooked.pace as their_overcooked_pace
import engine.games.overcooked.pages as their_overcooked_pagesof
import engine.games.overcooked.people as their_overcooked_recorded
import engine.games.overcooked.people_features as their_overcooked_peoplefeatures
import engine.games.overcooked.planning as their_overcooked_planning
import engine.games.overcooked.positions as their_overcooked_positions
import engine.games.overcooked.public as their_overcooked_public
import engine.games.overcooked.story as their_overcooked_story
import engine.games.overcooked.training as their_overcooked_training
import engine.games.overcooked.words as their_overcooked_words
import engine.games.say_select.bots as their_say_select_bots
import engine.games.say_select.first as their_say_select_firstgame
import engine.games.say_select.pages as their_say_select_pagesof
import engine.games.say_select.policy_table as their_say_select_policytable
import engine.games.say_select.view as their_say_select_view
import engine.games.say_select.words as their_say_select_words
from engine import brings

arena_words = brings.Words()
arena_words.details = their_arena_words.details
arena_features = brings.Features()
arena_features.FEATURES_VERSION = their_arena_features.FEATURES_VERSION
arena_features.input_size = their_arena_features.input_size
arena_features.encode_many = their_arena_features.encode_many
arena_features.INPUT_NAMES = their_arena_features.INPUT_NAMES
arena_features.CHOICE_NAMES = their_arena_features.CHOICE_NAMES
arena_features.SEEN = their_arena_features.SEEN
arena_features.UNASKED = their_arena_features.UNASKED
arena_features.GOAL_SIZE = their_arena_features.GOAL_SIZE
arena_features.rated_size = their_arena_features.rated_size
arena_features.rated_many = their_arena_features.rated_many
arena_bots = brings.Bots()
arena_bots.BOTS_MANY = their_arena_bots.BOTS_MANY
arena_bots.REMEMBERS = their_arena_bots.REMEMBERS
arena_recorded = brings.Recorded()
arena_recorded.decided = their_arena_recorded.decided
arena_story = brings.Story()
arena_story.ALIKE = their_arena_story.ALIKE
arena_story.outcomes = their_arena_story.outcomes
arena_story.headline = their_arena_story.headline
arena_story.detail = their_arena_story.detail
arena_story.result = their_arena_story.result
arena_story.worth = their_arena_story.worth
arena_story.story = their_arena_story.story
arena_story.advice = their_arena_story.advice
arena_story.compared = their_arena_story.compared
arena_story.usually = their_arena_story.usually
arena_training = brings.Training()
arena_training.SETTINGS = their_arena_training.SETTINGS
arena_training.EPISODES = their_arena_training.EPISODES
arena_training.OPTIONS = their_arena_training.OPTIONS
arena_training.card = their_arena_training.card
arena_training.MEANING = their_arena_training.MEANING
arena_training.YARDSTICK = their_arena_training.YARDSTICK
arena_training.YARDSTICK_WORDS = their_arena_training.YARDSTICK_WORDS
arena_training.rewards = their_arena_training.rewards
arena_training.discounts = their_arena_training.discounts
arena_training.out = their_arena_training.out
arena_training.asking = their_arena_training.asking
arena_training.privileged = their_arena_training.privileged
arena_pagesof = brings.PagesOf()
arena_pagesof.PAGES = their_arena_pagesof.PAGES
arena_planning = brings.Planning()
arena_planning.world = their_arena_planning.world
arena_planning.things = their_arena_planning.things
arena_planning.GOAL = their_arena_planning.GOAL
arena_firstgame = brings.FirstGame()
arena_firstgame.FIRST = their_arena_firstgame.FIRST
arena_positions = brings.Positions()
arena_positions.MARKING = their_arena_positions.MARKING
arena_frames = brings.Frames()
arena_frames.record = their_arena_frames.record
arena_frames.states_of = their_arena_frames.states_of
arena_protocol = brings.Protocol()
arena_protocol.VERSION = their_arena_protocol.VERSION
arena_protocol.FROM_ABOVE = their_arena_protocol.FROM_ABOVE
arena_protocol.GRIEF_TICKS = their_arena_protocol.GRIEF_TICKS
arena_protocol.warm = their_arena_protocol.warm
arena_protocol.again = their_arena_protocol.again
arena_protocol.new_buffer = their_arena_protocol.new_buffer
arena_protocol.new_seen = their_arena_protocol.new_seen
arena_protocol.eyes_of = their_arena_protocol.eyes_of
arena_protocol.map_seed = their_arena_protocol.map_seed
arena_protocol.note_sight = their_arena_protocol.note_sight
arena_protocol.pack_snapshot = their_arena_protocol.pack_snapshot
arena_protocol.unpack_inputs = their_arena_protocol.unpack_inputs
arena_protocol.to_record = their_arena_protocol.to_record
arena_protocol.stamp = their_arena_protocol.stamp
arena_protocol.announced = their_arena_protocol.announced
arena_protocol.spoken_to = their_arena_protocol.spoken_to
arena_talking = brings.Talking()
arena_talking.Talk = their_arena_talking.Talk
arena_reader = brings.Reader()
arena_reader.prior = their_arena_reader.prior
arena_reader.priors = their_arena_reader.priors
arena_reader.goals = their_arena_reader.goals
arena_reader.progresses = their_arena_reader.progresses
arena_reader.remaining = their_arena_reader.remaining
arena_reader.defaults = their_arena_reader.defaults
arena_reader.LOOK_EVERY = their_arena_reader.LOOK_EVERY
arena_language = brings.Language()
arena_language.DECLARED = their_arena_language.DECLARED
arena_carriedout = brings.CarriedOut()
arena_carriedout.carried = their_arena_carriedout.carried
arena_carriedout.of_version_1 = their_arena_carriedout.of_version_1
arena_readfeatures = brings.ReadFeatures()
arena_readfeatures.NUM_FEATURES = their_arena_readfeatures.NUM_FEATURES
arena_readfeatures.FEATURES_VERSION = their_arena_readfeatures.FEATURES_VERSION
arena_readfeatures.features = their_arena_readfeatures.features
arena_say = brings.Say()
arena_say.sentence = their_arena_say.sentence
arena_say.CAN_READ = their_arena_say.CAN_READ
arena_say.PARTS = their_arena_say.PARTS
arena_labels = brings.Labels()
arena_labels.labels = their_arena_labels.labels
arena_labels.row_of = their_arena_labels.row_of
arena_labels.row = their_arena_labels.row
arena_labels.group = their_arena_labels.group
arena_table = brings.Table()
arena_table.observations = their_arena_table.observations
arena_table.actions = their_arena_table.actions
arena_table.answer = their_arena_table.answer
arena_wants = brings.Wants()
arena_wants.of_program = their_arena_wants.of_program
arena_wants.now = their_arena_wants.now
arena_wants.instead = their_arena_wants.instead
arena_reasons = brings.Reasons()
arena_reasons.why_not = their_arena_reasons.why_not
arena_goalspace = brings.GoalSpace()
arena_goalspace.SUBGOALS = their_arena_goalspace.SUBGOALS
arena_goalspace.TRACKED = their_arena_goalspace.TRACKED
arena_goalspace.over = their_arena_goalspace.over
arena_goalspace.ask = their_arena_goalspace.ask
arena_goalspace.measured = their_arena_goalspace.measured
arena_goalspace.gaps = their_arena_goalspace.gaps
arena_goalspace.contradicts = their_arena_goalspace.contradicts
arena_goaltexts = brings.GoalTexts()
arena_goaltexts.written = their_arena_goaltexts.written
arena_goaltexts.spoken = their_arena_goaltexts.spoken
arena_goaltexts.of_program = their_arena_goaltexts.of_program
arena_goaltexts.said = their_arena_goaltexts.said
arena_progress = brings.Progress()
arena_progress.MEASURES = their_arena_progress.MEASURES
arena_progress.OBEYED = their_arena_progress.OBEYED
arena_moments = brings.Moments()
arena_moments.weighed = their_arena_moments.weighed
arena_moments.effect = their_arena_moments.effect
arena_probes = brings.Probes()
arena_probes.PROBES = their_arena_probes.PROBES
arena_told = brings.Told()
arena_told.Counts = their_arena_told.Counts
arena_told.look = their_arena_told.look
arena_obedience = brings.Obedience()
arena_obedience.obedience = their_arena_obedience.obedience
arena_obedience.table = their_arena_obedience.table
arena_obedience.PARTNER = their_arena_obedience.PARTNER
arena_squads = brings.Squads()
arena_squads.squads = their_arena_squads.squads
arena_leading = brings.Leading()
arena_leading.seated = their_arena_leading.seated
arena_leading.led = their_arena_leading.led
arena_leading.lines = their_arena_leading.lines
arena_goals = brings.Goals()
arena_goals.goals = their_arena_goals.goals
arena_goals.lines = their_arena_goals.lines
arena_texts = brings.Texts()
arena_texts.texts = their_arena_texts.texts
arena_texts.lines = their_arena_texts.lines
arena_published = brings.Published()
arena_published.READERS = their_arena_published.READERS
arena_experiment = brings.Experiment()
arena_experiment.SETTINGS = their_arena_experiment.SETTINGS
arena_experiment.QUICK = their_arena_experiment.QUICK
arena_hacking = brings.Hacking()
arena_hacking.LOOPS = their_arena_hacking.LOOPS
arena_hacking.TICKS = their_arena_hacking.TICKS
arena_hacking.event = their_arena_hacking.event
frozen_lake_2_words = brings.Words()
frozen_lake_2_words.OPEN = their_frozen_lake_2_words.OPEN
frozen_lake_2_view = brings.View()
frozen_lake_2_view.watched = their_frozen_lake_2_view.watched
frozen_lake_2_features = brings.Features()
frozen_lake_2_features.FEATURES_VERSION = their_frozen_lake_2_features.FEATURES_VERSION
frozen_lake_2_features.input_size = their_frozen_lake_2_features.input_size
frozen_lake_2_features.encode_many = their_frozen_lake_2_features.encode_many
frozen_lake_2_bots = brings.Bots()
frozen_lake_2_bots.BOTS_MANY = their_frozen_lake_2_bots.BOTS_MANY
frozen_lake_2_story = brings.Story()
frozen_lake_2_story.headline = their_frozen_lake_2_story.headline
frozen_lake_2_story.result = their_frozen_lake_2_story.result
frozen_lake_2_story.story = their_frozen_lake_2_story.story
frozen_lake_2_story.advice = their_frozen_lake_2_story.advice
frozen_lake_2_training = brings.Training()
frozen_lake_2_training.EPISODES = their_frozen_lake_2_training.EPISODES
frozen_lake_2_training.OPTIONS = their_frozen_lake_2_training.OPTIONS
frozen_lake_2_training.card = their_frozen_lake_2_training.card
frozen_lake_2_training.MEANING = their_frozen_lake_2_training.MEANING
frozen_lake_2_training.UNIT = their_frozen_lake_2_training.UNIT
frozen_lake_2_pagesof = brings.PagesOf()
frozen_lake_2_pagesof.PAGES = their_frozen_lake_2_pagesof.PAGES
frozen_lake_2_planning = brings.Planning()
frozen_lake_2_planning.world = their_frozen_lake_2_planning.world
frozen_lake_2_planning.things = their_frozen_lake_2_planning.things
frozen_lake_2_planning.GOAL = their_frozen_lake_2_planning.GOAL
frozen_lake_2_firstgame = brings.FirstGame()
frozen_lake_2_firstgame.FIRST = their_frozen_lake_2_firstgame.FIRST
frozen_lake_2_positions = brings.Positions()
frozen_lake_2_positions.MARKING = their_frozen_lake_2_positions.MARKING
frozen_lake_2_reader = brings.Reader()
frozen_lake_2_reader.prior = their_frozen_lake_2_reader.prior
frozen_lake_2_reader.priors = their_frozen_lake_2_reader.priors
frozen_lake_2_reader.progresses = their_frozen_lake_2_reader.progresses
frozen_lake_2_reader.remaining = their_frozen_lake_2_reader.remaining
frozen_lake_2_language = brings.Language()
frozen_lake_2_language.DECLARED = their_frozen_lake_2_language.DECLARED
frozen_lake_2_carriedout = brings.CarriedOut()
frozen_lake_2_carriedout.carried = their_frozen_lake_2_carriedout.carried
frozen_lake_2_carriedout.never = their_frozen_lake_2_carriedout.never
frozen_lake_2_carriedout.of_version_1 = their_frozen_lake_2_carriedout.of_version_1
frozen_lake_2_say = brings.Say()
frozen_lake_2_say.sentence = their_frozen_lake_2_say.sentence
frozen_lake_2_say.CAN_READ = their_frozen_lake_2_say.CAN_READ
frozen_lake_2_say.PARTS = their_frozen_lake_2_say.PARTS
frozen_lake_2_reasons = brings.Reasons()
frozen_lake_2_reasons.why_not = their_frozen_lake_2_reasons.why_not
frozen_lake_2_progress = brings.Progress()
frozen_lake_2_progress.MEASURES = their_frozen_lake_2_progress.MEASURES
frozen_lake_2_progress.OBEYED = their_frozen_lake_2_progress.OBEYED
frozen_lake_2_moments = brings.Moments()
frozen_lake_2_moments.effect = their_frozen_lake_2_moments.effect
hanabi_words = brings.Words()
hanabi_words.details = their_hanabi_words.details
hanabi_words.OPEN = their_hanabi_words.OPEN
hanabi_view = brings.View()
hanabi_view.watched = their_hanabi_view.watched
hanabi_features = brings.Features()
hanabi_features.FEATURES_VERSION = their_hanabi_features.FEATURES_VERSION
hanabi_features.input_size = their_hanabi_features.input_size
hanabi_features.encode_many = their_hanabi_features.encode_many
hanabi_features.rated_size = their_hanabi_features.rated_size
hanabi_features.rated_many = their_hanabi_features.rated_many
hanabi_public = brings.Public()
hanabi_public.FEATURES_VERSION = their_hanabi_public.FEATURES_VERSION
hanabi_public.input_size = their_hanabi_public.input_size
hanabi_public.encode_many = their_hanabi_public.encode_many
hanabi_actionlabels = brings.ActionLabels()
hanabi_actionlabels.action_labels = their_hanabi_actionlabels.action_labels
hanabi_bots = brings.Bots()
hanabi_bots.BOTS_MANY = their_hanabi_bots.BOTS_MANY
hanabi_recorded = brings.Recorded()
hanabi_recorded.FORMATS = their_hanabi_recorded.FORMATS
hanabi_peoplefeatures = brings.PeopleFeatures()
hanabi_peoplefeatures.FEATURES_VERSION = their_hanabi_peoplefeatures.FEATURES_VERSION
hanabi_peoplefeatures.SIZE = their_hanabi_peoplefeatures.SIZE
hanabi_peoplefeatures.MEMORY = their_hanabi_peoplefeatures.MEMORY
hanabi_peoplefeatures.CONTEXT = their_hanabi_peoplefeatures.CONTEXT
hanabi_peoplefeatures.ALIKE = their_hanabi_peoplefeatures.ALIKE
hanabi_peoplefeatures.EACH = their_hanabi_peoplefeatures.EACH
hanabi_peoplefeatures.EXTRAS = their_hanabi_peoplefeatures.EXTRAS
hanabi_peoplefeatures.RELATED = their_hanabi_peoplefeatures.RELATED
hanabi_peoplefeatures.PERSONAS = their_hanabi_peoplefeatures.PERSONAS
hanabi_peoplefeatures.persona = their_hanabi_peoplefeatures.persona
hanabi_peoplefeatures.encode_many = their_hanabi_peoplefeatures.encode_many
hanabi_story = brings.Story()
hanabi_story.headline = their_hanabi_story.headline
hanabi_story.detail = their_hanabi_story.detail
hanabi_story.story = their_hanabi_story.story
hanabi_story.advice = their_hanabi_story.advice
hanabi_habits = brings.Habits()
hanabi_habits.habits = their_hanabi_habits.habits
hanabi_training = brings.Training()
hanabi_training.SETTINGS = their_hanabi_training.SETTINGS
hanabi_training.EPISODES = their_hanabi_training.EPISODES
hanabi_pagesof = brings.PagesOf()
hanabi_pagesof.PAGES = their_hanabi_pagesof.PAGES
hanabi_firstgame = brings.FirstGame()
hanabi_firstgame.FIRST = their_hanabi_firstgame.FIRST
hanabi_positions = brings.Positions()
hanabi_positions.MARKING = their_hanabi_positions.MARKING
hanabi_positions.PLAYING = their_hanabi_positions.PLAYING
hanabi_reader = brings.Reader()
hanabi_reader.prior = their_hanabi_reader.prior
hanabi_reader.progresses = their_hanabi_reader.progresses
hanabi_reader.remaining = their_hanabi_reader.remaining
hanabi_reader.softened = their_hanabi_reader.softened
hanabi_reader.ASKS = their_hanabi_reader.ASKS
hanabi_reader.Following = their_hanabi_reader.Following
hanabi_reader.asked_about = their_hanabi_reader.asked_about
hanabi_reader.NUM_QUESTIONS = their_hanabi_reader.NUM_QUESTIONS
hanabi_language = brings.Language()
hanabi_language.DECLARED = their_hanabi_language.DECLARED
hanabi_carriedout = brings.CarriedOut()
hanabi_carriedout.carried = their_hanabi_carriedout.carried
hanabi_carriedout.never = their_hanabi_carriedout.never
hanabi_carriedout.of_version_1 = their_hanabi_carriedout.of_version_1
hanabi_readfeatures = brings.ReadFeatures()
hanabi_readfeatures.NUM_FEATURES = their_hanabi_readfeatures.NUM_FEATURES
hanabi_readfeatures.FEATURES_VERSION = their_hanabi_readfeatures.FEATURES_VERSION
hanabi_readfeatures.features = their_hanabi_readfeatures.features
hanabi_say = brings.Say()
hanabi_say.sentence = their_hanabi_say.sentence
hanabi_say.CAN_READ = their_hanabi_say.CAN_READ
hanabi_say.PARTS = their_hanabi_say.PARTS
hanabi_labels = brings.Labels()
hanabi_labels.labels = their_hanabi_labels.labels
hanabi_labels.row_of = their_hanabi_labels.row_of
hanabi_table = brings.Table()
hanabi_table.observations = their_hanabi_table.observations
hanabi_table.actions = their_hanabi_table.actions
hanabi_table.answer = their_hanabi_table.answer
hanabi_trial = brings.Trial()
hanabi_trial.CONTEXT = their_hanabi_trial.CONTEXT
hanabi_trial.QUESTIONS = their_hanabi_trial.QUESTIONS
hanabi_progress = brings.Progress()
hanabi_progress.MEASURES = their_hanabi_progress.MEASURES
hanabi_progress.OBEYED = their_hanabi_progress.OBEYED
hanabi_moments = brings.Moments()
hanabi_moments.weighed = their_hanabi_moments.weighed
hanabi_moments.effect = their_hanabi_moments.effect
hanabi_probes = brings.Probes()
hanabi_probes.PROBES = their_hanabi_probes.PROBES
hanabi_told = brings.Told()
hanabi_told.Counts = their_hanabi_told.Counts
hanabi_told.SHARES = their_hanabi_told.SHARES
hanabi_events = brings.Events()
hanabi_events.judged = their_hanabi_events.judged
hanabi_readings = brings.Readings()
hanabi_readings.MAIN = their_hanabi_readings.MAIN
hanabi_readings.EXACT = their_hanabi_readings.EXACT
hanabi_readings.FIGURES = their_hanabi_readings.FIGURES
hanabi_readings.of_program = their_hanabi_readings.of_program
hanabi_readings.right = their_hanabi_readings.right
hanabi_readings.counts = their_hanabi_readings.counts
hanabi_readings.baselines = their_hanabi_readings.baselines
hanabi_readings.beside = their_hanabi_readings.beside
hanabi_experiment = brings.Experiment()
hanabi_experiment.SETTINGS = their_hanabi_experiment.SETTINGS
hanabi_experiment.QUICK = their_hanabi_experiment.QUICK
hanabi_hacking = brings.Hacking()
hanabi_hacking.LOOPS = their_hanabi_hacking.LOOPS
hanabi_hacking.TICKS = their_hanabi_hacking.TICKS
hanabi_hacking.event = their_hanabi_hacking.event
overcooked_words = brings.Words()
overcooked_words.OPEN = their_overcooked_words.OPEN
overcooked_features = brings.Features()
overcooked_features.FEATURES_VERSION = their_overcooked_features.FEATURES_VERSION
overcooked_features.input_size = their_overcooked_features.input_size
overcooked_features.encode_many = their_overcooked_features.encode_many
overcooked_features.rated_size = their_overcooked_features.rated_size
overcooked_features.rated_many = their_overcooked_features.rated_many
overcooked_public = brings.Public()
overcooked_public.FEATURES_VERSION = their_overcooked_public.FEATURES_VERSION
overcooked_public.input_size = their_overcooked_public.input_size
overcooked_public.encode_many = their_overcooked_public.encode_many
overcooked_bots = brings.Bots()
overcooked_bots.BOTS_MANY = their_overcooked_bots.BOTS_MANY
overcooked_recorded = brings.Recorded()
overcooked_recorded.FORMATS = their_overcooked_recorded.FORMATS
overcooked_peoplefeatures = brings.PeopleFeatures()
overcooked_peoplefeatures.FEATURES_VERSION = their_overcooked_peoplefeatures.FEATURES_VERSION
overcooked_peoplefeatures.SIZE = their_overcooked_peoplefeatures.SIZE
overcooked_peoplefeatures.MEMORY = their_overcooked_peoplefeatures.MEMORY
overcooked_peoplefeatures.CONTEXT = their_overcooked_peoplefeatures.CONTEXT
overcooked_peoplefeatures.ALIKE = their_overcooked_peoplefeatures.ALIKE
overcooked_peoplefeatures.EACH = their_overcooked_peoplefeatures.EACH
overcooked_peoplefeatures.EXTRAS = their_overcooked_peoplefeatures.EXTRAS
overcooked_peoplefeatures.RELATED = their_overcooked_peoplefeatures.RELATED
overcooked_peoplefeatures.PERSONAS = their_overcooked_peoplefeatures.PERSONAS
overcooked_peoplefeatures.persona = their_overcooked_peoplefeatures.persona
overcooked_peoplefeatures.encode_many = their_overcooked_peoplefeatures.encode_many
overcooked_pace = brings.Pace()
overcooked_pace.PLAYERS = their_overcooked_pace.PLAYERS
overcooked_pace.NEWS = their_overcooked_pace.NEWS
overcooked_pace.done = their_overcooked_pace.done
overcooked_pace.retold = their_overcooked_pace.retold
overcooked_pace.news = their_overcooked_pace.news
overcooked_pace.outdated = their_overcooked_pace.outdated
overcooked_story = brings.Story()
overcooked_story.headline = their_overcooked_story.headline
overcooked_story.story = their_overcooked_story.story
overcooked_story.advice = their_overcooked_story.advice
overcooked_habits = brings.Habits()
overcooked_habits.habits = their_overcooked_habits.habits
overcooked_training = brings.Training()
overcooked_training.SETTINGS = their_overcooked_training.SETTINGS
overcooked_training.EPISODES = their_overcooked_training.EPISODES
overcooked_training.card = their_overcooked_training.card
overcooked_training.elsewhere = their_overcooked_training.elsewhere
overcooked_training.MEANING = their_overcooked_training.MEANING
overcooked_training.UNIT = their_overcooked_training.UNIT
overcooked_pagesof = brings.PagesOf()
overcooked_pagesof.PAGES = their_overcooked_pagesof.PAGES
overcooked_planning = brings.Planning()
overcooked_planning.world = their_overcooked_planning.world
overcooked_planning.things = their_overcooked_planning.things
overcooked_planning.GOAL = their_overcooked_planning.GOAL
overcooked_firstgame = brings.FirstGame()
overcooked_firstgame.FIRST = their_overcooked_firstgame.FIRST
overcooked_positions = brings.Positions()
overcooked_positions.MARKING = their_overcooked_positions.MARKING
overcooked_reader = brings.Reader()
overcooked_reader.prior = their_overcooked_reader.prior
overcooked_reader.priors = their_overcooked_reader.priors
overcooked_reader.progresses = their_overcooked_reader.progresses
overcooked_reader.remaining = their_overcooked_reader.remaining
overcooked_reader.Following = their_overcooked_reader.Following
overcooked_language = brings.Language()
overcooked_language.DECLARED = their_overcooked_language.DECLARED
overcooked_carriedout = brings.CarriedOut()
overcooked_carriedout.carried = their_overcooked_carriedout.carried
overcooked_carriedout.never = their_overcooked_carriedout.never
overcooked_carriedout.of_version_1 = their_overcooked_carriedout.of_version_1
overcooked_readfeatures = brings.ReadFeatures()
overcooked_readfeatures.NUM_FEATURES = their_overcooked_readfeatures.NUM_FEATURES
overcooked_readfeatures.FEATURES_VERSION = their_overcooked_readfeatures.FEATURES_VERSION
overcooked_readfeatures.features = their_overcooked_readfeatures.features
overcooked_say = brings.Say()
overcooked_say.sentence = their_overcooked_say.sentence
overcooked_say.CAN_READ = their_overcooked_say.CAN_READ
overcooked_say.PARTS = their_overcooked_say.PARTS
overcooked_labels = brings.Labels()
overcooked_labels.labels = their_overcooked_labels.labels
overcooked_labels.row_of = their_overcooked_labels.row_of
overcooked_labels.group = their_overcooked_labels.group
overcooked_table = brings.Table()
overcooked_table.observations = their_overcooked_table.observations
overcooked_table.actions = their_overcooked_table.actions
overcooked_table.answer = their_overcooked_table.answer
overcooked_reasons = brings.Reasons()
overcooked_reasons.why_not = their_overcooked_reasons.why_not
overcooked_progress = brings.Progress()
overcooked_progress.MEASURES = their_overcooked_progress.MEASURES
overcooked_progress.OBEYED = their_overcooked_progress.OBEYED
overcooked_moments = brings.Moments()
overcooked_moments.effect = their_overcooked_moments.effect
overcooked_probes = brings.Probes()
overcooked_probes.PROBES = their_overcooked_probes.PROBES
overcooked_told = brings.Told()
overcooked_told.Counts = their_overcooked_told.Counts
overcooked_obedience = brings.Obedience()
overcooked_obedience.obedience = their_overcooked_obedience.obedience
overcooked_obedience.table = their_overcooked_obedience.table
overcooked_obedience.PARTNER = their_overcooked_obedience.PARTNER
overcooked_experiment = brings.Experiment()
overcooked_experiment.SETTINGS = their_overcooked_experiment.SETTINGS
overcooked_experiment.QUICK = their_overcooked_experiment.QUICK
overcooked_lostscore = brings.LostScore()
overcooked_lostscore.BY = their_overcooked_lostscore.BY
overcooked_hacking = brings.Hacking()
overcooked_hacking.LOOPS = their_overcooked_hacking.LOOPS
overcooked_hacking.TICKS = their_overcooked_hacking.TICKS
overcooked_hacking.event = their_overcooked_hacking.event
say_select_words = brings.Words()
say_select_words.question = their_say_select_words.question
say_select_view = brings.View()
say_select_view.watched = their_say_select_view.watched
say_select_bots = brings.Bots()
say_select_bots.BOTS_MANY = their_say_select_bots.BOTS_MANY
say_select_policytable = brings.PolicyTable()
say_select_policytable.policy_table = their_say_select_policytable.policy_table
say_select_pagesof = brings.PagesOf()
say_select_pagesof.PAGES = their_say_select_pagesof.PAGES
say_select_firstgame = brings.FirstGame()
say_select_firstgame.FIRST = their_say_select_firstgame.FIRST
