import { useMemo } from 'react'
import type { KeptDocument } from '../../../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatCount, formatShare, formatSize, type Units } from '../../../../../src/primitives/quantity'
import { type Column, DataTable } from '../../../components/DataTable'
import { Size } from '../../../components/Figure'
import type { Csv } from '../../../components/Panel'
import { type Checked, TreeName } from '../../../components/TreeName'
import { t } from '../../../copy'
import { nameOf } from '../../../format/paths'
import { useSession } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { isOut, type KeptState, leftOutAbove, rowOf, wholeOf } from '../../../state/source/keptState'
import { sayRule } from '../../../state/source/ruleWords'
import { type FolderRows, folderRows, sayShown } from '../../survey/stored/storedShare'
import { parentOf, type TreeRow } from './treeRows'

const VISIBLE_ROWS = 8
const ROW_PX = 30
/** The height that is kept for either view. */
export const VIEW_PX = (VISIBLE_ROWS + 1) * ROW_PX

/** Folders and files, the largest first; each can be left out or taken back by its check box. */
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
      columns={columnsOf(state, storedRows, units, {
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
        parentOf: (index) => parentOf(rows, index),
        onCheck: toggle,
      }}
    />
  )
}

interface Acts {
  readonly onOpen: (path: string, isOpen: boolean) => void
  readonly onToggle: (line: TreeRow) => void
}

function columnsOf(state: KeptState, stored: FolderRows | null, units: Units, acts: Acts): Column<TreeRow>[] {
  const { document } = state
  const whole = document ? wholeOf(document) : { files: 0, bytes: 0 }
  return [
    {
      key: 'name',
      header: t('kept.column.name'),
      track: stored ? 'minmax(112px, 2fr)' : 'minmax(170px, 2fr)',
      cell: (line) => <NameCell state={state} line={line} acts={acts} />,
    },
    {
      key: 'size',
      header: t('column.size'),
      track: '76px',
      align: 'end',
      cell: (line) => line.kind !== 'loading' && <Size bytes={bytesOf(line)} units={units} />,
    },
    {
      key: 'files',
      header: t('column.files'),
      track: '62px',
      align: 'end',
      cell: (line) => line.kind !== 'loading' && formatCount(filesOf(line)),
    },
    {
      key: 'share',
      header: t('column.share'),
      track: '52px',
      align: 'end',
      cell: (line) =>
        line.kind !== 'loading' && formatShare(whole.bytes === 0 ? 0 : bytesOf(line) / whole.bytes),
    },
    ...(stored ? [storedColumn(stored, state)] : []),
    {
      key: 'leftOut',
      header: t('kept.column.leftOut'),
      track: stored ? 'minmax(66px, 1fr)' : 'minmax(80px, 1fr)',
      cell: (line) => <LeftOutCell state={state} line={line} units={units} />,
    },
  ]
}

/** The share of a line that is on verified volumes. */
function storedColumn(stored: FolderRows, { folders }: KeptState): Column<TreeRow> {
  return {
    key: 'stored',
    header: t('column.stored'),
    track: '72px',
    align: 'end',
    cell: (line) => line.kind === 'entry' && sayShown(stored, (path) => rowOf(folders, path), line.row.path),
  }
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

/** The share of a line that is left out, or the rule that takes it as a whole. */
function LeftOutCell({ state, line, units }: { state: KeptState; line: TreeRow; units: Units }) {
  const words = sayLeftOut(state, line, units)
  return (
    <span className="given-name ellipsis muted" title={words}>
      {words}
    </span>
  )
}

function sayLeftOut(state: KeptState, line: TreeRow, units: Units): string {
  if (line.kind === 'loading') return ''
  const { excludedBytes, excludedFiles } = line.kind === 'entry' ? line.row : line.others
  const part = excludedFiles > 0 ? formatSize(excludedBytes, units) : ''
  if (line.kind === 'others') return part
  const { row } = line
  if (leftOutAbove(state, row.path) !== null) return t('kept.pending.above')
  const now = isOut(state, row)
  if (now && row.rule === null) return t('kept.pending.out')
  if (!now && row.rule !== null) return t('kept.pending.back')
  const rule = row.rule === null ? undefined : state.document?.excluded?.rules[row.rule]
  return rule ? t('kept.allBy', { rule: sayRule(rule) }) : part
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
export function csvOfTree(rows: readonly TreeRow[], document: KeptState['document']): Csv {
  return {
    name: 'kept',
    header: ['path', 'files', 'bytes', 'excludedFiles', 'excludedBytes', 'rule'],
    rows: rows.flatMap((line) => {
      if (line.kind !== 'entry') return []
      const { path, files, bytes, excludedFiles, excludedBytes, rule: place } = line.row
      const rule = place === null ? undefined : document?.excluded?.rules[place]
      return [[path, files, bytes, excludedFiles, excludedBytes, rule ? sayRule(rule) : '']]
    }),
  }
}
