import type { PlanDocument } from '../../../contract/dto/plan'
import { generationAsOf } from '../../../domain/sets/growing/asOf'
import { formOfPlan } from '../../../domain/sets/packedForm'
import type { Catalog } from '../../catalog/catalog'
import { textBytes } from '../../files/fileSystem'
import { catalogIndexText } from '../volume/lists/catalogIndexText'
import { grownIndex } from '../volume/lists/grownIndex'
import type { Generation } from '../volume/lists/historyLines'
import { type FileRow, type IndexRow, readableIndex, type SetIndex } from '../volume/lists/setIndex'

/** The index of a set, with the states of an archive that grows. */
export interface ReadSet {
  readonly index: SetIndex
  readonly generations?: readonly Generation[]
}

/**
 * The set of a plan as the catalog knows it: which file is on which volume. Sectors, and the
 * containers of packed files, are not in it; a packed file needs its whole volume, and of a joined
 * archive all volumes.
 * @throws AppError as `generationAsOf`
 */
export function catalogSet(
  plan: PlanDocument,
  catalog: Pick<Catalog, 'planEntries' | 'planHistory'>,
  asOf?: string,
): ReadSet {
  const text = textBytes(catalogIndexText(plan, catalog))
  const grown = grownIndex(text)
  if (grown) return { index: grown.asOf(asOf), generations: grown.generations }
  if (asOf !== undefined) generationAsOf(asOf, [{ generation: 1, createdWallMs: plan.createdWallMs }])
  const index = readableIndex(text)
  if (!plan.packing) return { index }
  const volumes = plan.volumes.map(({ index: number, label }) => ({ index: number, label }))
  return { index: { ...index, volumes, rows: packedRows(plan, index.rows) } }
}

/** The rows with a container for each volume, or for all together. */
function packedRows(plan: PlanDocument, rows: readonly IndexRow[]): IndexRow[] {
  const form = formOfPlan(plan)
  const isJoined = plan.packing?.arrangement === 'joined' || form === null
  const nameOf = (volume: number): string => (isJoined ? 'all' : String(volume))
  const packed = rows.map((row) =>
    row.kind === 'file' ? { ...row, packed: { in: nameOf(row.volume), member: row.path } } : row,
  )
  const container = { attributes: [], owner: null, mode: null, mtimeNs: null, method: 'packed' } as const
  const containers = plan.volumes.map(({ index, label }): IndexRow => {
    const own = { ...container, volume: index, label, bytes: 0, sha256: '', sector: null, holes: false }
    const file: FileRow = { ...own, kind: 'file', path: nameOf(index), linkOf: null, packed: null }
    return isJoined
      ? { ...own, kind: 'part', path: `all.${index}`, whole: 'all', offset: index, wholeSha256: '' }
      : file
  })
  return [...packed, ...containers]
}
