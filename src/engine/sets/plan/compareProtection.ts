import { setImmediate } from 'node:timers/promises'
import { optionsRequestSchema } from '../../../contract/dto/options'
import type { ProtectionComparisonRequest } from '../../../contract/dto/plan'
import { driveOf } from '../../../domain/media/driveRates'
import type { Medium } from '../../../domain/media/medium'
import { resolveMedium } from '../../../domain/media/resolveMedium'
import { estimateOf, scaled, sumTogether } from '../../../domain/options/cost/estimateParts'
import { labelPrefix } from '../../../domain/sets/naming/volumeLabels'
import { lastComponent, ownFolderName } from '../../../domain/sets/naming/volumePaths'
import type { GroupOf } from '../../../domain/sets/packing/groupsTogether'
import { INDEX_VERSION } from '../../../domain/sets/planDocument'
import { discLists } from '../../../domain/sets/protection/discLists'
import { requireProtectable } from '../../../domain/sets/protection/protectable'
import { protectionOf } from '../../../domain/sets/protection/protectionChoice'
import {
  comparedLevels,
  PROTECTION_COMPARISON_SCHEMA,
  type ProtectionComparison,
  type ProtectionLevel,
  type ProtectionRow,
  survivedOn,
} from '../../../domain/sets/protection/protectionComparison'
import { imageSeconds } from '../../../domain/sets/times/planTimes'
import { parityCpuSeconds, recoverySeconds, recoveryWork } from '../../../domain/sets/times/recoveryTimes'
import { AppError } from '../../../primitives/appError'
import type { Estimate } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import type { PlaceNotes } from '../../files/scratch'
import { mediaCatalogue } from '../../media/mediaCatalogue'
import { machineFacts } from '../../options/machineFacts'
import { machinePace } from '../../options/machinePace'
import { type FactsCatalog, optionFacts, surveyFacts } from '../../options/optionFacts'
import { type SourceEntries, sourceEntries, topNames } from '../../survey/sourceEntries'
import { type BurnsCatalog, earlierBurns } from './earlierBurns'
import { laterTimes } from './laterTimes'
import { type Layout, layoutVolumes } from './layoutVolumes'
import { layoutWithParity } from './layoutWithParity'
import { placedSource, requirePlaceable } from './placedSource'
import { PlanLines } from './planLines'
import { romSetsOfPlan } from './romSetsOfPlan'
import { sourceOwnership } from './sourceOwnership'
import { masteringOf } from './splitPartDigests'

type ComparisonCatalog = Pick<Catalog, 'survey' | 'surveyEntries' | 'fileGroupIds'> &
  FactsCatalog &
  BurnsCatalog &
  PlaceNotes

/** Stands for the ID of a plan, which is as long. */
const NO_PLAN = 'p-000000000000'

/** The discs of one level, with all that their times follow from. */
interface LaidOut {
  readonly volumes: Layout['volumes']
  /** Sectors of the parity discs. */
  readonly parity: readonly number[]
}

/**
 * Lays a survey's files out with every level of protection, to the sector, and says what each
 * survives and costs. Reads no contents and keeps nothing.
 * @throws AppError `not-found`, `refused` for a survey that was stopped early and for media that
 *   cannot be protected, `cannot-fit`, `nothing-to-do`
 */
