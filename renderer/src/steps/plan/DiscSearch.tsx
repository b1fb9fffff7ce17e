import { useEffect, useState } from 'react'
import { Input, Label, SearchField } from 'react-aria-components'
import type { PlanDocument, PlanSearch, PlanSearchRow } from '../../../../src/contract/dto/plan'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import type { Units } from '../../../../src/primitives/quantity'
import type { Column } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { PlanSession } from './planSession'

/** Milliseconds without a key after which what is typed is searched for. */
const TYPING_MS = 200

export interface DiscSearch {
  readonly pattern: string
  readonly type: (pattern: string) => void
  /** Null while nothing is searched for. */
  readonly found: PlanSearch | null
}

/** A search for the discs of a plan that hold something; the last answer stays until the next. */
export function useDiscSearch(planId: string): DiscSearch {
  const session = useSession(PlanSession)
  const [pattern, setPattern] = useState('')
  const [found, setFound] = useState<PlanSearch | null>(null)
  const wanted = pattern.trim()
  useEffect(() => {
    if (wanted === '') return undefined
    let isWanted = true
    const timer = setTimeout(() => {
      void session.search(planId, wanted).then((answer) => {
        if (isWanted) setFound(answer)
      })
    }, TYPING_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [session, planId, wanted])
  return { pattern, type: setPattern, found: wanted === '' ? null : found }
}

/** The field of the search, with how much was found. */
export function DiscSearchField({ search: { pattern, type, found } }: { search: DiscSearch }) {
  return (
    <SearchField className="field disc-search" value={pattern} onChange={type}>
      <Label>{t('desk.search')}</Label>
      <Input className="input" placeholder={t('desk.search.example')} title={t('desk.search.hint')} />
      <div className="field-note" role="status">
        {found === null
          ? ''
          : found.total === 0
            ? t('desk.search.none')
            : t('desk.search.found', { count: found.total, discs: found.volumes.length })}
      </div>
    </SearchField>
  )
}

/** The matches, with the disc of each. */
export function FoundOnDiscs({
  plan,
  found,
  onPick,
}: {
  plan: PlanDocument
  found: PlanSearch
  /** Takes the folder and the disc that a row leads to. */
  onPick: (folder: string, volume: number) => void
}) {
  const units = useUnits()
  const labels = new Map(plan.volumes.map(({ index, label }) => [index, label]))
  const columns = columnsFor(units, ({ volume }) => labels.get(volume) ?? '')
  return (
    <TablePanel
      title={t('desk.found')}
      says={
        found.total > found.found.length
          ? t('desk.found.more', { shown: found.found.length, count: found.total })
          : t('desk.found.says')
      }
      csv="found"
      columns={columns}
      rows={found.found}
      rowKey={({ path, volume }) => `${volume} ${path}`}
      visibleRows={12}
      empty={t('desk.search.none')}
      onPick={({ path, kind, volume }) =>
        onPick(kind === 'folder' ? path : path.slice(0, Math.max(0, path.lastIndexOf('/'))), volume)
      }
    />
  )
}

function columnsFor(units: Units, labelOf: (row: PlanSearchRow) => string): Column<PlanSearchRow>[] {
  const table = {
    path: { heading: 'name', kind: 'path', of: ({ path }) => path },
    disc: { heading: 'disc', kind: 'label', of: labelOf },
    files: {
      heading: 'filesOnDisc',
      kind: 'count',
      of: ({ kind, files }) => (kind === 'folder' ? files : null),
    },
    bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  } satisfies WindowTable<PlanSearchRow>
  return columnsOf<PlanSearchRow, keyof typeof table>(table, units, {
    path: {
      track: 'minmax(140px, 1fr)',
      cell: ({ path, kind }) => <FoundName path={path} isFolder={kind === 'folder'} />,
    },
    disc: 'minmax(84px, 120px)',
    files: '58px',
    bytes: '80px',
  })
}

/** The name first, then the folder that it is in. */
function FoundName({ path, isFolder }: { path: string; isFolder: boolean }) {
  const cut = path.lastIndexOf('/') + 1
  return (
    <span className="disc-entry" title={pathForDisplay(path)}>
      <span
        className={isFolder ? 'ellipsis given-name folder-name' : 'ellipsis given-name'}
        title={pathForDisplay(path)}
      >
        {pathForDisplay(path.slice(cut))}
      </span>
      <span className="ellipsis given-name muted found-in" title={pathForDisplay(path)}>
        {pathForDisplay(path.slice(0, Math.max(0, cut - 1)))}
      </span>
    </span>
  )
}
