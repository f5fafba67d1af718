"""A worker whose answers depend on the total of the puzzle: it crashes at 90, hangs at 91,
and lacks memory at 92.
"""

import json
import os
import signal
import time

from puzzlekit.batches import workers
from puzzlekit.batches.jobs import Job, Request
from puzzlekit.batches.results import Result
from puzzlekit.batches.workers import answer
from puzzlekit.processes import worker_process


def fake(job: Job, request: Request) -> Result:
    total = json.loads(job.text)["total"]
    if total == 90:
        os.kill(os.getpid(), signal.SIGSEGV)
    if total == 91:
        time.sleep(600)
    if total == 92:
        raise MemoryError
    print("a library prints this")
    return answer(job, request)


workers.answer = fake
worker_process.main()