export async function compareProtection(
  catalog: ComparisonCatalog,
  request: ProtectionComparisonRequest,
): Promise<ProtectionComparison> {
  const { signal } = new AbortController()
  const medium = resolveMedium(mediaCatalogue, request.mediumId)
  requireProtectable(medium)
  if (request.placement) requirePlaceable(request.placement, { medium, packed: null, recipe: '' })
  const survey = catalog.survey(request.surveyId)
  if (survey.partial)
    throw new AppError('refused', said`cannot plan from survey ${survey.id}: it was stopped early`)
  let source = sourceEntries(survey.roots, catalog.surveyEntries(survey.id))
  const { byEntry: ownership, created } = await sourceOwnership(source, signal)
  source = { ...source, ownership, created, laterTimes: await laterTimes(source, signal) }
  const pace = await machinePace()
  const asked = optionsRequestSchema.parse({ surveyId: survey.id, mediumIds: [medium.id] })
  const { facts, target } = optionFacts(catalog, surveyFacts(survey), asked, machineFacts(pace))
  const drive = driveOf(mediaCatalogue, medium.id)
  const { capacityBytes, sectorBytes } = medium
  const disc = { target, drive, capacityBytes, burns: earlierBurns(catalog, medium.id) }
  const groupOf = romSetsOfPlan(catalog, survey)?.groupOf
  const layOut = layingOut(catalog, request, { source, roots: survey.roots, medium, groupOf })

  const rowOf = ({ volumes, parity }: LaidOut, level: ProtectionLevel, plain: Totals): ProtectionRow => {
    const { parityDiscs, copies } = level
    const images = volumes.map(({ sectors }) => sectors * sectorBytes)
    const whole = totalsOf([...images, ...parity.map((sectors) => sectors * sectorBytes)])
    const written = scaled(whole.write, copies)
    const recovery = volumes.flatMap(({ protection }) =>
      protection ? [recoverySeconds(recoveryWork(protection), facts.machine).cpu] : [],
    )
    const imageBytes = images.reduce((sum, bytes) => sum + bytes, 0)
    const cpu = [...recovery, parityCpuSeconds(imageBytes, parity.length, facts.machine)]
    return {
      ...level,
      survives: { ...survivedOn(volumes), discs: parityDiscs + copies - 1 },
      unprotectedVolumes: volumes.filter(({ protection }) => protection === undefined).length,
      volumes: copies * whole.discs,
      bytes: copies * whole.bytes,
      extraVolumes: copies * whole.discs - plain.discs,
      extraBytes: Math.max(0, copies * whole.bytes - plain.bytes),
      cpuSeconds: sumTogether(cpu, said`making recovery data and parity discs`),
      writeSeconds: lessThan(written, plain.write),
    }
  }
  // Levels have images of the same length: plain ones, parity discs, second copies.
  const written = new Map<number, Estimate>()
  const writeSeconds = (bytes: number): Estimate => {
    const seconds = written.get(bytes) ?? imageSeconds(disc, bytes)
    written.set(bytes, seconds)
    return seconds
  }
  const totalsOf = (bytes: readonly number[]): Totals => ({
    discs: bytes.length,
    bytes: bytes.reduce((sum, one) => sum + one, 0),
    write: sumTogether(bytes.map(writeSeconds), said`writing the discs`),
  })

  const plainLaid = await layOut({ protection: 'none', parityDiscs: 0, copies: 1 })
  const plain = totalsOf(plainLaid.volumes.map(({ sectors }) => sectors * sectorBytes))
  const rows: ProtectionRow[] = []
  const refused: ProtectionComparison['refused'] = []
  const laid = new Map<string, LaidOut>([['none 0', plainLaid]])
  for (const level of comparedLevels(request.protection ?? 'none')) {
    // Others ask the engine too.
    await setImmediate()
    const key = `${level.protection} ${level.parityDiscs}`
    try {
      const found = laid.get(key) ?? (await layOut(level))
      laid.set(key, found)
      rows.push(rowOf(found, level, plain))
    } catch (thrown) {
      const error = AppError.from(thrown)
      if (error.code !== 'refused' && error.code !== 'cannot-fit') throw thrown
      refused.push({ ...level, message: error.message })
    }
  }
  const chosen = request.protection ?? 'none'
  return { schema: PROTECTION_COMPARISON_SCHEMA, surveyId: survey.id, medium, chosen, rows, refused }
}

/** Discs as they are written. */
interface Totals {
  readonly discs: number
  readonly bytes: number
  readonly write: Estimate
}

/** The time that one takes more than another by the same drive, which are wrong together. */
function lessThan(more: Estimate, less: Estimate): Estimate {
  const ends = [more.low - less.low, more.high - less.high]
  const value = more.value - less.value
  const span = { value, low: Math.min(value, ...ends), high: Math.max(value, ...ends) }
  return estimateOf(span, more.provenance, said`writing the discs`)
}

/** Lays discs out for a level. @returns a function that throws as `layoutVolumes` */
function layingOut(
  catalog: PlaceNotes,
  request: ProtectionComparisonRequest,
  {
    source,
    roots,
    medium,
    groupOf,
  }: {
    readonly source: SourceEntries
    readonly roots: string[]
    readonly medium: Medium
    readonly groupOf: GroupOf | undefined
  },
): (level: ProtectionLevel) => Promise<LaidOut> {
  const { signal } = new AbortController()
  const { placement, placing } = request.placement
    ? placedSource(request.placement, source)
    : { placement: undefined, placing: undefined }
  const prefix = request.labelPrefix ?? labelPrefix(lastComponent(roots[0] ?? ''))
  const lines = new PlanLines(source)
  const createdWallMs = 0
  return async ({ protection: choice, parityDiscs }) => {
    const protection = protectionOf(choice)
    const plan = {
      id: NO_PLAN,
      createdWallMs,
      roots,
      medium,
      ...(placement && { placement }),
      ...(protection !== undefined && { protection }),
      ...(parityDiscs > 0 && { protectSet: parityDiscs as 1 | 2 }),
      ...discLists({ medium, protection, protectSet: parityDiscs || undefined }),
      mastering: masteringOf(medium, createdWallMs),
      indexVersion: INDEX_VERSION,
    } as const
    const laidOutOn = (on: Medium): Promise<Layout> =>
      layoutVolumes({
        notes: catalog,
        source,
        medium: on,
        plan,
        placement: placing,
        groupOf,
        payloadName: ownFolderName(topNames(source.items)),
        labelPrefix: prefix,
        lines,
        signal,
        onProgress: () => {},
      })
    if (parityDiscs === 0) return { volumes: (await laidOutOn(medium)).volumes, parity: [] }
    const { layout, parity } = await layoutWithParity({
      plan,
      medium,
      protectSet: parityDiscs,
      labelPrefix: prefix,
      generation: 1,
      layOut: laidOutOn,
    })
    return { volumes: layout.volumes, parity: parity.map(({ sectors }) => sectors) }
  }
}
