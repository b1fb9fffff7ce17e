import type { FileClass, SurveyDocument } from '../../../../src/contract/dto/survey'
import type { Amount } from '../../charts/SizeChart'
import type { TileSelection } from '../../charts/TypeTreemap'
import type { TypeTile } from '../../charts/typeTiles'

type TypeRow = SurveyDocument['types'][number]
type SizeBin = SurveyDocument['sizeHistogram'][number]

/** The selection in the treemap, the type table or the size histogram; the other two follow. */
export type Linked =
  | { readonly by: 'class'; readonly fileClass: FileClass }
  | { readonly by: 'type'; readonly extension: string | null }
  | { readonly by: 'size'; readonly bin: number }
  | null

/** The selection after a pick: picking what is picked lets go of it. */
export function pick(was: Linked, next: Linked): Linked {
  return was !== null && next !== null && JSON.stringify(was) === JSON.stringify(next) ? null : next
}

/**
 * The part of a type that belongs to the selection: all, nothing, or its files of the selected
 * size.
 */
export function amountOf(row: TypeRow, linked: Linked): Amount {
  const nothing = { files: 0, bytes: 0 }
  if (linked === null) return row
  switch (linked.by) {
    case 'class':
      return row.fileClass === linked.fileClass ? row : nothing
    case 'type':
      return row.extension === linked.extension ? row : nothing
    case 'size': {
      const part = row.bySize?.find(([bin]) => bin === linked.bin)
      return part ? { files: part[1], bytes: part[2] } : nothing
    }
  }
}

/** The selection that picking a tile makes: its type, or its class where it holds several. */
export function linkOf({ rows, fileClass }: TypeTile): Linked {
  const only = rows.length === 1 ? rows[0] : undefined
  return only ? { by: 'type', extension: only.extension } : { by: 'class', fileClass }
}

/** The selection as the treemap shows it. */
export function tileSelection(linked: Linked): TileSelection | null {
  if (linked === null) return null
  return {
    isPicked: ({ rows, fileClass }) =>
      linked.by === 'class'
        ? linked.fileClass === fileClass
        : linked.by === 'type' && rows.length === 1 && rows[0]?.extension === linked.extension,
    shareOf: ({ rows, bytes }) => (bytes === 0 ? 0 : amountWithin(rows, linked).bytes / bytes),
  }
}

/**
 * The types that the table shows for a selection, with their amounts within it. A picked type
 * leaves all in place.
 */
export function typesWithin(rows: readonly TypeRow[], linked: Linked): TypeRow[] {
  if (linked === null || linked.by === 'type') return [...rows]
  return rows
    .map((row) => ({ ...row, ...amountOf(row, linked) }))
    .filter((row) => row.files > 0)
    .sort((one, other) => other.bytes - one.bytes)
}

/**
 * The part of each bin that belongs to the selection; null when nothing is picked, or when the
 * types do not know their sizes.
 */
export function binsWithin(
  bins: readonly SizeBin[],
  rows: readonly TypeRow[],
  linked: Linked,
): Amount[] | null {
  if (linked === null) return null
  if (linked.by === 'size')
    return bins.map((bin, index) => (index === linked.bin ? bin : { files: 0, bytes: 0 }))
  const amounts = bins.map(() => ({ files: 0, bytes: 0 }))
  for (const row of rows) {
    if (amountOf(row, linked).files === 0) continue
    if (!row.bySize) return null
    for (const [bin, files, bytes] of row.bySize) {
      const amount = amounts[bin]
      if (!amount) continue
      amount.files += files
      amount.bytes += bytes
    }
  }
  return amounts
}

/** Files and bytes of the selection. */
export function amountWithin(rows: readonly TypeRow[], linked: Linked): Amount {
  return rows
    .map((row) => amountOf(row, linked))
    .reduce((sum, { files, bytes }) => ({ files: sum.files + files, bytes: sum.bytes + bytes }), {
      files: 0,
      bytes: 0,
    })
}
