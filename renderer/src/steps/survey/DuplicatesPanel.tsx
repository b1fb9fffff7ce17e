import { type ReactNode, useEffect, useState } from 'react'
import type { DuplicateGroup, SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatCount, formatSize, type Units } from '../../../../src/primitives/quantity'
import { type Column, DataTable } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { ProvenanceMark } from '../../components/Marks'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { type DuplicateLine, linesOf } from './duplicates'
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
      csv={groups === null ? undefined : () => ({ name: 'duplicate-files', ...csvOfGroups(groups) })}
    >
      {groups === null ? (
        <div className="duplicates-space" />
      ) : (
        <DataTable
          label={title}
          columns={columnsFor(units)}
          rows={linesOf(groups, open)}
          rowKey={(line) => line.key}
          visibleRows={10}
          isFar
          empty={t('duplicates.none')}
          onPick={toggle}
          isExpanded={(line) => (line.kind === 'group' ? open.has(line.group) : undefined)}
        />
      )}
    </Panel>
  )
}

function columnsFor(units: Units): Column<DuplicateLine>[] {
  const ofGroup = (
    key: string,
    header: string,
    track: string,
    what: (group: DuplicateGroup) => ReactNode,
  ): Column<DuplicateLine> => ({
    key,
    header,
    track,
    align: 'end',
    cell: (line) => (line.kind === 'group' ? what(line.of) : null),
  })
  return [
    {
      key: 'path',
      header: t('column.path'),
      track: 'minmax(220px, 4fr)',
      cell: (line) => <LinePath line={line} />,
    },
    ofGroup('copies', t('column.copies'), 'minmax(64px, 0.600fr)', ({ copies }) => formatCount(copies)),
    ofGroup('each', t('column.each'), 'minmax(84px, 0.800fr)', ({ bytes }) => (
      <Size bytes={bytes} units={units} />
    )),
    ofGroup('saves', t('column.saves'), 'minmax(84px, 0.800fr)', ({ savedBytes }) => (
      <strong>
        <Size bytes={savedBytes} units={units} />
      </strong>
    )),
  ]
}

function LinePath({ line }: { line: DuplicateLine }) {
  switch (line.kind) {
    case 'group':
      return (
        <span className="opens">
          <span className={line.open ? 'chevron down' : 'chevron'} aria-hidden="true">
            ›
          </span>
          <PathText path={line.of.paths[0] ?? ''} />
        </span>
      )
    case 'path':
      return (
        <span className="opened">
          <PathText path={line.path} />
        </span>
      )
    case 'more':
      return <span className="opened muted">{t('duplicates.more', { count: line.count })}</span>
  }
}

function csvOfGroups(groups: readonly DuplicateGroup[]) {
  return {
    header: ['group', 'bytes_each', 'copies', 'saved_bytes', 'path'],
    rows: groups.flatMap((group, index) =>
      group.paths.map((path) => [index + 1, group.bytes, group.copies, group.savedBytes, path]),
    ),
  }
}
