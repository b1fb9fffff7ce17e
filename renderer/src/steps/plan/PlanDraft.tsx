import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { costText } from '../../../../src/contract/costText'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { DraftDocument, PlanVolume } from '../../../../src/contract/dto/plan'
import { planVolumeTable } from '../../../../src/contract/tables/planTables'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { SectorsSize } from '../../components/columns'
import type { Column } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { EmptyState } from '../../components/StepPage'
import { TablePanel } from '../../components/TablePanel'
import { t, tMaybe } from '../../copy'
import { sentence } from '../../format/sentence'
import { useFrame, useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { KeptSession } from '../../state/source/keptSession'
import { DraftSession } from './draftSession'
import { fewestDiscs } from './fewestDiscs'
import { chosenMedium } from './ownSize'
import { AwaitedDesk } from './PlanDesk'
import { PlanSession } from './planSession'
import { ShareLegend } from './ShareLegend'
import { Shelf } from './Shelf'
import { branchOf, shareTones } from './shareTones'

/**
 * The discs that the sources would take as they are: a draft from names and sizes, never a plan.
 */
export function PlanDraft() {
  const session = useSession(DraftSession)
  const { document, problem } = useStateOf(DraftSession)
  const { media, mediumId, labelPrefix } = useStateOf(PlanSession)
  const walk = useStateOf(KeptSession, ({ document: listed }) => listed)
  const { prices } = useFrame().settings
  const standsOn = [walk?.id, mediumId, ...prices].join(' ')
  const look = useEffectEvent((_changed: string) => void session.look())
  useEffect(() => look(standsOn), [standsOn])
  const type = useEffectEvent((prefix: string | null) => {
    if (prefix !== null) session.typed()
  })
  useEffect(() => type(labelPrefix), [labelPrefix])
  if (problem !== null)
    return (
      <EmptyState
        title={t('draft.none')}
        text={`${sentence(problem.message)} ${tMaybe(`error.plan.${problem.code}`, '')}`.trim()}
      />
    )
  if (document?.walkId === walk?.id && document?.medium.id === mediumId && document !== null)
    return <Draft draft={document} />
  const limit = chosenMedium(media, mediumId)?.limit ?? null
  const discs = walk === null || limit === null ? 1 : fewestDiscs(walk.totals, limit)
  return <AwaitedDesk discs={discs ?? 1} words={t('draft.making')} />
}

function Draft({ draft }: { draft: DraftDocument }) {
  const units = useUnits()
  const [selected, select] = useState(draft.volumes[0]?.index ?? null)
  const { volumes, medium, totals, filledBy } = draft
  const tones = useMemo(() => shareTones(volumes), [volumes])
  const cost = costText(draft, t)
  return (
    <section className="desk stack near" aria-label={t('draft.title')}>
      <p>
        {t('draft.says', {
          files: totals.files,
          unit: medium.kind === 'image' ? 'disc' : 'volume',
          size: formatSize(totals.bytes, units),
          medium: medium.name,
          count: volumes.length,
        })}{' '}
        {volumes.length > 1 && t(`draft.by.${filledBy}`)} {cost}
      </p>
      <div className="desk-floor">
        <div className="shelf-place">
          <Shelf
            plan={draft}
            tones={tones}
            selected={selected}
            found={null}
            onSelect={select}
            onOpen={() => {}}
            onRename={() => {}}
            onDropped={null}
          />
          <ShareLegend tones={tones} branch={branchOf(draft)} />
        </div>
      </div>
      <TablePanel
        title={t('volumes.title')}
        says={t('draft.basis')}
        csv="draft"
        columns={draftColumns(draft, units)}
        rows={volumes}
        rowKey={({ index }) => index}
        visibleRows={12}
        empty=""
        isSelected={({ index }) => index === selected}
        inView={volumes.findIndex(({ index }) => index === selected)}
      />
    </section>
  )
}

function draftColumns(draft: DraftDocument, units: Units): Column<PlanVolume>[] {
  const { sectorBytes, id } = draft.medium
  return columnsOf(planVolumeTable(draft, 'modelled'), units, {
    label: { track: 'minmax(96px, 1fr)', sortBy: ({ index }) => index },
    files: '64px',
    bytes: '86px',
    sectors: {
      track: '86px',
      mark: 'modelled',
      cell: ({ sectors }) => <SectorsSize sectors={sectors} sectorBytes={sectorBytes} units={units} />,
    },
    ...(id !== DISK_MEDIUM && { free_bytes: { track: '80px', mark: 'modelled' } }),
  })
}
