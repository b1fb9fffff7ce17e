import { optionsRequestSchema } from '../../../contract/dto/options'
import type { PlanTimes } from '../../../contract/dto/plan'
import type { SurveyDocument } from '../../../contract/dto/survey'
import { driveOf } from '../../../domain/media/driveRates'
import type { Medium } from '../../../domain/media/medium'
import { packingWork } from '../../../domain/options/cost/stepTimes'
import type { TargetFacts } from '../../../domain/options/facts'
import type { ParityDisc } from '../../../domain/sets/protection/setParity'
import type { Protection } from '../../../domain/sets/protection/volumeProtection'
import { sampledSource, unreadSource } from '../../../domain/sets/times/discModels'
import type { SourceModel } from '../../../domain/sets/times/forecastWrite'
import { packedTimes } from '../../../domain/sets/times/packedTimes'
import { type PlanTimesRequest, planTimes, type TimedVolume } from '../../../domain/sets/times/planTimes'
import { expectedRecovery, recoveryWork } from '../../../domain/sets/times/recoveryTimes'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { mediaCatalogue } from '../../media/mediaCatalogue'
import { machineFacts } from '../../options/machineFacts'
import { machinePace } from '../../options/machinePace'
import { optionFacts, surveyFacts } from '../../options/optionFacts'
import { composedOn, type ForecastCatalog, forecastOn } from '../../options/optionForecast'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'
import { type BurnsCatalog, earlierBurns } from './earlierBurns'
import type { Layout } from './layoutVolumes'
import type { PackedPlan } from './packedPlan'
import { type ProbedFile, probeSource } from './readProbe'

/** A plan before its document is made. */
interface UntimedPlan {
  readonly medium: Medium
  readonly packed: PackedPlan | null
  readonly layout: Layout
  readonly source: SourceEntries
  readonly protection: Protection | undefined
  /** None for a plan without any. */
  readonly parity: readonly ParityDisc[]
}

/**
 * The times of a plan; null for surveys that know too little for the option's forecast. Of files
 * that are stored as they are a sample is timed (`probeSource`).
 * @throws AppError `tool-missing`, `cancelled`
 */
export async function timesOfPlan(
  catalog: ForecastCatalog & BurnsCatalog,
  survey: SurveyDocument,
  { medium, packed, layout, source, protection, parity }: UntimedPlan,
  signal: AbortSignal,
): Promise<PlanTimes | null> {
  const pace = await machinePace()
  const on = { mediumId: medium.id, encryption: 'none' as const, pace }
  const stored = forecastOn(catalog, survey, medium.kind === 'image' ? 'iso' : 'plain', on)
  const option =
    packed && packedOption(catalog, survey, { ...packed, medium, volumes: layout.volumes.length }, pace)
  if (!stored || (packed && !option)) return null
  const asked = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds: [medium.id] })
  const { target, facts } = optionFacts(catalog, surveyFacts(survey), asked, machineFacts(pace))
  const files = filesOf(layout, source)
  const request: PlanTimesRequest = {
    volumes: layout.volumes.map(
      (volume, at): TimedVolume => ({
        ...timedRecovery(volume, medium, packed && protection),
        files: (files[at] ?? []).map(({ bytes }) => bytes),
      }),
    ),
    parity: parity.map(({ sectors }) => sectors * medium.sectorBytes),
    kind: medium.kind,
    capacityBytes: medium.capacityBytes,
    sectorBytes: medium.sectorBytes,
    source: await sourceModel(packed ? [] : files.flat(), target, signal),
    target,
    machine: facts.machine,
    drive: driveOf(mediaCatalogue, medium.id),
    burns: earlierBurns(catalog, medium.id),
    stored: stored.estimate,
    packed: option,
  }
  return planTimes(
    request,
    pausing(() => throwIfAborted(signal)),
  )
}

/**
 * The size of a volume and the work of its recovery data, which is settled for packed plans when
 * they are built.
 * @param expected the recovery data that a packed plan asks for
 */
function timedRecovery(
  { sectors, protection }: Layout['volumes'][number],
  { sectorBytes, capacityBytes }: Medium,
  expected: Protection | null | undefined,
): Pick<TimedVolume, 'bytes' | 'recovery'> {
  const bytes = sectors * sectorBytes
  if (protection) return { bytes, recovery: recoveryWork(protection) }
  if (expected === null || expected === undefined) return { bytes }
  const { filledBytes, ...recovery } = expectedRecovery(bytes, capacityBytes, expected)
  return { bytes: bytes + filledBytes, recovery }
}

/** A plan that packs, and on how many volumes. */
type PackedOnVolumes = Pick<PackedPlan, 'name' | 'encryption' | 'form' | 'isJoined'> & {
  readonly medium: Medium
  readonly volumes: number
}

/**
 * How a plan packs, for its times; null where the survey has no forecast of it.
 * @throws AppError `usage`
 */
export function packedOption(
  catalog: ForecastCatalog,
  survey: SurveyDocument,
  { name, encryption, form, isJoined, medium, volumes }: PackedOnVolumes,
  pace: number | null,
): PlanTimesRequest['packed'] {
  const found = composedOn(catalog, survey, name, { mediumId: medium.id, encryption, pace })
  if (!found) return null
  const { facts, composed } = found
  const { variant, estimate } = composed
  // A disk image for a Mac is made in one go, by its own programs.
  if (form.kind === 'macImage') return { estimate, steps: null }
  const { files, folders, bytes } = survey.totals
  const steps = packedTimes({
    work: packingWork(facts, { ...composed, container: variant.storedBytes }),
    family: variant.family,
    files,
    folders,
    bytes,
    containers: form.kind === 'many' ? variant.storedFiles.value : 0,
    stored: estimate.bytes,
    volumes,
    isTried: form.kind === 'archive' && !isJoined,
    capacityBytes: medium.capacityBytes,
    target: facts.target,
    machine: facts.machine,
  })
  return { estimate, steps }
}

/** The files that each volume reads from the source, in the order in which its image is made. */
function filesOf({ packing }: Layout, source: SourceEntries): ProbedFile[][] {
  return packing.volumes.map(({ assignments }) =>
    assignments.flatMap((assignment): ProbedFile[] => {
      if (assignment.kind === 'impliedFolder' || assignment.kind === 'name') return []
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
