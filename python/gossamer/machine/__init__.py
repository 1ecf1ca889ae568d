"""Machines, graphs laid over them, the memory both take, and what calls keep for later ones."""

from __future__ import annotations

from .machine import Device, Link, Machine, chosen_machine, laid_out, machine_of

__all__ = ["Device", "Link", "Machine", "chosen_machine", "laid_out", "machine_of"]
