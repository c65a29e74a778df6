"""The games, who plays them and how they learn. Imports neither Django nor Celery."""
