"""The Django project: `config` and one app a concern."""
