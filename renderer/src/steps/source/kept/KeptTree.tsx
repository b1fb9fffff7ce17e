import { useMemo } from 'react'
import type { KeptDocument, SourceRow } from '../../../../../src/contract/dto/survey'
import type { SizeWriter } from '../../../../../src/contract/tables/declaredTable'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { type Column, csvOf, DataTable } from '../../../components/DataTable'
import { columnsOf, type WindowTable } from '../../../components/declaredColumns'
import type { Csv } from '../../../components/Panel'
import { type Checked, TreeName } from '../../../components/TreeName'
import { t } from '../../../copy'
import { nameOf } from '../../../format/paths'
import { useSession } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { isOut, type KeptState, leftOutAbove, rowOf, wholeOf } from '../../../state/source/keptState'
import { sayRule } from '../../../state/source/ruleWords'
import { type FolderRows, folderRows, sayShown } from '../../survey/stored/storedShare'
import { sayRowLeftOut } from './leftOutWords'
import { parentOf, type TreeRow } from './treeRows'

const VISIBLE_ROWS = 8
const ROW_PX = 30
/** The height that is kept for either view. */
export const VIEW_PX = (VISIBLE_ROWS + 1) * ROW_PX
/** The line of actions below the tree, which the map has next to it. */
export const ACTS_PX = 42

/**
 * Folders and files, the largest first unless a column sorts them; each can be left out or taken
 * back by its check box.
 */
export function KeptTree({
  state,
  rows,
  stored,
  units,
}: {
  state: KeptState
  rows: readonly TreeRow[]
  /** How much of the sources is on verified volumes, where a survey knows. */
  stored: KeptDocument | null
  units: Units
}) {
  const session = useSession(KeptSession)
  const storedRows = useMemo(() => folderRows(stored), [stored])
  const at = rows.findIndex(({ key }) => key === state.picked)
  const toggle = (line: TreeRow) => {
    if (line.kind === 'entry') session.toggle(line.row)
  }
  return (
    <DataTable
      label={t('kept.title')}
      columns={columnsFor(state, storedRows, units, {
        onOpen: (path, isOpen) => session.setOpen(path, isOpen),
        onToggle: toggle,
      })}
      rows={rows}
      rowKey={({ key }) => key}
      visibleRows={VISIBLE_ROWS}
      empty={t('kept.none')}
      isSelected={({ key }) => key === state.picked}
      activeAt={at < 0 ? undefined : at}
      inView={at}
      onPick={({ key }) => session.pick(key)}
      tree={{
        levelOf: ({ level }) => level,
        isOpen: (line) => (line.kind === 'entry' ? line.isOpen : undefined),
        onOpen: ({ key }, isOpen) => session.setOpen(key, isOpen),
        isLast: ({ kind }) => kind !== 'entry',
        parentOf: (index, shown) => parentOf(shown, index),
        onCheck: toggle,
      }}
    />
  )
}

interface Acts {
  readonly onOpen: (path: string, isOpen: boolean) => void
  readonly onToggle: (line: TreeRow) => void
}

/** Figures of folders and files alone: the other lines are not in the CSV. */
const ofEntry =
  <Value extends string | number>(of: (row: SourceRow) => Value) =>
  (line: TreeRow): Value | '' =>
    line.kind === 'entry' ? of(line.row) : ''

const unlessLoading =
  (of: (line: Exclude<TreeRow, { kind: 'loading' }>) => number) =>
  (line: TreeRow): number | null =>
    line.kind === 'loading' ? null : of(line)

/** The lines of the tree; the names of the CSV, unlike those of other tables, are in camelCase. */
function treeTable(state: KeptState, stored: FolderRows | null) {
  const { document, folders } = state
  const whole = document ? wholeOf(document).bytes : 0
  return {
    name: {
      heading: 'name',
      kind: 'name',
      of: ofEntry(({ name }) => name),
      csv: {
        path: ofEntry(({ path }) => path),
        files: ofEntry(({ files }) => files),
        bytes: ofEntry(({ bytes }) => bytes),
      },
    },
    size: { heading: 'size', kind: 'bytes', of: unlessLoading(bytesOf), csv: {} },
    files: { heading: 'files', kind: 'count', of: unlessLoading(filesOf), csv: {} },
    share: {
      heading: 'share',
      kind: 'share',
      of: unlessLoading((line) => (whole === 0 ? 0 : bytesOf(line) / whole)),
      csv: {},
    },
    stored: {
      heading: 'stored',
      kind: 'words',
      of: ofEntry(({ path }) => (stored ? sayShown(stored, (each) => rowOf(folders, each), path) : '')),
      csv: {},
    },
    leftOut: {
      heading: 'leftOut',
      kind: 'words',
      of: (line, size) => sayLeftOut(state, line, size),
      csv: {
        excludedFiles: ofEntry(({ excludedFiles }) => excludedFiles),
        excludedBytes: ofEntry(({ excludedBytes }) => excludedBytes),
        rule: ofEntry(({ rule: place }) => {
          const rule = place === null ? undefined : document?.excluded?.rules[place]
          return rule ? sayRule(rule) : ''
        }),
      },
    },
  } satisfies WindowTable<TreeRow>
}

