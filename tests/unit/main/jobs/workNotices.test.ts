import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { JobEnd, WaitingForDisc } from '../../../../src/contract/dto/job'
import { workNotices } from '../../../../src/main/jobs/workNotices'
import { speak } from '../../../../src/main/words'
import { NEXT_DISC, runningJob } from '../../../support/runningJob'

let isLooking: boolean
let shown: string[]
let notices: ReturnType<typeof workNotices>

beforeEach(() => {
  isLooking = false
  shown = []
  notices = workNotices(
    () => isLooking,
    ({ title, body }) => {
      expect(title).toBe('Stowage')
      shown.push(body)
    },
  )
})

function end(outcome: JobEnd['outcome'], elapsedMs: number): JobEnd {
  const error =
    outcome === 'done' ? null : { code: 'io' as const, message: 'cannot read /home/ana/secret.pdf' }
  return { jobId: 'j-1', kind: 'write', outcome, resultId: null, error, elapsedMs }
}

function waits(changes: Partial<WaitingForDisc>): void {
  notices.jobs([runningJob('write', { waitingFor: { ...NEXT_DISC, ...changes } })])
}

it('notifies of the end of long work, but not of short or cancelled work, nor of a walk', () => {
  notices.ended(end('done', 59_000))
  notices.ended(end('cancelled', 600_000))
  notices.ended({ ...end('done', 600_000), kind: 'walk' })
  expect(shown).toEqual([])
  notices.ended(end('done', 725_000))
  expect(shown).toEqual(['The writing has finished after 12 min 05 s.'])
})

it('notifies of failed or interrupted work, without the path in the reason', () => {
  for (const outcome of ['failed', 'interrupted'] as const) notices.ended(end(outcome, 90_000))
  const text = 'The writing did not finish. Open Stowage to see why.'
  expect(shown).toEqual([text, text])
})

it('notifies once that work waits for a disc, and again when another one is needed', () => {
  notices.jobs([runningJob('write')])
  waits({})
  waits({})
  waits({ reason: 'not-blank', problem: 'the disc in /dev/sr0 is not blank' })
  notices.jobs([runningJob('write')])
  waits({ volume: 3, label: 'TRIP_03' })
  waits({ volume: 3, label: 'TRIP_03', reason: 'reload', problem: '/dev/sr0 does not show what was written' })
  expect(shown).toEqual([
    'Insert a blank disc for TRIP_02 (volume 2 of 3) into /dev/sr0.',
    'The disc in /dev/sr0 cannot be used for TRIP_02 (volume 2 of 3). Insert a blank one.',
    'Insert a blank disc for TRIP_03 (volume 3 of 3) into /dev/sr0.',
    'Take the disc of TRIP_03 out of /dev/sr0 and put it in again.',
  ])
})

it('names a file that stands in for a disc without its folder', () => {
  waits({ drive: '/home/ana/Tax papers/disc.iso' })
  expect(shown).toEqual(['Insert a blank disc for TRIP_02 (volume 2 of 3) into disc.iso.'])
})

it('notifies nobody who looks at the window', () => {
  isLooking = true
  notices.ended(end('done', 600_000))
  waits({})
  isLooking = false
  // What was seen in the window is not reported later.
  waits({})
  expect(shown).toEqual([])
})

it('notifies once of a volume with files that changed, without their paths', () => {
  const file = {
    kind: 'changed' as const,
    label: 'TRIP_02',
    volume: 2,
    volumes: 3,
    path: '/home/ana/secret.pdf',
    problem: 'cannot use /home/ana/secret.pdf: it no longer exists',
    more: 1,
  }
  notices.jobs([runningJob('build', { waitingFor: file })])
  notices.jobs([runningJob('build', { waitingFor: { ...file, path: '/home/ana/other.pdf', more: 0 } })])
  expect(shown).toEqual(['A file of TRIP_02 has changed: build it without the file?'])
})

it('notifies in German once that is the language of the settings', () => {
  speak('de')
  onTestFinished(() => speak('en'))
  notices.ended({ ...end('done', 90_000), kind: 'survey' })
  notices.ended(end('failed', 90_000))
  waits({ volume: 1234, volumes: 2000 })
  expect(shown).toEqual([
    'Die Erfassung ist nach 1 min 30 s fertig.',
    'Das Schreiben wurde nicht fertig. Stowage zeigt, warum.',
    'Legen Sie für TRIP_02 (Datenträger 1.234 von 2.000) eine leere Disc in /dev/sr0 ein.',
  ])
})
