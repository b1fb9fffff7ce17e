import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatBlockSize, formatShare, formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { type Basis, countFigure, Figure, rangeOf, sizeFigure } from '../../components/Figure'
import { t } from '../../copy'
import { bestBlock, type SurveyFigures } from './surveyState'

/** The line that decides: as it is, without duplicate files, without duplicate blocks. */
export function SurveyTotals({
  figures,
  document,
  units,
}: {
  figures: SurveyFigures | null
  document: SurveyDocument | null
  units: Units
}) {
  const totals = figures?.totals ?? null
  const best = figures ? bestBlock(figures) : null
  const bytes = totals?.bytes ?? null
  const partly = document?.partial === true
  const known = (text: string): Basis =>
    partly ? { provenance: 'modelled', text: t('basis.partial') } : { provenance: 'exact', text }
  const counted = known(t('basis.counted'))
  const duplicates = figures?.duplicateFiles ?? null
  const withoutCopies = bytes !== null && duplicates ? bytes - duplicates.bytes : null
  const unique: Basis = best?.exact
    ? { provenance: 'exact', text: t('basis.blocks.exact', { block: formatBlockSize(best.blockSize) }) }
    : {
        provenance: 'modelled',
        text: t(partly ? 'basis.partial' : 'basis.blocks.sketch'),
        range: best ? rangeOf(best, best.uniqueBytes, units) : undefined,
      }
  return (
    <div className="totals" aria-label={t('totals.label')} role="group">
      <Figure
        size="hero"
        label={t('totals.asItIs')}
        {...sizeFigure(bytes, units)}
        basis={counted}
        note={
          totals &&
          `${t('totals.files', { count: totals.files })}, ${t('totals.folders', { count: totals.folders })}`
        }
      />
      <Arrow />
      <Figure
        size="hero"
        label={t('totals.withoutCopies')}
        {...sizeFigure(withoutCopies, units)}
        basis={known(t('basis.copies'))}
        note={
          duplicates
            ? t('totals.copies', { count: duplicates.groups })
            : figures
              ? t('totals.atTheEnd')
              : null
        }
      />
      <Arrow />
      <Figure
        size="hero"
        label={t('totals.unique')}
        {...sizeFigure(best?.uniqueBytes ?? null, units)}
        basis={unique}
        note={
          best
            ? t('totals.uniqueNote', {
                block: formatBlockSize(best.blockSize),
                share: formatShare(bytes ? best.uniqueBytes / bytes : 1),
              })
            : figures && t('totals.atTheEnd')
        }
      />
      <div className="totals-side">
        <Figure
          label={t('totals.skipped')}
          {...countFigure(totals && totals.skipped + (document?.unread?.files ?? 0), t('noun.files'))}
          basis={counted}
          note={
            totals && (
              <Completeness
                skipped={totals.skipped}
                isRead={duplicates !== null}
                document={document}
                units={units}
              />
            )
          }
        />
      </div>
    </div>
  )
}

/**
 * Shows if the figures are of the whole source: a survey with skips, or one that was stopped, never
 * looks complete.
 */
function Completeness({
  skipped,
  isRead,
  document,
  units,
}: {
  skipped: number
  /** Nothing is left to be read. */
  isRead: boolean
  document: SurveyDocument | null
  units: Units
}) {
  if (document?.interrupted) return <span className="warn">{t('totals.interrupted')}</span>
  if (document?.unread) {
    const { bytes, atLeast } = document.unread
    const size = formatSize(bytes, units)
    return <span className="warn">{t(atLeast ? 'totals.unreadAtLeast' : 'totals.unread', { size })}</span>
  }
  if (document?.partial) return <span className="warn">{t('totals.stoppedEarly')}</span>
  if (skipped > 0) return <span className="warn">{t('totals.skippedNote')}</span>
  const trusted = document?.trusted
  if (trusted && trusted.files > 0) {
    return t('totals.trusted', {
      count: trusted.files,
      size: formatSize(trusted.bytes, units),
      when: formatMoment(trusted.createdWallMs),
    })
  }
  const special = document?.totals.special ?? 0
  if (special > 0) return t('totals.special', { count: special })
  return t(isRead ? 'totals.nothingSkipped' : 'totals.soFar')
}

function Arrow() {
  return (
    <span className="totals-arrow" aria-hidden="true">
      →
    </span>
  )
}
