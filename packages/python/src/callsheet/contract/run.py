"""A whole session over the `model` and `tools` imports: only a loop over `delegation`.

Made from `wit/`: change it there.
"""

from __future__ import annotations

from .._contract import Function, Interface
from .catalogs import Catalog
from .conversation import ToolSpec
from .delegation import Outcome, SessionError, Settings, Task


class Run(Interface):
    """A whole session over the `model` and `tools` imports: only a loop over `delegation`."""

    def run(self, from_: Catalog, task: Task, tools: list[ToolSpec], settings: Settings) -> Outcome:
        """Runs a session to its end, one step after the other, without a clock: `bounds.deadline` is ignored. Fails like `session.open`."""
        answer: Outcome = self._call(_RUN, from_, task, tools, settings)
        return answer


_RUN = Function(
    "callsheet:agents/run@0.1.0", "run", (Catalog, Task, list[ToolSpec], Settings), Outcome, SessionError
)
