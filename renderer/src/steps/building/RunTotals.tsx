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

/** The origin of a time, with its forecast by the plan. */
function withForecast(basis: string, forecast: string | null): string {
  return forecast === null ? basis : `${basis} ${t('basis.time.forecast', { forecast })}`
}

/** A difference with its sign. */
function signed<Parts extends { readonly quantity: Quantity }>(difference: number, parts: Parts): Parts {
  const { quantity } = parts
  return { ...parts, quantity: { ...quantity, number: `${difference > 0 ? '+' : '−'}${quantity.number}` } }
}

/**
 * The figures of the set as far as there are any: before a build the forecast size alone; then the
 * actual size of the volumes that are built, with the forecast for the same volumes where it is
 * another one.
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
  const size = (sectors: number) => ({
    quantity: sizeQuantity(sectors * sectorBytes, units),
    exactly: sectorsExactly(sectors, sectorBytes),
  })
  const built = rows.filter((row) => row.actualSectors !== null)
  const actual = built.reduce((sum, row) => sum + (row.actualSectors ?? 0), 0)
  const named = built.length === 0 ? rows : built
  const forecast = named.reduce((sum, row) => sum + (row.forecastSectors ?? 0), 0)
  const isChecked = build.verify !== null || rows.some(({ check }) => check !== null)
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
  const difference = actual - forecast
  const isApart = built.length > 0 && difference !== 0
  // How soon a build failed or was cancelled is not how long one takes.
  const whole = build.build?.outcome === 'done' ? build.build : null
  const timeForecast = forecastOf(whole)
  return (
    <div className="totals" role="group" aria-label={t('build.figures')}>
      {rows.length > 0 && (built.length === 0 || isApart) && (
        <Figure
          label={t('build.forecast')}
          {...size(forecast)}
          basis={forecastBasis}
          note={t('build.forVolumes', { count: named.length })}
        />
      )}
      {built.length > 0 && (
        <Figure
          label={t('build.actual')}
          {...size(actual)}
          basis={measured(t('basis.built'))}
          note={
            isApart
              ? t('build.forVolumes', { count: built.length })
              : t('build.asForecast', { count: built.length })
          }
        />
      )}
      {isApart && (
        <Figure
          label={t('build.difference')}
          {...signed(difference, size(Math.abs(difference)))}
          basis={measured(t('basis.difference'))}
          note={t('build.apart', { share: formatShare(Math.abs(difference) / Math.max(1, forecast)) })}
        />
      )}
      {whole && (
        <Figure
          label={t('build.time')}
          quantity={{ number: formatDuration(whole.elapsedMs), unit: '' }}
          exactly={`${formatCount(Math.round(whole.elapsedMs))} ms`}
          basis={measured(withForecast(t('basis.time'), timeForecast))}
          note={[
            ...(timeForecast === null ? [] : [t('build.timeForecast', { forecast: timeForecast })]),
            ...(packing ? [t('build.packTime', { time: packTime(whole) })] : []),
          ].join(', ')}
        />
      )}
      {isChecked && (
        <Figure
          label={t('build.verified')}
          {...countFigure(rows.filter(isVerifiedRow).length, t('noun.discs'))}
          basis={measured(
            withForecast(t(packing ? 'basis.verifiedPacked' : 'basis.verified'), forecastOf(build.verify)),
          )}
          note={[
            t('build.ofVolumes', { count: rows.length }),
            ...(build.verify
              ? [t('build.verifyTime', { time: formatDuration(build.verify.elapsedMs) })]
              : []),
          ].join(', ')}
        />
      )}
    </div>
  )
}
