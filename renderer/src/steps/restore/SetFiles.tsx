import { useMemo } from 'react'
import { Button, Input, SearchField } from 'react-aria-components'
import type { OpenedSet, SetRow } from '../../../../src/contract/dto/openedSet'
import { folderOf } from '../../../../src/contract/dto/restore'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { PathText } from '../../components/PathText'
import { TablePanel } from '../../components/TablePanel'
import { TreeName } from '../../components/TreeName'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { RestoreSession } from './restoreSession'
import type { RestoreState } from './restoreState'
import { sayLabels, type UnitWord } from './restoreWords'
import { pagesFor, type SetLine, setLines, VISIBLE_ROWS } from './setLines'
import { checkedOf, partlyChosen } from './setMarks'
import { useUnitWord } from './useUnitWord'

const ROW_PX = 30

/** The folders and files of a set, each with a check box: as a tree, or those that were found. */
export function SetFiles({ state, set, title }: { state: RestoreState; set: OpenedSet; title: string }) {
  const session = useSession(RestoreSession)
  const units = useUnits()
  const { folders, open, marks, picked, pattern, found } = state
  const isSearch = pattern.trim() !== ''
  const tree = useMemo(() => setLines(set, folders, open), [set, folders, open])
  const rows = useMemo(
    () => found?.rows.map((row): SetLine => ({ row, level: 1, isOpen: undefined })) ?? [],
    [found],
  )
  const lines = isSearch ? rows : tree.lines
  const partly = useMemo(() => partlyChosen(marks), [marks])
  const placeOf = (path: string) => lines.findIndex((line) => line?.row.path === path)
  const at = picked === null ? -1 : placeOf(picked)
  const toggle = (line: SetLine) => session.toggle(line.row.path)
  const need = (from: number, to: number) => {
    for (const { folder, offset } of pagesFor(tree.gaps, from, to)) void session.load(folder, offset)
  }
  const unit = useUnitWord()
  const columns = columnsFor({ set, title, units, unit, isSearch, state, partly, session })
  return (
    <TablePanel
      title={t('restore.filesTitle')}
      says={isSearch ? sayFound(state) : t('restore.treeSays')}
      keptPx={(VISIBLE_ROWS + 1) * ROW_PX}
      above={<Search state={state} />}
      columns={columns}
      rows={lines}
      rowKey={({ row }) => row.path}
      visibleRows={VISIBLE_ROWS}
      empty={isSearch && found ? t('restore.noneFound') : ''}
      isSelected={({ row }) => row.path === picked}
      activeAt={at < 0 ? undefined : at}
      inView={at}
      onPick={({ row }) => session.pick(row.path)}
      {...(isSearch ? {} : { need })}
      tree={{
        levelOf: ({ level }) => level,
        isOpen: ({ isOpen }) => isOpen,
        onOpen: ({ row }, isOpen) => session.fold(row.path, isOpen),
        parentOf: (index) => {
          const path = lines[index]?.row.path ?? ''
          return isSearch || path === '' ? -1 : placeOf(folderOf(path))
        },
        onCheck: toggle,
      }}
    />
  )
}

function Search({ state }: { state: RestoreState }) {
  const session = useSession(RestoreSession)
  const { found, pattern } = state
  const isWhole = found !== null && found.total > 0 && found.total <= found.rows.length
  return (
    <div className="restore-search">
      <SearchField
        className="field"
        aria-label={t('restore.search')}
        value={pattern}
        onChange={(typed) => session.type(typed)}
      >
        <Input className="input" placeholder={t('restore.search.example')} />
      </SearchField>
      {found !== null && (
        <Button className="plain" isDisabled={!isWhole} onPress={() => session.chooseFound()}>
          {t('restore.chooseFound', { count: found.total })}
        </Button>
      )}
    </div>
  )
}

function sayFound({ found }: RestoreState): string {
  if (found === null) return t('restore.searching')
  if (found.total === 0) return t('restore.noneFoundFor', { pattern: found.pattern })
  return found.total > found.rows.length
    ? t('restore.foundFirst', { shown: found.rows.length, total: found.total, pattern: found.pattern })
    : t('restore.found', { count: found.total, pattern: found.pattern })
}

interface Shown {
  readonly set: OpenedSet
  readonly title: string
  readonly units: Units
  readonly unit: UnitWord
  readonly isSearch: boolean
  readonly state: RestoreState
  readonly partly: ReadonlySet<string>
  readonly session: RestoreSession
}

/** A tree by names, or what was found by path. */
const filesTable = ({ set, isSearch }: Pick<Shown, 'set' | 'isSearch'>) => {
  const labels = new Map(set.volumes.map(({ index, label }) => [index, label]))
  return {
    name: { heading: isSearch ? 'path' : 'name', kind: 'path', of: ({ row }) => row.path },
    size: {
      heading: 'size',
      kind: 'bytes',
      of: ({ row }) => (row.kind === 'symlink' ? null : row.bytes),
    },
    files: { heading: 'files', kind: 'count', of: ({ row }) => (row.kind === 'folder' ? row.files : null) },
    discs: { heading: 'volume', kind: 'name', of: ({ row }) => sayVolumes(row, labels) },
  } satisfies WindowTable<SetLine>
}

function columnsFor(shown: Shown): Column<SetLine>[] {
  const table = filesTable(shown)
  const { set, unit } = shown
  const { isDetailed } = shown.state
  // Its order is that of the tree.
  const column = (track: string) => ({ track, isSorted: false }) as const
  return columnsOf<SetLine, keyof typeof table>(table, shown.units, {
    name: { ...column('minmax(170px, 1fr)'), cell: (line) => <NameCell shown={shown} line={line} /> },
    size: column('80px'),
    ...(isDetailed && { files: column('68px') }),
    // What is given needs no disc to be fetched: its places matter to few.
    ...((isDetailed || set.volumes.some(({ atHand }) => !atHand)) && {
      discs: {
        ...column('minmax(110px, 200px)'),
        header: t(unit === 'folder' ? 'column.folder' : 'column.volume'),
        cell: (line: SetLine) => <Labels words={table.discs.of(line)} />,
      },
    }),
  })
}

function Labels({ words }: { words: string }) {
  return (
    <span className="ellipsis given-name muted" title={words}>
      {words}
    </span>
  )
}

function sayVolumes({ volumes, volumeCount }: SetRow, labels: ReadonlyMap<number, string>): string {
  const [first = ''] = volumes.map((index) => labels.get(index) ?? '')
  return volumeCount <= 2
    ? sayLabels(volumes.map((index) => labels.get(index) ?? ''))
    : t('restore.labels.some', { first, count: volumeCount - 1 })
}

function NameCell({ shown, line }: { shown: Shown; line: SetLine }) {
  const { session, state, partly, isSearch, title } = shown
  const { row, level, isOpen } = line
  const { path } = row
  const isSet = path === ''
  const name = isSet ? title : pathForDisplay(isSearch ? path : path.slice(path.lastIndexOf('/') + 1))
  return (
    <TreeName
      level={level}
      title={isSet ? title : pathForDisplay(path)}
      fold={
        isOpen === undefined
          ? null
          : {
              isOpen,
              label: t(isOpen ? 'kept.close' : 'kept.open', { name }),
              onPress: () => session.fold(path, !isOpen),
            }
      }
      check={{
        checked: checkedOf(state.marks, partly, path),
        label: t(isSet ? 'restore.checkAll' : 'restore.check', { name }),
        onPress: () => session.toggle(path),
      }}
    >
      {isSearch ? <PathText path={path} isNameWhole /> : name}
    </TreeName>
  )
}
