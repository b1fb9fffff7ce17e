import { optionsRequestSchema } from '../../../contract/dto/options'
import type { PlanTimes } from '../../../contract/dto/plan'
import type { SurveyDocument } from '../../../contract/dto/survey'
import { driveOf } from '../../../domain/media/driveRates'
import type { Medium } from '../../../domain/media/medium'
import type { TargetFacts } from '../../../domain/options/facts'
import { sampledSource, unreadSource } from '../../../domain/sets/times/discModels'
import type { SourceModel } from '../../../domain/sets/times/forecastWrite'
import { type PlanTimesRequest, planTimes, type TimedVolume } from '../../../domain/sets/times/planTimes'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { mediaCatalogue } from '../../media/mediaCatalogue'
import { machinePace } from '../../options/machinePace'
import { type FactsCatalog, optionFacts } from '../../options/optionFacts'
import { forecastOn } from '../../options/optionForecast'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'
import type { Layout } from './layoutVolumes'
import type { PackedPlan } from './packedPlan'
import { type ProbedFile, probeSource } from './readProbe'

/** A plan before its document is made. */
interface UntimedPlan {
  readonly medium: Medium
  readonly packed: PackedPlan | null
  readonly layout: Layout
  readonly source: SourceEntries
}

/**
 * The times of a plan; null for surveys that know too little for the option's forecast. Of files that are stored as they are a sample is
 * timed (`probeSource`).
 * @throws AppError `tool-missing`, `cancelled`
 */
export async function timesOfPlan(
  catalog: FactsCatalog,
  survey: SurveyDocument,
  { medium, packed, layout, source }: UntimedPlan,
  signal: AbortSignal,
): Promise<PlanTimes | null> {
  const pace = await machinePace()
  const on = { mediumId: medium.id, encryption: 'none' as const, pace }
  const stored = forecastOn(catalog, survey, medium.kind === 'image' ? 'iso' : 'plain', on)
  const row = packed && forecastOn(catalog, survey, packed.name, { ...on, encryption: packed.encryption })
  if (!stored || (packed && !row)) return null
  const asked = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds: [medium.id] })
  const { target } = optionFacts(catalog, survey, asked, pace)
  const files = filesOf(layout, source)
  const share = row && row.estimate.bytes.value / Math.max(1, stored.estimate.bytes.value)
  const request: PlanTimesRequest = {
    volumes: layout.volumes.map(
      ({ sectors }, at): TimedVolume => ({
        bytes: sectors * medium.sectorBytes,
        files: (files[at] ?? []).map(({ bytes }) => bytes),
      }),
    ),
    kind: medium.kind,
    capacityBytes: medium.capacityBytes,
    sectorBytes: medium.sectorBytes,
    source: await sourceModel(packed ? [] : files.flat(), target, signal),
    target,
    drive: driveOf(mediaCatalogue, medium.id),
    stored: stored.estimate,
    // A disk image for a Mac is made in one go.
    packed: row && { estimate: row.estimate, share: packed?.form.kind === 'macImage' ? null : share },
  }
  return planTimes(
    request,
    pausing(() => throwIfAborted(signal)),
  )
}

/** What each volume reads of the source, in the order in which its image is made. */
function filesOf({ packing }: Layout, source: SourceEntries): ProbedFile[][] {
  return packing.volumes.map(({ assignments }) =>
    assignments.flatMap((assignment): ProbedFile[] => {
      if (assignment.kind === 'impliedFolder') return []
      const entry = source.entries.get(assignment.index)
      if (entry?.kind !== 'file') return []
      const bytes = assignment.kind === 'part' ? assignment.bytes : entry.bytes
      return [{ path: sourcePath(source, entry), bytes }]
    }),
  )
}

async function sourceModel(
  files: readonly ProbedFile[],
  { readLatencySeconds, readBytesPerSecond }: TargetFacts,
  signal: AbortSignal,
): Promise<SourceModel> {
  const probe = files.length === 0 ? null : await probeSource(files, signal)
  return probe
    ? sampledSource(files.length, probe)
    : unreadSource(files.length, readLatencySeconds, readBytesPerSecond)
}
