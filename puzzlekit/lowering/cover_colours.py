"""An exact cover without colours, for engines that know none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from puzzlekit.lowering.cover import PLAIN, Cover


def colours_to_items(cover: Cover, pause: Callable[[], None] = lambda: None) -> Cover:
    """Compile colours away, for engines that have none.

    Needs:  an exact cover in which every coloured item is coloured by some option of every cover, and every option covers a
            primary item.
    Leaves: one whose items carry no colour; its options begin with those of `cover`, and its covers, cut down to them, are
            the covers of `cover`, one to one. An item's colours become options of a new primary item. Options that share
            their first primary item exclude each other: for each such group that colours the item, the option for colour a
            covers the items (group, b) of every other colour b, and an option of the group with colour b covers (group, b).
    """
    plain = cover.colour == PLAIN
    parts = [(cover.option[plain], cover.item[plain])]
    first = cover.item[cover.starts[:-1]]  # entries are sorted by item within an option, primary ones first
    items, options = cover.items, cover.options
    primaries: list[int] = []
    for coloured in np.unique(cover.item[~plain]):
        pause()
        here = cover.item == coloured
        users, colours = cover.option[here], cover.colour[here]
        groups, kinds = np.unique(first[users]), np.unique(colours)
        if len(groups) == 1:
            continue
        chooser = items
        primaries.append(chooser)
        number = items + 1 + np.arange(len(groups) * len(kinds)).reshape(len(groups), len(kinds))
        items += 1 + number.size
        parts.append((users, number[np.searchsorted(groups, first[users]), np.searchsorted(kinds, colours)]))
        for kind in range(len(kinds)):
            others = np.delete(number, kind, axis=1).ravel()
            covered = np.append(others, chooser)
            parts.append((np.full(len(covered), options), covered))
            options += 1
    option = np.concatenate([part[0] for part in parts])
    item = np.concatenate([part[1] for part in parts])
    order_of = np.arange(items)
    chosen = set(primaries)
    later = [number for number in range(cover.primary, items) if number not in chosen]
    order_of[[*range(cover.primary), *primaries, *later]] = np.arange(items)
    item = order_of[item]
    order = np.lexsort((item, option))
    colour = np.full(len(option), PLAIN)
    return Cover(cover.primary + len(primaries), items, options, option[order], item[order], colour)
