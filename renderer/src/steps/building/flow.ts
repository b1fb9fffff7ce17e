import type { JobProgress } from '../../../../src/contract/dto/job'
import {
  formatCount,
  formatRate,
  formatShare,
  formatSize,
  type Units,
} from '../../../../src/primitives/quantity'
import { type CopyKey, t } from '../../copy'
import { nameOf, titleOfRoots } from '../../format/paths'
import type { RunningJob } from '../../state/jobs'
import { type BuildState, lastRun } from './buildState'

/**
 * One station of the bytes on their way: what it is, its name, its figures and how full or how far
 * it is.
 */
export interface FlowStation {
  readonly key: 'source' | 'buffer' | 'target'
  readonly title: string
  readonly name: string
  /** Empty while nothing runs: the space stays. */
  readonly figure: string
  readonly note: string
  /** From 0 to 1; null where nothing can be measured. */
  readonly share: number | null
}

/**
 * Where the bytes of the running job come from and go to; what will be built where nothing runs.
 * Writing a disc passes a buffer: its fill shows whether the source or the drive is slower.
 */
export function flowStations(build: BuildState, job: RunningJob | null, units: Units): FlowStation[] {
  const { plan } = build
  const progress = job?.progress ?? null
  const rate = progress?.bytesPerSecond == null ? '' : formatRate(progress.bytesPerSecond, units)
  const pipe = progress?.pipe ?? null
  const volume = progress?.current ?? ''
  const done = job === null ? madeWords(build) : doneWords(progress, units)
  const files = plan ? t('flow.files', { count: plan.totals.files }) : ''
  const size = plan ? formatSize(plan.totals.bytes, units) : ''
  const source: FlowStation = {
    key: 'source',
    title: t(job?.kind === 'verify' ? 'flow.volume' : 'flow.source'),
    name: job?.kind === 'verify' ? volume : plan ? titleOfRoots(plan.roots) : '',
    figure: pipe ? formatRate(pipe.inBytesPerSecond, units) : rate,
    note: [files, size].filter((words) => words !== '').join(', '),
    share: null,
  }
  if (job?.kind === 'verify')
    return [
      source,
      { key: 'target', title: t('flow.checks'), name: t('flow.checks.name'), figure: '', ...done },
    ]
  const place = progress?.writing?.to ?? build.to?.path
  const to = place === undefined ? null : nameOf(place)
  const target: FlowStation = {
    key: 'target',
    title: t(targetTitle(build, job)),
    name: volume || setWords(build),
    figure: pipe ? formatRate(pipe.outBytesPerSecond, units) : '',
    ...done,
  }
  if (job?.kind !== 'write') return [source, target]
  const filled = pipe === null || pipe.bufferBytes === 0 ? null : pipe.filledBytes / pipe.bufferBytes
  return [
    source,
    {
      key: 'buffer',
      title: t('flow.buffer'),
      name: pipe === null ? '' : formatSize(pipe.bufferBytes, 'binary'),
      figure: filled === null ? '' : t('flow.full', { share: formatShare(filled) }),
      note: filled === null ? '' : bufferWords(filled),
      share: filled,
    },
    { ...target, name: [volume, to].filter((words) => words).join(' → ') },
  ]
}

function targetTitle({ plan, to }: BuildState, job: RunningJob | null): CopyKey {
  if (job === null) return 'flow.result'
  if (job.kind === 'write') return to?.kind === 'folder' ? 'flow.folder' : 'flow.drive'
  return plan?.medium.kind === 'folder' ? 'flow.folder' : 'flow.image'
}

/** Which side the other one waits for, by how full the buffer is. */
function bufferWords(filled: number): string {
  if (filled >= ALMOST_FULL) return t('flow.driveSlower')
  return t(filled <= ALMOST_EMPTY ? 'flow.sourceSlower' : 'flow.even')
}

const ALMOST_FULL = 0.9
const ALMOST_EMPTY = 0.1

function setWords({ plan }: BuildState): string {
  return plan ? t('flow.set', { count: plan.totals.volumes, medium: plan.medium.name }) : ''
}

/** Nothing runs: what the last run left whole. */
function madeWords(build: BuildState): { note: string; share: number | null } {
  const volumes = lastRun(build)?.volumes ?? []
  const whole = volumes.filter(({ state }) => state === 'done' || state === 'kept').length
  return whole === 0
    ? { note: '', share: null }
    : { note: t('flow.whole', { count: whole }), share: whole / volumes.length }
}

function doneWords(progress: JobProgress | null, units: Units): { note: string; share: number | null } {
  if (!progress) return { note: '', share: null }
  const { bytesDone, bytesTotal, filesDone, filesTotal } = progress
  if (bytesTotal) {
    const words = { done: formatSize(bytesDone, units), total: formatSize(bytesTotal, units) }
    return { note: t('flow.done', words), share: Math.min(1, bytesDone / bytesTotal) }
  }
  return { note: filesTotal ? `${formatCount(filesDone)} / ${formatCount(filesTotal)}` : '', share: null }
}
