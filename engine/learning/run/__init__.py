"""What runs a program: settings, the shell of trainings, checkpoints, reports, devices, several processes."""
