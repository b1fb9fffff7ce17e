import { useMemo } from 'react'
import { Input, SearchField } from 'react-aria-components'
import { ROM_FILE_STATES, type RomSetState, type RomsDocument } from '../../../../src/contract/dto/roms'
import { formatCount } from '../../../../src/primitives/quantity'
import { MenuButton } from '../../components/MenuButton'
import { Radio, RadioGroup } from '../../components/Radio'
import { Segments } from '../../components/Segments'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { HeldFiles } from './HeldFiles'
import { StateSquare } from './RomState'
import { type DatRow, datColumns, fileColumns, missingColumns, setColumns } from './romColumns'
import {
  type FileRow,
  filteredFiles,
  filteredMissing,
  filteredSets,
  type MissingRow,
  type RomRows,
  romRows,
  type SetCounts,
  type SetRow,
  setCounts,
} from './romRows'
import { RomsSession } from './romsSession'
import { type FileFilter, ROMS_VIEWS } from './romsState'
import { datName, howKnown } from './romWords'
import { SkippedPaths } from './SkippedPaths'

const SET_STATES = ['all', 'complete', 'partial', 'missing'] as const
const VISIBLE_ROWS = 16

/** A comparison: the share of each state, then ROM sets, files or DATs as a table. */
export function RomResult({ document }: { document: RomsDocument }) {
  const session = useSession(RomsSession)
  const { view, filter } = useStateOf(RomsSession)
  const rows = useMemo(() => romRows(document), [document])
  const counts = useMemo(() => setCounts(document.sets, filter.dat), [document, filter.dat])
  const sizes = {
    sets: document.sets.length,
    missing: rows.missing.length,
    files: document.files.length,
    dats: document.dats.length,
  }
  return (
    <div className="stack">
      <StateBar counts={counts} />
      <div className="stack near">
        <Segments
          className="roms-views"
          label={t('roms.view')}
          all={ROMS_VIEWS}
          chosen={view}
          words={(id) => `${t(`roms.view.${id}`)} ${formatCount(sizes[id])}`}
          onChange={(id) => session.store.dispatch({ type: 'view', view: id })}
        />
        {view === 'sets' && <SetsPanel document={document} rows={rows} counts={counts} />}
        {view === 'missing' && <MissingPanel document={document} rows={rows} />}
        {view === 'files' && <FilesPanel document={document} rows={rows} />}
        {view === 'dats' && <DatsPanel document={document} />}
      </div>
      {document.skipped.length > 0 && <SkippedPaths skipped={document.skipped} />}
    </div>
  )
}

/** The share of complete, partial and missing ROM sets. */
function StateBar({ counts }: { counts: SetCounts }) {
  const parts = (['complete', 'partial', 'missing'] as const).filter((state) => counts[state] > 0)
  return (
    <div className="rom-bar" role="img" aria-label={t('roms.bar', { ...counts })}>
      {parts.map((state) => (
        <span key={state} className={`is-${state}`} style={{ flexGrow: counts[state] }} />
      ))}
    </div>
  )
}

function SetsPanel({ document, rows, counts }: { document: RomsDocument; rows: RomRows; counts: SetCounts }) {
  const session = useSession(RomsSession)
  const units = useUnits()
  const { filter, unfolded } = useStateOf(RomsSession)
  const { dats, totals } = document
  const shown = useMemo(() => filteredSets(rows.sets, filter), [rows, filter])
  const columns = useMemo(() => setColumns(dats, units, unfolded), [dats, units, unfolded])
  const open = unfolded === null ? undefined : rows.sets[unfolded]
  const all = counts.complete + counts.partial + counts.missing
  const { undumped } = totals.sets
  const known = useMemo(() => howKnown(document, units), [document, units])
  return (
    <TablePanel
      className="roms-sets"
      title={
        shown.length === all
          ? t('roms.sets.shown', { count: all })
          : t('roms.sets.shownOf', { count: shown.length, all })
      }
      says={undumped === 0 ? known : `${known} ${t('roms.sets.undumped', { count: undumped })}`}
      above={
        <div className="line roms-filters">
          <Search pattern={filter.pattern} />
          <RadioGroup
            className="segmented"
            label={t('roms.state')}
            value={filter.state}
            onChange={(value) => {
              const state = SET_STATES.find((each) => each === value)
              if (state) session.store.dispatch({ type: 'filter', filter: { state } })
            }}
          >
            {SET_STATES.map((state) => (
              <Radio key={state} value={state}>
                <span className="rom-state">
                  {state !== 'all' && <StateSquare state={state} />}
                  {t(`roms.state.${state}`)} {formatCount(countIn(counts, state))}
                </span>
              </Radio>
            ))}
          </RadioGroup>
          <DatMenu document={document} />
        </div>
      }
      csv="rom-sets"
      columns={columns}
      rows={shown}
      rowKey={placeOf}
      visibleRows={VISIBLE_ROWS}
      empty={t('roms.sets.none')}
      isExpanded={({ at }) => at === unfolded}
      onPick={({ at }) => session.store.dispatch({ type: 'unfold', at: at === unfolded ? null : at })}
      unfolded={
        open ? { key: open.at, content: <HeldFiles set={open} rows={rows} roots={document.roots} /> } : null
      }
    />
  )
}

