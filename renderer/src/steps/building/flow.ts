import type { JobProgress } from '../../../../src/contract/dto/job'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import {
  formatCount,
  formatRate,
  formatShare,
  formatSize,
  type Units,
} from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { nameOf, titleOfRoots } from '../../format/paths'
import type { RunningJob } from '../../state/jobs'
import type { BuildState } from './buildState'

/**
 * One station of the bytes on their way: what it is, its name, its figures and how full or how far
 * it is.
 */
export interface FlowStation {
  readonly key: 'source' | 'buffer' | 'target'
  readonly title: string
  readonly name: string
  /** Empty between two copies: the space stays. */
  readonly figure: string
  readonly note: string
  /** From 0 to 1; null where nothing can be measured. */
  readonly share: number | null
}

/**
 * Where the bytes of a copy that is written come from and go to. They pass a buffer: its fill shows
 * whether the source or the drive is slower.
 * @param job null between two copies
 */
export function flowStations(build: BuildState, job: RunningJob | null, units: Units): FlowStation[] {
  const { plan } = build
  const progress = job?.progress ?? null
  const pipe = progress?.pipe ?? null
  const rate = progress?.bytesPerSecond == null ? '' : formatRate(progress.bytesPerSecond, units)
  const filled = pipe === null || pipe.bufferBytes === 0 ? null : pipe.filledBytes / pipe.bufferBytes
  const place = progress?.writing?.to ?? build.to?.path
  const to = place === undefined ? null : nameOf(place)
  return [
    {
      key: 'source',
      title: t('flow.source'),
      name: plan ? titleOfRoots(plan.roots) : '',
      figure: pipe ? formatRate(pipe.inBytesPerSecond, units) : rate,
      note: plan ? contentWords(plan, units) : '',
      share: null,
    },
    {
      key: 'buffer',
      title: t('flow.buffer'),
      name: pipe === null ? '' : formatSize(pipe.bufferBytes, 'binary'),
      figure: filled === null ? '' : t('flow.full', { share: formatShare(filled) }),
      note: filled === null ? '' : bufferWords(filled),
      share: filled,
    },
    {
      key: 'target',
      title: t(build.to?.kind === 'folder' ? 'flow.folder' : 'flow.drive'),
      name: [progress?.current, to].filter((words) => words).join(' → '),
      figure: pipe ? formatRate(pipe.outBytesPerSecond, units) : '',
      ...doneWords(progress, units),
    },
  ]
}

/** The files of a plan and their size. */
export function contentWords({ totals }: PlanDocument, units: Units): string {
  return [t('flow.files', { count: totals.files }), formatSize(totals.bytes, units)].join(', ')
}

/** Which side the other one waits for, by how full the buffer is. */
function bufferWords(filled: number): string {
  if (filled >= ALMOST_FULL) return t('flow.driveSlower')
  return t(filled <= ALMOST_EMPTY ? 'flow.sourceSlower' : 'flow.even')
}

const ALMOST_FULL = 0.9
const ALMOST_EMPTY = 0.1

function doneWords(progress: JobProgress | null, units: Units): { note: string; share: number | null } {
  if (!progress) return { note: '', share: null }
  const { bytesDone, bytesTotal, filesDone, filesTotal } = progress
  if (bytesTotal) {
    const words = { done: formatSize(bytesDone, units), total: formatSize(bytesTotal, units) }
    return { note: t('flow.done', words), share: Math.min(1, bytesDone / bytesTotal) }
  }
  return { note: filesTotal ? `${formatCount(filesDone)} / ${formatCount(filesTotal)}` : '', share: null }
}
