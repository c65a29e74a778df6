"""Language plans a team's work (SAMA, arXiv:2305.10865): a goal in words is cut into steps, each goes to a
member of the team, each step is known to be done when its checker saw it, and what fails changes the plan.

A step is a program of the game's declared language, said to one seat. What can be done is the game's to say
(engine.games.plans); who plans is a file of `planners`; `running` follows a plan through a game and renews
it. Not for what is in force in a log (engine.simulation.planned), nor for how a seat carries a step out
(engine.agents.acting).
"""
