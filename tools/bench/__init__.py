"""`manage.py bench`: a file for each thing that is measured; `command.py` is the command."""
