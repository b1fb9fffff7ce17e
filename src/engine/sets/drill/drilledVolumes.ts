import type { DrillDocument } from '../../../domain/sets/drill/drillDocument'
import type { DrillCandidate } from '../../../domain/sets/drill/drillSample'
import { isBelow } from '../../../primitives/isBelow'
import { realPathAt } from '../../files/fileSystem'
import { type CopyCatalog, knownCopies } from '../copies/knownCopies'
import { type ProofCatalog, provedBy } from '../copies/provedBy'
import { whichCopy } from '../copies/whichCopy'
import { numbersAtHand, type Places, type RestorePlan } from '../restore/restorePlan'
import { openImage } from '../volume/image/image'
import type { FileRow, PartRow } from '../volume/lists/setIndex'
import { openFolder } from '../volume/lists/volume'
import type { GivenVolume } from '../volume/open/givenVolumes'
import type { OpenSet } from '../volume/open/openSet'
import { volumeLists } from '../volume/open/volumeLists'

/** A file that can be restored from the volumes at hand, as it should come back. */
export interface Candidate extends DrillCandidate {
  readonly label: string
  readonly mtimeNs: bigint | null
  readonly mode: number | null
  /** The rows of the index whose contents are read. */
  readonly rows: readonly (FileRow | PartRow)[]
  /** The container of a packed file, with the bytes of all files in it, which are unpacked too. */
  readonly container: { readonly path: string; readonly bytes: number } | null
}

/**
 * The files that the volumes at hand give without any other volume.
 * @param atHand numbers of the volumes
 */
export function candidatesOf(plan: RestorePlan, places: Places, atHand: ReadonlySet<number>): Candidate[] {
  const isThere = (rows: readonly (FileRow | PartRow)[]): boolean =>
    rows.every((row) => places.has(row) && atHand.has(row.volume))
  const plain = plan.plain.map(({ path, bytes, whole }) => ({
    path,
    bytes,
    label: whole.label,
    mtimeNs: whole.mtimeNs,
    mode: whole.mode,
    rows: [whole],
    container: null,
  }))
  const split = plan.split.map(({ path, bytes, parts }) => ({
    path,
    bytes,
    label: parts[0]?.label ?? '',
    mtimeNs: parts[0]?.mtimeNs ?? null,
    mode: parts[0]?.mode ?? null,
    // As the index has them: places are known by its rows.
    rows: rowsOf(parts, places),
    container: null,
  }))
  const packed = plan.packed.flatMap(({ container: { path: holder, rows }, files }) => {
    const container = { path: holder, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
    return files.map(({ path, bytes, whole }) => ({
      path,
      bytes,
      label: whole.label,
      mtimeNs: whole.mtimeNs,
      mode: whole.mode,
      rows,
      container,
    }))
  })
  return [...plain, ...split, ...packed].flatMap((candidate) =>
    candidate.rows.length > 0 && isThere(candidate.rows)
      ? [{ ...candidate, volumes: candidate.rows.map(({ volume }) => volume) }]
      : [],
  )
}

/** The rows of parts; empty where one of them is not at hand. */
function rowsOf(parts: RestorePlan['split'][number]['parts'], places: Places): PartRow[] {
  const known = new Map(
    [...places.keys()].flatMap((row) => (row.kind === 'part' ? [[keyOf(row), row] as const] : [])),
  )
  const rows = parts.flatMap((part) => known.get(keyOf(part)) ?? [])
  return rows.length === parts.length ? rows : []
}

function keyOf({ volume, path, offset }: PartRow): string {
  return `${volume}\t${offset}\t${path}`
}

/** A volume of a drill, and whether the catalog proves its lists. */
interface DrilledVolume {
  readonly shown: DrillDocument['volumes'][number]
  readonly isProved: boolean
}

/**
 * The volumes that a sample is restored from, each with the copy that it is: of several copies of
 * one, that which is read.
 * @param around.copy as the person says
 * @throws AppError `usage` where a volume may be one of several copies
 */
export async function drilledVolumes(
  { volumes, index }: OpenSet,
  { sample, places }: { readonly sample: readonly Candidate[]; readonly places: Places },
  around: {
    readonly catalog: ProofCatalog & CopyCatalog
    readonly copy: number | null
    readonly nowWallMs: number
  },
): Promise<DrilledVolume[]> {
  const { catalog, copy: asked, nowWallMs } = around
  const known = knownCopies(catalog, nowWallMs)
  const read = sample.flatMap(({ rows }) => rows.flatMap((row) => places.get(row)?.file ?? []))
  const isRead = ({ path, folder }: GivenVolume): boolean =>
    read.some((file) => file === path || isBelow(file, folder ?? path))
  const atHand = [...(await numbersAtHand(volumes))]
  const readOf = new Set(atHand.flatMap(([given, number]) => (isRead(given) ? [number] : [])))
  const found: DrilledVolume[] = []
  for (const [given, number] of atHand) {
    const files = sample.filter((candidate) => candidate.volumes.includes(number)).length
    if (files === 0 || (readOf.has(number) && !isRead(given))) continue
    const label = index.volumes.find((volume) => volume.index === number)?.label ?? ''
    const { path: at, folder } = given
    const lists = await volumeLists(folder === null ? await openImage(at) : await openFolder(at))
    const { planId, setId } = lists
    const own = known.filter((copy) => copy.planId === planId && copy.label === label)
    const volume = own[0]?.volume ?? number
    const path = realPathAt(at) ?? at
    const copy =
      own.length === 0 ? null : whichCopy({ path, planId, setId, index: volume, label }, asked, own)
    const shown = {
      path: at,
      planId,
      volume,
      label,
      copy,
      place: own.find((one) => one.copy === copy)?.place ?? null,
      files,
    }
    found.push({ shown, isProved: 'against' in provedBy(lists, catalog) })
  }
  return found
}
