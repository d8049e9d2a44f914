# Written by `npm run generate` from the table of endpoints: change that, and not this file.
"""Options from the table of steps."""

from typing import TypedDict


class StepOptions(TypedDict, total=False):
    """Options that process the results of a job."""

    history: bool
    """Keeps what each run of the schedule read, and what changed: `GET /v1/schedules/{id}/changes`. It
    includes what `when` and `new` omit from the lines."""
    new: bool
    """Omits, and counts in `left_out`, what an earlier job of the schedule returned: items of a list by
    their ID, and objects in which only counts changed. `removed` of a line has the IDs of items that
    disappeared from a list that was read to its end."""
    when: str | None
    """A condition in CEL over the fields of an item and its `source`, such as `rating <= 2`. Other items
    are omitted, and counted in `left_out` of the line."""
