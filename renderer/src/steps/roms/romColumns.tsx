import type { RomsDocument } from '../../../../src/contract/dto/roms'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { RomState } from './RomState'
import { type FileRow, type HeldRow, type MissingRow, type SetCounts, type SetRow } from './romRows'
import { datName, fileStateWords } from './romWords'

type Dats = RomsDocument['dats']

/** The longest state of a file, in each language. */
const STATE_TRACK = '148px'

/** Where a state is in the order from missing to complete. */
const STATE_ORDER = { missing: 0, partial: 1, complete: 2 } as const

const setTable = (dats: Dats) =>
  ({
    rom_set: {
      heading: 'romSet',
      kind: 'name',
      of: ({ name }) => name,
      csv: {
        rom_set: ({ name }) => name,
        clone_of: ({ cloneOf }) => cloneOf ?? '',
        dat: ({ dat }) => nameAt(dats, dat),
      },
    },
    dat: { heading: 'dat', kind: 'name', of: ({ dat }) => nameAt(dats, dat), csv: {} },
    state: { heading: 'romState', kind: 'code', of: ({ state }) => state },
    found: {
      heading: 'romFiles',
      kind: 'count',
      of: ({ present }) => present,
      text: ({ present, files }) => (present === files ? null : t('roms.found.of', { present, files })),
      csv: { found: ({ present }) => present, needed: ({ files }) => files },
    },
    right: {
      heading: 'inPlace',
      kind: 'count',
      of: ({ right }) => right,
      text: ({ right, files }) => (right === files ? t('roms.inPlace.all') : null),
    },
  }) satisfies WindowTable<SetRow>

/** ROM sets, with the sign of the one that is unfolded. */
export function setColumns(dats: Dats, units: Units, unfolded: number | null): Column<SetRow>[] {
  const table = setTable(dats)
  return columnsOf<SetRow, keyof typeof table>(table, units, {
    rom_set: {
      track: 'minmax(150px, 3fr)',
      cell: ({ at, name }) => (
        <span className="rom-name">
          <span className="rom-fold muted" aria-hidden="true">
            {at === unfolded ? '▾' : '▸'}
          </span>
          <span className="ellipsis given-name" title={pathForDisplay(name)}>
            {pathForDisplay(name)}
          </span>
        </span>
      ),
    },
    ...(dats.length > 1 && { dat: { track: 'minmax(90px, 2fr)', isForComparing: true } }),
    state: {
      track: '108px',
      cell: ({ state }) => <RomState state={state} />,
      sortBy: ({ state }) => STATE_ORDER[state],
    },
    found: '88px',
    right: '72px',
  })
}

const missingTable = (dats: Dats) =>
  ({
    rom_set: { heading: 'romSet', kind: 'name', of: ({ set }) => set.name },
    name: { heading: 'romFile', kind: 'name', of: ({ file }) => file.name },
    bytes: { heading: 'size', kind: 'bytes', of: ({ file }) => file.bytes },
    state: { heading: 'romState', kind: 'code', of: ({ file }) => (file.mia ? 'mia' : 'missing') },
    dat: { heading: 'dat', kind: 'name', of: ({ set }) => nameAt(dats, set.dat) },
  }) satisfies WindowTable<MissingRow>

/** Files that were found nowhere. */
export function missingColumns(dats: Dats, units: Units): Column<MissingRow>[] {
  const table = missingTable(dats)
  return columnsOf<MissingRow, keyof typeof table>(table, units, {
    rom_set: 'minmax(160px, 3fr)',
    name: 'minmax(140px, 3fr)',
    bytes: '80px',
    state: {
      track: STATE_TRACK,
      isForComparing: true,
      cell: ({ file }) => <FileState row={{ state: file.mia ? 'mia' : 'missing', by: null }} />,
    },
    dat: { track: 'minmax(110px, 2fr)', isForComparing: true },
  })
}

const HELD = {
  state: {
    heading: 'romState',
    kind: 'code',
    of: ({ state, by }) => (by === null ? state : `${state} by ${by}`),
  },
  name: { heading: 'romFile', kind: 'name', of: ({ name }) => name },
  bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  path: { heading: 'where', kind: 'path', of: ({ found }) => (found === null ? '' : placeOf(found)) },
} satisfies WindowTable<HeldRow>

