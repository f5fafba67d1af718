"""Encodings of boards as text, of which links consist. They know neither types nor the language."""
