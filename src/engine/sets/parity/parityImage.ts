import { createHash } from 'node:crypto'
import type { PlanDocument } from '../../../contract/dto/plan'
import { ownFolderName } from '../../../domain/sets/naming/volumePaths'
import type { ParityDisc } from '../../../domain/sets/protection/setParity'
import { AppError } from '../../../primitives/appError'
import type { OwnFile } from '../../discImages/imageEntries'
import { type OwnLayout, ownLayout } from '../mastering/ownLayout'
import { PARITY_LIST, type ParityRow, parityName, parityTsv } from '../volume/lists/parityTsv'
import { sha256Line } from '../volume/lists/sha256Sums'
import { README_NAME, REBUILD_NAME, SUMS_NAME } from '../volume/planned/ownNames'
import { volumePlaces } from '../volume/planned/plannedVolume'
import { parityReadme } from './parityReadme'
import rebuildScript from './rebuild.py?raw'

/** The facts of a plan that the images of its parity discs follow from. */
export type ParityPlan = Pick<PlanDocument, 'id' | 'language' | 'createdWallMs'> & {
  readonly mastering: Pick<PlanDocument['mastering'], 'version' | 'volumeDateWallMs'>
}

/** Stowage's own folder on parity discs, which have nothing else. */
export const PARITY_FOLDER = ownFolderName([])

/** The parity follows all else on its disc. */
const PARITY_RANK = 2

/** The image of a parity disc, of which only the parity has no source yet. */
interface ParityLayout extends OwnLayout {
  /** The first sector of the parity. */
  readonly sector: number
  /** Its entry in the layout. */
  readonly entry: number
}

/**
 * Lays the image of a parity disc out. Its size does not depend on the digests in its list.
 * @param rows of the list, its own among them
 * @throws AppError `cannot-fit` for more than an image can be
 */
export async function parityLayout(
  plan: ParityPlan,
  { index, kind, label }: Omit<ParityDisc, 'sectors'>,
  rows: readonly ParityRow[],
): Promise<ParityLayout> {
  const parity = rows.find((row) => row.kind === kind)
  if (!parity) throw new AppError('internal', `no row of ${label}`)
  const texts: [string, string][] = [
    [README_NAME, parityReadme(plan, { kind, label }, rows, PARITY_FOLDER)],
    [PARITY_LIST, parityTsv(rows)],
    [REBUILD_NAME, rebuildScript],
  ]
  const sums = [
    ...texts.map(([name, text]): [string, string] => [name, createHash('sha256').update(text).digest('hex')]),
    [parityName(kind), parity.sha256] as const,
  ].map(([name, sha256]) => sha256Line(sha256, `${PARITY_FOLDER}/${name}`))
  const own: OwnFile[] = [...texts, [SUMS_NAME, sums.join('')] as const].map(([name, text]) => {
    const source = Buffer.from(text)
    return { name, bytes: source.length, source }
  })
  own.push({ name: parityName(kind), bytes: parity.bytes, source: null, rank: PARITY_RANK })
  const volume = { index, label, entries: [], places: volumePlaces(index, index), payloadName: PARITY_FOLDER }
  const laidOut = await ownLayout(plan, volume, own)
  const entry = laidOut.contents.numbers.get(`${PARITY_FOLDER}/${parityName(kind)}`) ?? 0
  return { ...laidOut, entry, sector: laidOut.layout.firstSectors()[entry] ?? 0 }
}

const UNKNOWN = '0'.repeat(64)

/** The rows of a list whose digests are not known yet. */
export function blankRows(
  images: readonly { readonly index: number; readonly label: string; readonly sectors: number }[],
  discs: readonly Omit<ParityDisc, 'sectors'>[],
): ParityRow[] {
  const bytes = 2048 * Math.max(0, ...images.map(({ sectors }) => sectors))
  return [
    ...images.map(({ index, label, sectors }): ParityRow => {
      return { number: index, kind: 'image', label, bytes: 2048 * sectors, sha256: UNKNOWN }
    }),
    ...discs.map(
      ({ index, kind, label }): ParityRow => ({ number: index, kind, label, bytes, sha256: UNKNOWN }),
    ),
  ]
}