/** Files of one ROM set. */
export function heldColumns(roots: readonly string[], units: Units): Column<HeldRow>[] {
  return columnsOf<HeldRow, keyof typeof HELD>(HELD, units, {
    state: { track: STATE_TRACK, cell: (row) => <FileState row={row} /> },
    name: 'minmax(110px, 2fr)',
    bytes: '72px',
    path: {
      track: 'minmax(130px, 3fr)',
      cell: ({ found }) => found && <PathText path={placeBelow(roots, found)} isNameWhole />,
    },
  })
}

const fileTable = (dats: Dats) =>
  ({
    state: {
      heading: 'romState',
      kind: 'code',
      of: ({ state, by }) => (by === null ? state : `${state} by ${by}`),
    },
    path: { heading: 'path', kind: 'path', of: placeOf },
    bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
    rom_set: { heading: 'romSet', kind: 'name', of: ({ set }) => set ?? '' },
    name: { heading: 'romFile', kind: 'name', of: ({ name }) => name ?? '' },
    dat: { heading: 'dat', kind: 'name', of: ({ dat }) => (dat === null ? '' : nameAt(dats, dat)) },
  }) satisfies WindowTable<FileRow>

/** Files that were found. */
export function fileColumns({ dats, roots }: RomsDocument, units: Units): Column<FileRow>[] {
  const table = fileTable(dats)
  return columnsOf<FileRow, keyof typeof table>(table, units, {
    state: { track: STATE_TRACK, cell: (row) => <FileState row={row} /> },
    path: {
      track: 'minmax(200px, 3fr)',
      cell: (row) => <PathText path={placeBelow(roots, row)} isNameWhole />,
    },
    bytes: '80px',
    rom_set: { track: 'minmax(100px, 2fr)', isForComparing: true },
    name: { track: 'minmax(100px, 2fr)', isForComparing: true },
  })
}

/** A DAT with how many of its ROM sets have each state. */
export interface DatRow {
  readonly at: number
  readonly dat: Dats[number]
  readonly counts: SetCounts
}

const DATS = {
  dat: { heading: 'dat', kind: 'name', of: ({ dat }) => datName(dat) },
  version: { heading: 'version', kind: 'name', of: ({ dat }) => dat.version || dat.date },
  format: { heading: 'format', kind: 'code', of: ({ dat }) => dat.format },
  layout: { heading: 'layout', kind: 'code', of: ({ dat }) => dat.layout },
  complete: { heading: 'complete', kind: 'count', of: ({ counts }) => counts.complete },
  partial: { heading: 'partial', kind: 'count', of: ({ counts }) => counts.partial },
  missing: { heading: 'missing', kind: 'count', of: ({ counts }) => counts.missing },
} satisfies WindowTable<DatRow>

export function datColumns(units: Units): Column<DatRow>[] {
  return columnsOf<DatRow, keyof typeof DATS>(DATS, units, {
    dat: 'minmax(180px, 3fr)',
    version: 'minmax(90px, 1fr)',
    layout: { track: '96px', say: ({ dat }) => t(`roms.inputs.${dat.layout}`) },
    complete: '88px',
    partial: '88px',
    missing: '88px',
  })
}

function FileState({ row }: { row: Pick<HeldRow, 'state' | 'by'> }) {
  const { state } = row
  const tone =
    state === 'right' ? 'good' : state === 'missing' || state === 'mia' || state === 'bad-dump' ? 'bad' : ''
  const words = fileStateWords(row)
  return (
    <span className={`ellipsis rom-file ${tone}`} title={words}>
      {words}
    </span>
  )
}

/** The path of a file; of a member of a zip with its name in it. */
function placeOf({ path, member }: Pick<FileRow, 'path' | 'member'>): string {
  return member === null ? path : `${path}: ${member}`
}

/** The same below the folder that was given, which is named where there are several. */
function placeBelow(roots: readonly string[], file: Pick<FileRow, 'path' | 'member'>): string {
  const place = placeOf(file)
  const root = roots.find((each) => file.path.startsWith(`${each}/`) || file.path.startsWith(`${each}\\`))
  if (root === undefined) return place
  return roots.length === 1 ? place.slice(root.length + 1) : `${nameOf(root)}${place.slice(root.length)}`
}

function nameAt(dats: Dats, at: number): string {
  const dat = dats[at]
  return dat ? datName(dat) : ''
}
