"""Programs that play over the network, as browsers do: the line to a match, a bot to begin from, a window.

For whoever brings a client or an agent of their own (docs/protocol.md); nothing of the server is imported.
"""
