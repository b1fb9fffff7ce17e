import { type SurveyDocument, smallestForecast } from '../../../../src/contract/dto/survey'
import { formatBlockSize, formatSize, formatSizeRange, type Units } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { type Basis, countFigure, Figure, sizeFigure } from '../../components/Figure'
import { t } from '../../copy'
import { howWords } from './smallestWords'
import type { SurveyFigures } from './surveyState'

/** The figures that decide: as it is, at its smallest, what is there twice, what was not read. */
export function SurveySummary({
  figures,
  document,
  units,
}: {
  figures: SurveyFigures | null
  /** Null while the survey runs. */
  document: SurveyDocument | null
  units: Units
}) {
  const totals = figures?.totals ?? null
  const partly = document?.partial === true
  const known = (text: string): Basis =>
    partly ? { provenance: 'modelled', text: t('basis.partial') } : { provenance: 'exact', text }
  const counted = known(t('basis.counted'))
  const duplicates = figures?.duplicateFiles ?? null
  return (
    <div className="totals" aria-label={t('totals.label')} role="group">
      <Figure
        size="hero"
        label={t('totals.asItIs')}
        {...sizeFigure(totals?.bytes ?? null, units)}
        basis={counted}
        note={totals && t('totals.folders', { count: totals.folders })}
      />
      <Smallest document={document} isRead={figures !== null} units={units} />
      <Figure
        size="hero"
        label={t('totals.duplicates')}
        {...sizeFigure(duplicates?.bytes ?? null, units)}
        basis={known(t('basis.copies'))}
        note={
          duplicates
            ? t('totals.copies', { count: duplicates.groups })
            : figures
              ? t('totals.atTheEnd')
              : null
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

/** The smallest of all forecasts, and the way to it. */
function Smallest({
  document,
  isRead,
  units,
}: {
  document: SurveyDocument | null
  /** There are figures. */
  isRead: boolean
  units: Units
}) {
  const label = t('totals.smallest')
  if (document === null)
    return (
      <Figure
        size="hero"
        label={label}
        {...sizeFigure(null, units)}
        basis={{ provenance: 'modelled', text: '' }}
        note={isRead ? t('totals.atTheEnd') : null}
      />
    )
  const best = smallestForecast(document)
  if (best === null)
    return (
      <Figure
        size="hero"
        label={label}
        {...sizeFigure(document.totals.bytes, units)}
        basis={{ provenance: 'modelled', text: t('basis.smallest') }}
        note={t('totals.notSmaller')}
      />
    )
  const { bytes, low, high } = best
  const isCounted = best.way === 'blocks' && low === high && !document.partial
  return (
    <Figure
      size="hero"
      label={label}
      {...sizeFigure(bytes, units)}
      basis={
        isCounted
          ? { provenance: 'exact', text: t('basis.blocks.exact', { block: formatBlockSize(best.blockSize) }) }
          : {
              provenance: 'modelled',
              text: t(document.partial ? 'basis.partial' : 'basis.smallest'),
              range: low === high ? undefined : formatSizeRange(bytes, low, high, units),
            }
      }
      note={howWords(best)}
    />
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
