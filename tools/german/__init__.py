"""German texts of kitchens with their programs, and how well the model learns to read them."""
