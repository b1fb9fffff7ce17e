import { createCipheriv } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobEnd, JobProgress } from '../../src/contract/dto/job'
import type { RestoreDocument } from '../../src/contract/dto/restore'
import { writeRequestSchema } from '../../src/contract/dto/run'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import type { Job } from '../../src/engine/jobs/jobContext'
import { jobRunner } from '../../src/engine/jobs/jobRunner'
import { KeptResults } from '../../src/engine/jobs/keptResults'
import { newId } from '../../src/engine/jobs/newId'
import { buildJob } from '../../src/engine/sets/building/buildJob'
import { exportJob } from '../../src/engine/sets/export/exportJob'
import { planJob } from '../../src/engine/sets/plan/planJob'
import { restoreJob } from '../../src/engine/sets/restore/restoreJob'
import { verifyJob } from '../../src/engine/sets/verify/verifyJob'
import { writeJob } from '../../src/engine/sets/write/writeJob'
import { sketchFolder } from '../../src/engine/survey/sketchFolder'
import { surveyJob } from '../../src/engine/survey/surveyJob'
import { type Clock, systemClock } from '../../src/primitives/clock'
import { noNotes } from './noNotes'

/** What one job reported, each with the milliseconds since it began, and how long all of it took. */
export interface RecordedJob {
  readonly name: string
  readonly reports: readonly JobProgress[]
  readonly tookMs: number
}

interface ChainSetting {
  /** An empty folder for everything that is made. */
  readonly folder: string
  /** Bytes of the source: photos of 3 MB, which do not shrink, and text in small files. */
  readonly bytes: number
  readonly samples: 'fast' | 'normal'
  /** Of the packed set. */
  readonly recipe?: string
  readonly onJob?: (job: RecordedJob) => void
  /** For jobs after the survey: one that is ahead of time has more reports from less work. */
  readonly clock?: Clock
}

/**
 * Carries a source through the jobs that a person starts: survey; plan, build, verify, copy to a
 * folder and restore, as images, as a folder and packed.
 */
export async function recordedChain(setting: ChainSetting): Promise<RecordedJob[]> {
  const { folder, bytes, samples, onJob, clock = systemClock } = setting
  const source = join(folder, 'source')
  makePhotosAndNotes(source, bytes)
  const catalog = openCatalog(join(folder, 'data'))
  const recorded: RecordedJob[] = []
  const run = async (name: string, job: Job): Promise<string> => {
    const { end, ...record } = await recordedJob(name, job, job.kind === 'survey' ? systemClock : clock)
    recorded.push(record)
    onJob?.(record)
    if (end.error) throw new Error(`${name}: ${end.error.message}`)
    return end.resultId ?? ''
  }
  const sketches = sketchFolder(join(folder, 'data'))
  const wanted = { paths: [source], sha256: true, samples, blocksFrom512: false, maxMemoryBytes: 64 << 20 }
  try {
    const surveyId = await run('survey', surveyJob(wanted, { catalog, sketches, checkpointMs: 30_000 }))
    for (const { name, ...how } of kindsOf(setting)) {
      const directory = join(folder, name)
      const [copies, restored] = [join(folder, `${name}-copies`), join(folder, `${name}-restored`)]
      mkdirSync(copies)
      const planId = await run(`${name}: plan`, planJob({ catalog }, { surveyId, ...how }))
      await run(`${name}: export`, exportJob({ catalog }, { planId, directory, force: false }))
      const request = {
        directory,
        volumes: [],
        force: false,
        stream: false,
        changed: 'fail',
        password: null,
      } as const
      await run(`${name}: build`, buildJob({ catalog }, { ...request, volumes: [] }))
      await run(`${name}: verify`, verifyJob({ catalog }, { ...request, volumes: [] }))
      await run(
        `${name}: write`,
        writeJob({ catalog }, writeRequestSchema.parse({ directory, folder: copies, verify: true })),
      )
      const results = new KeptResults<RestoreDocument>('restore')
      const restore = {
        volumes: [directory],
        to: restored,
        files: [],
        force: false,
        trust: false,
        originalNames: false,
      }
      await run(
        `${name}: restore`,
        restoreJob({ results, notes: noNotes, catalog }, { ...restore, password: null }),
      )
      for (const made of [directory, copies, restored]) rmSync(made, { recursive: true })
    }
  } finally {
    catalog.close()
  }
  return recorded
}

const kindsOf = ({ bytes, recipe = 'files-zstd-3' }: ChainSetting) => [
  { name: 'images', mediumId: `custom:${Math.ceil(bytes / 2.5e6)}MB`, labelPrefix: 'SET' },
  { name: 'folder', mediumId: 'disk', labelPrefix: 'SET' },
  { name: 'packed', mediumId: 'disk', labelPrefix: 'SET', recipe },
]

/** Runs a job as the engine runs it, with everything that it reports. */
async function recordedJob(
  name: string,
  job: Job,
  clock: Clock,
): Promise<RecordedJob & { readonly end: JobEnd }> {
  const reports: JobProgress[] = []
  const nothing = (): void => undefined
  const listener = { live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const progress = (each: JobProgress): void => void reports.push(each)
  const runner = jobRunner(clock, { ...listener, progress }, newId)
  const end = await runner.start(job).finished
  return { name, reports, tookMs: end.elapsedMs, end }
}

/** Photos of 3 MB, which do not shrink, and text in small files. */
export function makePhotosAndNotes(folder: string, bytes: number): void {
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, 7), Buffer.alloc(16))
  const photos = Math.floor((bytes * 0.9) / 3e6)
  for (let at = 0; at < photos; at++) {
    const day = join(folder, `day ${Math.floor(at / 20)}`)
    mkdirSync(day, { recursive: true })
    writeFileSync(join(day, `photo ${at}.jpg`), noise.update(Buffer.alloc(3_000_000)))
  }
  const notes = join(folder, 'notes')
  mkdirSync(notes)
  for (let at = 0; at < bytes * 2e-6; at++) {
    const words = Array.from(noise.update(Buffer.alloc(2000)), (byte) => WORDS[byte % WORDS.length])
    writeFileSync(join(notes, `note ${at}.txt`), words.join(' '))
  }
}

const WORDS = [
  'the',
  'glacier',
  'was',
  'photographed',
  'from',
  'a',
  'boat',
  'at',
  'noon',
  'in',
  'rain',
  'and',
  'wind',
]
