import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import { type PlanDocument, type PlanVolume, UDF_ENTRIES } from '../../../../src/contract/dto/plan'
import { formatShare, formatSize } from '../../../../src/primitives/quantity'
import { type Basis, countFigure, Figure, sizeFigure } from '../../components/Figure'
import { Folded } from '../../components/Folded'
import { t } from '../../copy'
import { makerName } from '../../format/permanentNames'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { PlanFacts } from './PlanFacts'
import { PlanSession } from './planSession'
import { ShareLegend } from './ShareLegend'
import { branchOf, shareTones } from './shareTones'
import { TimesPanel } from './TimesPanel'
import { VolumesPanel } from './VolumePanels'

/**
 * Everything about a plan that does not decide: its figures and how they are known, what its
 * protection survives, folders, volumes and times. Made when it is unfolded; it stays unfolded when
 * the page is opened again.
 */
export function PlanDetails({ document }: { document: PlanDocument }) {
  const session = useSession(PlanSession)
  const { isDetailed, selectedVolume } = useStateOf(PlanSession)
  const { volumes, packing, times } = document
  const isJoined = packing?.arrangement === 'joined'
  const picked = volumes.find(({ index }) => index === selectedVolume) ?? volumes[0]
  return (
    <Folded
      className="plan-details"
      isUnfolded={isDetailed}
      onUnfold={(unfolded) => session.detail(unfolded)}
      summary={
        <>
          <strong>{t('details.title')}</strong> <span className="muted">{t('details.says')}</span>
        </>
      }
    >
      <div className="stack">
        <Figures document={document} />
        <PlanFacts plan={document} />
        {!isJoined && <ShareLegend tones={shareTones(volumes)} branch={branchOf(document)} isSized />}
        <VolumesPanel plan={document} selected={picked?.index ?? null} />
        {times && (
          <TimesPanel
            plan={{ ...document, times }}
            picked={volumes.length > 1 && !isJoined ? (picked ?? null) : null}
          />
        )}
      </div>
    </Folded>
  )
}

function Figures({ document }: { document: PlanDocument }) {
  const units = useUnits()
  const { totals, volumes, mastering, packing } = document
  const isUndivided = document.medium.id === DISK_MEDIUM
  const exact = (text: string) => ({ provenance: 'exact' as const, text })
  const files =
    document.medium.kind === 'folder'
      ? { provenance: 'modelled' as const, text: t('basis.folder') }
      : exact(t('basis.image', { tool: makerName(mastering.tool), version: mastering.version }))
  const sized = packing ? { provenance: packing.bytes.provenance, text: t('basis.packed') } : files
  return (
    <div className="totals" role="group" aria-label={t('plan.figures')}>
      {!isUndivided && (
        <Figure
          size="hero"
          label={t('plan.discs')}
          {...countFigure(totals.volumes, t('noun.discs'))}
          basis={sized}
          note={discsNote(document)}
        />
      )}
      <Figure
        label={t('plan.content')}
        {...sizeFigure(totals.bytes, units)}
        basis={exact(t('basis.planned'))}
        note={t('totals.files', { count: totals.files })}
      />
      {!isUndivided && (
        <LastVolume
          volume={volumes[volumes.length - 1]}
          sectorBytes={document.medium.sectorBytes}
          basis={sized}
        />
      )}
      {!packing && (
        <Figure
          label={t('plan.split')}
          {...countFigure(totals.splitFiles, t('noun.files'))}
          basis={exact(t('basis.planned'))}
          note={totals.splitFiles > 0 ? t('plan.splitNote') : t('plan.splitNone')}
        />
      )}
    </div>
  )
}

/** If fewer discs would do. */
function discsNote({ totals, packing, problems }: PlanDocument): string {
  if (packing) return t('plan.packed.discs')
  const more = totals.volumes - (totals.fewestVolumes ?? totals.volumes)
  if (more > 0) return t('desk.moreThanFewest', { count: more })
  if (totals.volumes !== totals.lowerBoundVolumes)
    return t('plan.lowerBound', { count: totals.lowerBoundVolumes })
  return t(problems.some(({ code }) => code === UDF_ENTRIES) ? 'plan.asFewWithUdf' : 'plan.asFew')
}

/** How full the last volume is. */
function LastVolume({
  volume,
  sectorBytes,
  basis,
}: {
  volume: PlanVolume | undefined
  sectorBytes: number
  basis: Basis
}) {
  const units = useUnits()
  if (!volume) return null
  const { capacitySectors, protection } = volume
  // What recovery data fills is free for files.
  const sectors = volume.sectors - Math.ceil((protection?.bytes ?? 0) / sectorBytes)
  const share = formatShare(sectors / Math.max(1, capacitySectors)).replace(' %', '')
  return (
    <Figure
      label={t('plan.last')}
      quantity={{ number: share, unit: '%' }}
      exactly={t('medium.sectors', { count: sectors })}
      basis={basis}
      note={t(protection ? 'recovery.last' : 'plan.lastNote', {
        size: formatSize(Math.max(0, capacitySectors - sectors) * sectorBytes, units),
      })}
    />
  )
}
