import { useEffect, useState } from 'react'
import type { DuplicateGroup, SurveyDocument } from '../../../../src/contract/dto/survey'
import {
  DUPLICATE_TABLE,
  type DuplicateLine,
  duplicateLines,
} from '../../../../src/contract/tables/surveyTables'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { type Column, csvOf, DataTable } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { Size } from '../../components/Figure'
import { ProvenanceMark } from '../../components/Marks'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { SurveySession } from './surveySession'

/** Files with the same content, largest benefit first; a group opens to its paths. */
export function DuplicatesPanel({ document, units }: { document: SurveyDocument; units: Units }) {
  const session = useSession(SurveySession)
  const { duplicates } = useStateOf(SurveySession)
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const groups = duplicates?.surveyId === document.id ? duplicates.groups : null
  const { id } = document
  useEffect(() => {
    void session.loadDuplicates(id)
  }, [session, id])
  const toggle = (line: DuplicateLine) => {
    const next = new Set(open)
    if (!next.delete(line.group)) next.add(line.group)
    setOpen(next)
  }
  const { duplicateFiles } = document
  const columns = columnsFor(units, open)
  const title = t('duplicates.title')
  return (
    <Panel
      className="duplicates"
      title={title}
      says={
        <span className="legend">
          <span>
            {t('duplicates.says', {
              count: duplicateFiles.groups,
              size: formatSize(duplicateFiles.bytes, units),
            })}
            {groups !== null && groups.length < duplicateFiles.groups && (
              <> {t('duplicates.first', { count: groups.length })}</>
            )}
          </span>
          <span className="legend-mark" title={t('basis.copies')}>
            <ProvenanceMark provenance="exact" />
            {t('provenance.exact.short')}
          </span>
        </span>
      }
      csv={
        groups === null
          ? undefined
          : () => ({
              name: 'duplicate-files',
              ...csvOf(
                columns,
                groups.flatMap(duplicateLines).filter(({ path }) => path !== null),
              ),
            })
      }
    >
      {groups === null ? (
        <div className="duplicates-space" />
      ) : (
        <DataTable
          label={title}
          columns={columns}
          rows={shownLines(groups, open)}
          rowKey={({ group, path }) => `${group} ${path ?? ''}`}
          visibleRows={10}
          isFar
          empty={t('duplicates.none')}
          onPick={toggle}
          isExpanded={({ group, isFirst }) => (isFirst ? open.has(group) : undefined)}
        />
      )}
    </Panel>
  )
}

function columnsFor(units: Units, open: ReadonlySet<number>): Column<DuplicateLine>[] {
  // Lines of an open group stay below its first one.
  const figure = (track: string) => ({ track, isSorted: false }) as const
  return columnsOf<DuplicateLine, keyof typeof DUPLICATE_TABLE>(DUPLICATE_TABLE, units, {
    path: {
      ...figure('minmax(220px, 4fr)'),
      cell: (line) => <LinePath line={line} isOpen={open.has(line.group)} />,
    },
    copies: figure('minmax(64px, 0.600fr)'),
    each: figure('minmax(84px, 0.800fr)'),
    saves: {
      ...figure('minmax(84px, 0.800fr)'),
      cell: ({ of, isFirst }) =>
        isFirst && (
          <strong>
            <Size bytes={of.savedBytes} units={units} />
          </strong>
        ),
    },
  })
}

function LinePath({ line: { of, path, isFirst }, isOpen }: { line: DuplicateLine; isOpen: boolean }) {
  if (path === null)
    return (
      <span className="opened muted">{t('duplicates.more', { count: of.copies - of.paths.length })}</span>
    )
  if (!isFirst)
    return (
      <span className="opened">
        <PathText path={path} />
      </span>
    )
  return (
    <span className="opens">
      <span className={isOpen ? 'chevron down' : 'chevron'} aria-hidden="true">
        ›
      </span>
      <PathText path={path} />
    </span>
  )
}

/** The lines of the list: of a closed group the first one alone. */
function shownLines(groups: readonly DuplicateGroup[], open: ReadonlySet<number>): DuplicateLine[] {
  return groups.flatMap((of, group) => {
    const lines = duplicateLines(of, group)
    return open.has(group) ? lines : lines.slice(0, 1)
  })
}
