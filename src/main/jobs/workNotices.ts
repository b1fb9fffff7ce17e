import type { JobEnd, WaitingFor } from '../../contract/dto/job'
import type { RunningJob } from '../engine/jobLedger'
import { APP_NAME, say, sayDuration } from '../words'
import { driveName } from './driveName'

/** Whoever waited less than this is still looking. */
const LONG_WORK_MS = 60_000

interface Notice {
  readonly title: string
  readonly body: string
}

interface WorkNotices {
  /** Takes the running jobs whenever they change: one that waits for a disc is worth a notice. */
  jobs(running: readonly RunningJob[]): void
  ended(end: JobEnd): void
}

/**
 * Tells a person who is elsewhere that long work has ended or waits for a disc. A notice may be
 * shown on a locked screen: it names volumes and drives, no path and no reason of a failure.
 * @param isLooking whether the window has the focus: then nobody is notified
 */
export function workNotices(isLooking: () => boolean, show: (notice: Notice) => void): WorkNotices {
  const notified = new Map<string, string>()
  const tell = (body: string): void => {
    if (!isLooking()) show({ title: APP_NAME, body })
  }
  return {
    jobs(running) {
      for (const { jobId, progress } of running) {
        const wait = progress?.waitingFor ?? null
        const key = wait === null ? '' : keyOf(wait)
        const isNew = wait !== null && notified.get(jobId) !== key
        notified.set(jobId, key)
        if (isNew) tell(waitWords(wait))
      }
    },
    ended({ jobId, kind, outcome, elapsedMs }) {
      notified.delete(jobId)
      // Nobody asked for a walk or a look: they begin by themselves.
      if (elapsedMs < LONG_WORK_MS || outcome === 'cancelled' || kind === 'walk' || kind === 'look') return
      tell(outcome === 'done' ? say(`done.${kind}`, { time: sayDuration(elapsedMs) }) : say(`failed.${kind}`))
    },
  }
}

function keyOf(wait: WaitingFor): string {
  // About many files of one volume a person is notified once.
  return wait.kind === 'disc' ? `${wait.volume} ${wait.reason} ${wait.problem}` : `${wait.volume} changed`
}

function waitWords(wait: WaitingFor): string {
  if (wait.kind === 'changed') return say('file.changed', { label: wait.label })
  const { reason, label, volume, volumes, drive } = wait
  const of = { label, volume, volumes, drive: driveName(drive) }
  if (reason === 'next') return say('disc.next', of)
  return say(reason === 'reload' ? 'disc.reload' : 'disc.other', of)
}
