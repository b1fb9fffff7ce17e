import { protectionWord } from '../../domain/sets/protection/protectionChoice'
import type { Estimate, Provenance } from '../../primitives/estimate'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatSpan } from '../../primitives/spokenTime'
import type { PlanDocument, PlanVolume, ProtectionLevel, ProtectionRow, VolumeTimes } from '../dto/plan'
import { type FigureColumn, tableOf } from './declaredTable'

/**
 * The volumes of a plan, or of a draft.
 * @param sized where the sizes of the volumes come from; by default as plans have them
 */
export function planVolumeTable(
  { medium, packing }: Pick<PlanDocument, 'medium' | 'packing'>,
  sized: Provenance = packing?.bytes.provenance ?? (medium.kind === 'folder' ? 'modelled' : 'exact'),
) {
  // One archive over all volumes has no files of a single one.
  const isJoined = packing?.arrangement === 'joined'
  const isFolder = medium.kind === 'folder'
  const free = ({ sectors, capacitySectors }: PlanVolume): number =>
    Math.max(0, capacitySectors - sectors) * medium.sectorBytes
  return tableOf<PlanVolume>()({
    disc: { heading: 'disc', kind: 'ordinal', of: ({ index }) => index },
    label: { heading: 'label', kind: 'label', of: ({ label }) => label },
    files: { heading: 'files', kind: 'count', of: ({ files }) => (isJoined ? null : files) },
    bytes: { heading: 'bytesOfFiles', kind: 'bytes', of: ({ bytes }) => (isJoined ? null : bytes) },
    sectors: {
      heading: packing ? (isFolder ? 'packedUnits' : 'packedSize') : isFolder ? 'folderSize' : 'imageSize',
      kind: 'count',
      of: ({ sectors }) => sectors,
      mark: sized,
      csv: {
        sectors: ({ sectors }) => sectors,
        capacity_sectors: ({ capacitySectors }) => capacitySectors,
      },
    },
    capacity_sectors: {
      heading: 'capacity',
      kind: 'count',
      of: ({ capacitySectors }) => capacitySectors,
    },
    full: {
      heading: 'full',
      kind: 'share',
      of: ({ sectors, capacitySectors }) => sectors / capacitySectors,
    },
    free_bytes: { heading: 'free', kind: 'bytes', of: free },
    recovery_bytes: {
      heading: 'recovery',
      kind: 'bytes',
      of: ({ protection }) => protection?.bytes ?? null,
      csv: {
        recovery_bytes: ({ protection }) => protection?.bytes ?? 0,
        scratch_bytes: ({ protection }) => protection?.scratchBytes ?? 0,
      },
    },
    folders: {
      heading: 'folders',
      kind: 'words',
      of: ({ shares }) =>
        shares
          .map(({ path }) => path)
          .filter((path) => path !== '')
          .join(', '),
    },
  })
}

/** The levels of protection that survive different damage, and their costs. */
export const PROTECTION_TABLE = tableOf<ProtectionRow>()({
  level: { heading: 'protection', kind: 'words', of: protectionText },
  sectors: {
    heading: 'damagedSectors',
    kind: 'count',
    of: ({ survives }) => survives.sectors,
    // Discs that are too full for recovery data are named: nothing on them can be repaired.
    text: ({ protection, unprotectedVolumes }) =>
      protection === 'none' || unprotectedVolumes === 0
        ? null
        : `0 on ${formatCounted(unprotectedVolumes, 'full disc')}`,
  },
  scratch_bytes: { heading: 'scratch', kind: 'bytes', of: ({ survives }) => survives.scratchBytes },
  lost_discs: { heading: 'lostDiscs', kind: 'count', of: ({ survives }) => survives.discs },
  bytes: { heading: 'space', kind: 'bytes', of: ({ bytes }) => bytes, mark: 'exact' },
  discs: {
    heading: 'discs',
    kind: 'count',
    of: ({ volumes }) => volumes,
    text: ({ volumes, extraVolumes }) =>
      extraVolumes === 0 ? null : `${formatCount(volumes)} (+${formatCount(extraVolumes)})`,
    mark: 'exact',
  },
  cpu_seconds: {
    heading: 'cpuMore',
    kind: 'forecast',
    of: ({ cpuSeconds }) => cpuSeconds.value,
    text: ({ cpuSeconds }) => more(cpuSeconds),
    mark: 'modelled',
  },
  write_seconds: {
    heading: 'writingMore',
    kind: 'forecast',
    of: ({ writeSeconds }) => writeSeconds.value,
    text: ({ writeSeconds }) => more(writeSeconds),
    mark: 'modelled',
  },
})

/** `10%`, `fill + 1 parity disc`, `fill, second copy`. */
export function protectionText({ protection, parityDiscs, copies }: ProtectionLevel): string {
  const word = protectionWord(protection)
  if (copies > 1) return `${word}, second copy`
  return parityDiscs === 0 ? word : `${word} + ${formatCounted(parityDiscs, 'parity disc')}`
}

/** The steps of a plan, in the order in which they come. */
export const TIME_STEPS = ['pack', 'build', 'write', 'verify', 'restore'] as const
export type TimeStep = (typeof TIME_STEPS)[number]

/** The steps that take time: one that takes none, such as writing into a folder, has no row. */
export function stepsOf(times: VolumeTimes): TimeStep[] {
  return TIME_STEPS.filter((step) => (times[step]?.high ?? 0) > 0)
}

/** The rows of the times of a plan. */
export const STEP_TABLE = tableOf<TimeStep>()({
  step: { heading: 'step', kind: 'code', of: (step) => step },
})

/**
 * How long each step takes.
 * @param times of all volumes, or of one of them
 * @param name begins the names of its fields in the CSV
 */
export function timeColumn(times: VolumeTimes | undefined, name: string) {
  return {
    heading: 'timeOfAll',
    kind: 'forecast',
    of: (step) => times?.[step]?.value ?? null,
    text: (step) => {
      const time = times?.[step]
      return time ? formatSpan(time) : null
    },
    csv: {
      [`${name}_seconds`]: (step) => times?.[step]?.value ?? '',
      [`${name}_seconds_low`]: (step) => times?.[step]?.low ?? '',
      [`${name}_seconds_high`]: (step) => times?.[step]?.high ?? '',
    },
  } satisfies FigureColumn<TimeStep>
}

function more(time: Estimate): string {
  return time.high <= 0 ? '' : `+ ${formatSpan(time)}`
}

/** The fields of a volume of a run that its forecast and its result share. */
export interface ComparedVolume {
  readonly index: number
  readonly label: string
  readonly files: number
  readonly bytes: number
  /** Null where the build needed a volume that was not forecast. */
  readonly forecastSectors: number | null
  readonly actualSectors: number | null
}

/**
 * Each volume of a run: what was forecast, what came out.
 * @param isOfFolders true where sizes are in 4 KiB units instead of sectors
 */
export function runTable(isOfFolders: boolean) {
  return tableOf<ComparedVolume>()({
    disc: { heading: 'disc', kind: 'ordinal', of: ({ index }) => index },
    label: { heading: 'label', kind: 'label', of: ({ label }) => label },
    files: { heading: 'files', kind: 'count', of: ({ files }) => files },
    bytes: { heading: 'content', kind: 'bytes', of: ({ bytes }) => bytes },
    forecast_sectors: {
      heading: 'forecast',
      kind: 'count',
      of: ({ forecastSectors }) => forecastSectors,
    },
    actual_sectors: {
      heading: isOfFolders ? 'actualUnits' : 'actualSectors',
      kind: 'count',
      of: ({ actualSectors }) => actualSectors,
    },
  })
}
