"""Tracers of other projects, by their own names: change one import line and their calls arrive at Rollscope."""
