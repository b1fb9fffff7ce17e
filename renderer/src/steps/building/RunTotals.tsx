import type { RunDocument } from '../../../../src/contract/dto/run'
import { formatCount, formatShare, type Quantity, sizeQuantity } from '../../../../src/primitives/quantity'
import { formatDuration, formatSpan } from '../../../../src/primitives/spokenTime'
import { sectorsExactly } from '../../components/columns'
import { countFigure, Figure } from '../../components/Figure'
import { t } from '../../copy'
import { makerName } from '../../format/permanentNames'
import { useUnits } from '../../state/sessionContext'
import { type BuildRow, type BuildState, isVerifiedRow } from './buildState'

/** The time before the first volume was begun. */
function packTime({ elapsedMs, volumes }: RunDocument): string {
  const imaging = volumes.reduce((sum, volume) => sum + (volume.elapsedMs ?? 0), 0)
  return formatDuration(Math.max(0, elapsedMs - imaging))
}

/** How long all steps of a run were to take by the plan; null where it has no times. */
function forecastOf(run: RunDocument | null): string | null {
  const steps = run?.times ?? []
  if (steps.length === 0) return null
  const low = steps.reduce((sum, { forecast }) => sum + forecast.low, 0)
  const high = steps.reduce((sum, { forecast }) => sum + forecast.high, 0)
  return formatSpan({ low, high })
}

/** How long a verification took, with the forecast. */
function verifyText(run: RunDocument): string {
  const time = formatDuration(run.elapsedMs)
  const forecast = forecastOf(run)
  return forecast === null
    ? t('build.verifyTime', { time })
    : t('build.verifyTime.forecast', { time, forecast })
}

/** A difference with its sign; none where there is no difference. */
function signed<Parts extends { readonly quantity: Quantity | null }>(
  difference: number,
  parts: Parts,
): Parts {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : ''
  const { quantity } = parts
  return { ...parts, quantity: quantity && { ...quantity, number: `${sign}${quantity.number}` } }
}

/**
 * Forecast vs. actual in one line: what the plan forecast, what is on the disk, and the difference.
 */
export function RunTotals({
  build,
  rows,
  sectorBytes,
}: {
  build: BuildState
  rows: readonly BuildRow[]
  sectorBytes: number
}) {
  const units = useUnits()
  const size = (sectors: number | null) =>
    sectors === null
      ? { quantity: null, exactly: '' }
      : {
          quantity: sizeQuantity(sectors * sectorBytes, units),
          exactly: sectorsExactly(sectors, sectorBytes),
        }
  const forecast = rows.reduce((sum, row) => sum + (row.forecastSectors ?? 0), 0)
  const built = rows.filter((row) => row.actualSectors !== null)
  const actual = built.reduce((sum, row) => sum + (row.actualSectors ?? 0), 0)
  const expected = built.reduce((sum, row) => sum + (row.forecastSectors ?? 0), 0)
  const isChecked = build.verify !== null || rows.some(({ check }) => check !== null)
  const verified = isChecked ? rows.filter(isVerifiedRow).length : null
  const tool = build.plan?.mastering
  const packing = build.plan?.packing
  const forecastBasis = packing
    ? { provenance: packing.bytes.provenance, text: t('basis.packed') }
    : {
        provenance: 'exact' as const,
        text: t('basis.image', {
          tool: tool ? makerName(tool.tool) : t('basis.someTool'),
          version: tool?.version ?? '',
        }),
      }
  const measured = (text: string) => ({ provenance: 'measured' as const, text })
  const difference = actual - expected
  // How soon a build failed or was cancelled is not how long one takes.
  const whole = build.build?.outcome === 'done' ? build.build : null
  const timeForecast = forecastOf(whole)
  return (
    <div className="totals" role="group" aria-label={t('build.figures')}>
      <Figure
        label={t('build.forecast')}
        {...size(rows.length === 0 ? null : forecast)}
        basis={forecastBasis}
        note={rows.length === 0 ? null : t('build.ofVolumes', { count: rows.length })}
      />
      <Figure
        label={t('build.actual')}
        {...size(built.length === 0 ? null : actual)}
        basis={measured(t('basis.built'))}
        note={built.length === 0 ? t('build.notYet') : t('build.ofVolumes', { count: built.length })}
      />
      <Figure
        label={t('build.difference')}
        {...(built.length === 0 ? size(null) : signed(difference, size(Math.abs(difference))))}
        basis={measured(t('basis.difference'))}
        note={
          built.length === 0
            ? null
            : difference === 0
              ? t('build.asForecast')
              : t('build.apart', { share: formatShare(Math.abs(difference) / Math.max(1, expected)) })
        }
      />
      <Figure
        label={t('build.verified')}
        {...countFigure(verified, t('noun.discs'))}
        basis={measured(t(packing ? 'basis.verifiedPacked' : 'basis.verified'))}
        note={build.verify ? t('build.ofVolumes', { count: build.verify.volumes.length }) : t('build.notYet')}
      />
      <Figure
        label={t('build.time')}
        quantity={whole && { number: formatDuration(whole.elapsedMs), unit: '' }}
        exactly={whole ? `${formatCount(Math.round(whole.elapsedMs))} ms` : ''}
        basis={measured(
          timeForecast === null
            ? t('basis.time')
            : `${t('basis.time')} ${t('basis.time.forecast', { forecast: timeForecast })}`,
        )}
        note={
          [
            ...(timeForecast === null || build.verify
              ? []
              : [t('build.timeForecast', { forecast: timeForecast })]),
            ...(packing && whole ? [t('build.packTime', { time: packTime(whole) })] : []),
            ...(build.verify ? [verifyText(build.verify)] : []),
          ].join(', ') || null
        }
      />
    </div>
  )
}
