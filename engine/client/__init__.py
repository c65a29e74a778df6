"""Programs that play over the network, as browsers do: the connection to a match, an example bot, a window.

For anybody who writes a client or an agent of their own (docs/protocol.md); nothing of the server is
imported.
"""
