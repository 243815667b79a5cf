"""Tide tables from harmonic constituents."""
