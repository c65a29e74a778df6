"""Instructions read as sub-goals of Table 7 of the OpenContra paper, and these told back.

`names` holds the table in short codes; `cut` takes an instruction apart, `reading` explains its pieces with
the lines of the `.rules` files (by what they are about, written in the groups of words of `macros`), `say`
tells the result. Not for what today's agents do (clauses, next door).
"""
