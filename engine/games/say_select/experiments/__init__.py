"""What experiments need to know of Say-Select."""
