"""The sub-goals of Table 7 of the OpenContra paper: their names (`names`), and in words (`say`)."""