function countIn(counts: SetCounts, state: RomSetState | 'all'): number {
  return state === 'all' ? counts.complete + counts.partial + counts.missing : counts[state]
}

function MissingPanel({ document, rows }: { document: RomsDocument; rows: RomRows }) {
  const units = useUnits()
  const { filter } = useStateOf(RomsSession)
  const { dats } = document
  const shown = useMemo(() => filteredMissing(rows.missing, filter), [rows, filter])
  const columns = useMemo(() => missingColumns(dats, units), [dats, units])
  return (
    <TablePanel
      title={t('roms.missing.shown', { count: shown.length })}
      says={t('roms.missing.says')}
      above={
        <div className="line roms-filters">
          <Search pattern={filter.pattern} />
          <DatMenu document={document} />
        </div>
      }
      csv="missing-files"
      columns={columns}
      rows={shown}
      rowKey={placeOf}
      visibleRows={VISIBLE_ROWS}
      empty={t('roms.missing.none')}
    />
  )
}

function FilesPanel({ document, rows }: { document: RomsDocument; rows: RomRows }) {
  const session = useSession(RomsSession)
  const units = useUnits()
  const { filter } = useStateOf(RomsSession)
  const { totals } = document
  const shown = useMemo(() => filteredFiles(rows.files, filter), [rows, filter])
  const columns = useMemo(() => fileColumns(document, units), [document, units])
  const countOf = (state: FileFilter): number =>
    state === 'all'
      ? document.files.length
      : state === 'other'
        ? document.files.length - (totals.files.right ?? 0)
        : (totals.files[state] ?? 0)
  const states: readonly FileFilter[] = [
    'other',
    ...ROM_FILE_STATES.filter((each) => countOf(each) > 0),
    'all',
  ]
  const words = (state: FileFilter): string =>
    t('roms.file.counted', { words: t(`roms.file.${state}`), count: countOf(state) })
  return (
    <TablePanel
      title={t('roms.files.shown', { count: shown.length })}
      says={t('roms.files.says')}
      above={
        <div className="line roms-filters">
          <Search pattern={filter.pattern} />
          <MenuButton
            label={t('roms.fileState')}
            name={words(filter.file)}
            placement="bottom start"
            all={states}
            chosen={filter.file}
            words={words}
            onPick={(file) => session.store.dispatch({ type: 'filter', filter: { file } })}
          />
          <DatMenu document={document} />
        </div>
      }
      csv="rom-files"
      columns={columns}
      rows={shown}
      rowKey={placeOf}
      visibleRows={VISIBLE_ROWS}
      empty={t('roms.files.none')}
    />
  )
}

function DatsPanel({ document }: { document: RomsDocument }) {
  const session = useSession(RomsSession)
  const units = useUnits()
  const { dats, sets } = document
  const rows = useMemo(
    () => dats.map((dat, at): DatRow => ({ at, dat, counts: setCounts(sets, at) })),
    [dats, sets],
  )
  const columns = useMemo(() => datColumns(units), [units])
  const notes = dats.flatMap((dat, at) => dat.notes.map((note) => ({ at, dat, ...note })))
  return (
    <TablePanel
      title={t('roms.dats.title', { count: dats.length })}
      says={t('roms.dats.says')}
      csv="dats"
      columns={columns}
      rows={rows}
      rowKey={placeOf}
      visibleRows={VISIBLE_ROWS}
      empty=""
      onPick={({ at }) => {
        session.store.dispatch({ type: 'filter', filter: { dat: at, state: 'all', pattern: '' } })
        session.store.dispatch({ type: 'view', view: 'sets' })
      }}
    >
      {notes.length > 0 && (
        <section className="rom-notes" aria-label={t('roms.notes')}>
          <h3>{t('roms.notes')}</h3>
          <ul>
            {notes.map(({ at, dat, text, count }) => (
              <li key={`${at} ${text}`} className="prose">
                {t('roms.note', { dat: datName(dat), text: spoken(text), count })}
              </li>
            ))}
          </ul>
        </section>
      )}
    </TablePanel>
  )
}

function Search({ pattern }: { pattern: string }) {
  const session = useSession(RomsSession)
  return (
    <SearchField
      className="field"
      aria-label={t('roms.search')}
      value={pattern}
      onChange={(typed) => session.store.dispatch({ type: 'filter', filter: { pattern: typed } })}
    >
      <Input className="input" placeholder={t('roms.search.example')} />
    </SearchField>
  )
}

/** The DAT whose ROM sets and files are shown, where there are several. */
function DatMenu({ document: { dats } }: { document: RomsDocument }) {
  const session = useSession(RomsSession)
  const { dat } = useStateOf(RomsSession).filter
  if (dats.length < 2) return null
  const words = (id: string): string => {
    const found = dats[Number(id)]
    return id === 'all' || !found ? t('roms.dat.all') : datName(found)
  }
  const chosen = dat === null ? 'all' : String(dat)
  return (
    <MenuButton
      label={t('roms.dat')}
      name={words(chosen)}
      placement="bottom start"
      all={['all', ...dats.map((_, at) => String(at))]}
      chosen={chosen}
      words={words}
      onPick={(id) =>
        session.store.dispatch({ type: 'filter', filter: { dat: id === 'all' ? null : Number(id) } })
      }
    />
  )
}

function placeOf({ at }: SetRow | MissingRow | FileRow | DatRow): number {
  return at
}
