import { pathForDisplay } from '../../primitives/pathText'
import { formatCount } from '../../primitives/quantity'
import { formatDay, formatMonth } from '../../primitives/spokenTime'
import type { VolumeDue } from '../dto/check'
import type { DuePlace } from '../dto/copies'
import { type FoundFile, labelRanges, type PlanListItem } from '../dto/plan'
import type { QueuedVolume } from '../dto/restoreQueue'
import { skippedWords } from '../dto/run'
import type { SurveyListItem } from '../dto/survey'
import { planState } from '../planState'
import { tableOf } from './declaredTable'

/** Surveys made before. */
export const SURVEY_LIST_TABLE = tableOf<SurveyListItem>()({
  id: { heading: 'survey', kind: 'code', of: ({ id }) => id },
  when: { heading: 'when', kind: 'minute', of: ({ createdWallMs }) => createdWallMs },
  files: { heading: 'files', kind: 'count', of: ({ files }) => files },
  bytes: { heading: 'bytes', kind: 'bytes', of: ({ bytes }) => bytes },
  source: { heading: 'source', kind: 'name', of: ({ roots }) => roots.map(pathForDisplay).join(', ') },
  state: { heading: 'read', kind: 'code', of: surveyState },
})

export function surveyState({
  interrupted,
  partial,
  skipped,
}: SurveyListItem): 'interrupted' | 'partial' | 'skipped' | 'whole' {
  if (interrupted) return 'interrupted'
  return partial ? 'partial' : skipped > 0 ? 'skipped' : 'whole'
}

const PLAN_STATES = ['planned', 'built', 'written', 'verified', 'failed'] as const

/** Plans made before. */
export const PLAN_LIST_TABLE = tableOf<PlanListItem>()({
  id: { heading: 'plan', kind: 'code', of: ({ id }) => id },
  source: { heading: 'source', kind: 'name', of: ({ roots }) => roots.map(pathForDisplay).join(', ') },
  when: { heading: 'when', kind: 'minute', of: ({ createdWallMs }) => createdWallMs },
  bytes: { heading: 'bytes', kind: 'bytes', of: ({ bytes }) => bytes },
  volumes: { heading: 'volumes', kind: 'count', of: ({ volumes }) => volumes },
  medium: { heading: 'medium', kind: 'name', of: ({ mediumName }) => mediumName },
  state: { heading: 'state', kind: 'words', of: planStateText },
  directory: {
    heading: 'exportedTo',
    kind: 'path',
    of: ({ directory }) => directory ?? 'not exported',
  },
})

/** The place of a plan's state among all, from planned to failed. */
export function planStateOrder(plan: PlanListItem): number {
  return PLAN_STATES.indexOf(planState(plan).step)
}

function planStateText(plan: PlanListItem): string {
  const { step, count } = planState(plan)
  const words = step === 'failed' ? 'verification failed' : step
  if (step !== 'failed' && count === plan.volumes) return words
  return `${words}: ${formatCount(count)} of ${formatCount(plan.volumes)}`
}

/** Copies of volumes with their last check, and when to check them again. */
export const DUE_TABLE = tableOf<VolumeDue>()({
  label: { heading: 'label', kind: 'label', of: ({ label }) => label },
  disc: { heading: 'disc', kind: 'ordinal', of: ({ volume }) => volume },
  copy: { heading: 'copy', kind: 'ordinal', of: ({ copy }) => copy },
  plan_or_set: {
    heading: 'belongsTo',
    kind: 'code',
    of: ({ planId, setId }) => planId ?? `set ${setId?.slice(0, 12) ?? ''}`,
    csv: { plan_or_set: ({ planId, setId }) => planId ?? setId ?? '' },
  },
  last_check: { heading: 'lastCheck', kind: 'words', of: lastCheckText },
  check_by: {
    heading: 'checkBy',
    kind: 'words',
    of: ({ last, checkByWallMs }) =>
      last === null || last.result === 'damaged' ? 'now' : formatDay(checkByWallMs),
  },
})

function lastCheckText({ last, madeWallMs }: VolumeDue): string {
  if (last !== null) return `${last.result} ${formatDay(last.checkedWallMs)}`
  return madeWallMs === null ? 'never' : `never, made ${formatDay(madeWallMs)}`
}

/** When copies fall due for verification, by month and place. */
export const CALENDAR_TABLE = tableOf<DuePlace>()({
  month: {
    heading: 'verifyIn',
    kind: 'words',
    of: ({ dueWallMs }) => (dueWallMs === null ? 'now' : formatMonth(dueWallMs)),
  },
  place: { heading: 'place', kind: 'name', of: ({ place }) => place ?? 'not noted' },
  copies: { heading: 'copies', kind: 'count', of: ({ copies }) => copies },
  volumes: { heading: 'volumes', kind: 'name', of: ({ labels }) => labelRanges(labels) },
})

/** Files that were found, and the volume that each is on. */
export const FOUND_TABLE = tableOf<FoundFile>()({
  volume: {
    heading: 'volume',
    kind: 'label',
    of: ({ volume }) => {
      if (volume === null) return 'not on a volume yet'
      return volume.leftOut ? `${volume.label} (${skippedWords(volume.leftOut)})` : volume.label
    },
    csv: { volume: ({ volume }) => volume?.label ?? '' },
  },
  plan: { heading: 'plan', kind: 'code', of: ({ volume }) => volume?.planId ?? '' },
  path: { heading: 'path', kind: 'path', of: ({ path }) => path },
  bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
})

/** The volumes that a restore needs, in order. */
export const QUEUE_TABLE = tableOf<QueuedVolume>()({
  label: { heading: 'label', kind: 'label', of: ({ label }) => label },
  copy: {
    heading: 'copy',
    kind: 'words',
    of: ({ copy }) => (copy === null ? '' : copy === 0 ? 'built' : String(copy)),
  },
  place: {
    heading: 'place',
    kind: 'name',
    of: ({ place, path }) => place ?? (path === null ? 'not noted' : 'here'),
  },
  state: {
    heading: 'state',
    kind: 'words',
    of: ({ state }) =>
      state === 'unverified' ? 'not verified' : state === 'unknown' ? 'no copy noted' : state,
  },
  files: { heading: 'files', kind: 'count', of: ({ files }) => files },
  bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  time: { heading: 'time', kind: 'forecast', of: ({ seconds }) => seconds?.value ?? null },
})