function columnsFor(
  state: KeptState,
  stored: FolderRows | null,
  units: Units,
  acts: Acts,
): Column<TreeRow>[] {
  const table = treeTable(state, stored)
  const unsorted = (track: string) => ({ track, isSorted: false }) as const
  return columnsOf<TreeRow, keyof typeof table>(table, units, {
    name: {
      track: stored ? 'minmax(112px, 2fr)' : 'minmax(170px, 2fr)',
      cell: (line) => <NameCell state={state} line={line} acts={acts} />,
    },
    size: '76px',
    files: '62px',
    // In the order of the sizes.
    share: unsorted('52px'),
    ...(stored && { stored: { ...unsorted('72px'), align: 'end' } }),
    leftOut: {
      ...unsorted(stored ? 'minmax(66px, 1fr)' : 'minmax(80px, 1fr)'),
      cell: (line) => <LeftOutCell words={sayLeftOut(state, line, (bytes) => formatSize(bytes, units))} />,
    },
  })
}

function NameCell({ state, line, acts }: { state: KeptState; line: TreeRow; acts: Acts }) {
  const { level } = line
  if (line.kind !== 'entry') {
    const words = line.kind === 'loading' ? t('kept.loading') : t('kept.others', { count: filesOf(line) })
    return (
      <TreeName level={level} title={words} className="muted">
        {words}
      </TreeName>
    )
  }
  const { row, isOpen } = line
  const isSource = state.document?.roots.includes(row.path) === true
  const name = isSource ? nameOf(row.path) : pathForDisplay(row.name)
  const checked = keptOf(state, line)
  return (
    <TreeName
      level={level}
      title={pathForDisplay(row.path)}
      className={checked === 'no' ? 'out' : ''}
      fold={
        isOpen === undefined
          ? null
          : {
              isOpen,
              label: t(isOpen ? 'kept.close' : 'kept.open', { name }),
              onPress: () => acts.onOpen(row.path, !isOpen),
            }
      }
      check={
        isSource ? null : { checked, label: t('kept.keep', { name }), onPress: () => acts.onToggle(line) }
      }
    >
      {name}
    </TreeName>
  )
}

function LeftOutCell({ words }: { words: string }) {
  return (
    <span className="given-name ellipsis muted" title={words}>
      {words}
    </span>
  )
}

/** The share of a line that is left out, or the rule that takes it as a whole. */
function sayLeftOut(state: KeptState, line: TreeRow, size: SizeWriter): string {
  if (line.kind === 'loading') return ''
  if (line.kind === 'entry') return sayRowLeftOut(state, line.row, size)
  const { excludedBytes, excludedFiles } = line.others
  return excludedFiles > 0 ? size(excludedBytes) : ''
}

function keptOf(state: KeptState, { row }: Extract<TreeRow, { kind: 'entry' }>): Checked {
  if (isOut(state, row) || leftOutAbove(state, row.path) !== null) return 'no'
  return row.rule === null && row.excludedFiles > 0 ? 'partly' : 'yes'
}

function bytesOf(line: Exclude<TreeRow, { kind: 'loading' }>): number {
  const { bytes, excludedBytes } = line.kind === 'entry' ? line.row : line.others
  return bytes + excludedBytes
}

function filesOf(line: Exclude<TreeRow, { kind: 'loading' }>): number {
  const { files, excludedFiles } = line.kind === 'entry' ? line.row : line.others
  return files + excludedFiles
}

/** The lines of the tree that are open, as a table. */
export function csvOfTree(rows: readonly TreeRow[], state: KeptState): Csv {
  return {
    name: 'kept',
    ...csvOf(
      Object.values(treeTable(state, null)),
      rows.filter(({ kind }) => kind === 'entry'),
    ),
  }
}
