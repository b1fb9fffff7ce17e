import type { RunDocument } from '../../../../src/contract/dto/run'
import { formatCount, formatExactBytes } from '../../../../src/primitives/quantity'
import { formatDuration, formatSpan } from '../../../../src/primitives/spokenTime'
import { countFigure, Figure, sizeFigure } from '../../components/Figure'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { makerName } from '../plan/planState'
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

/** The sector of every disc, in bytes; a known plan has its own. */
const SECTOR_BYTES = 2048

/**
 * Forecast vs. actual in one line: what the plan forecast, what is on the disk, and the difference.
 */
export function RunTotals({ build, rows }: { build: BuildState; rows: readonly BuildRow[] }) {
  const units = useUnits()
  const sectorBytes = build.plan?.medium.sectorBytes ?? SECTOR_BYTES
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
        {...sizeFigure(rows.length === 0 ? null : forecast * sectorBytes, units)}
        basis={forecastBasis}
        note={rows.length === 0 ? null : t('medium.sectors', { count: forecast })}
      />
      <Figure
        label={t('build.actual')}
        {...sizeFigure(built.length === 0 ? null : actual * sectorBytes, units)}
        basis={measured(t('basis.built'))}
        note={built.length === 0 ? t('build.notYet') : t('medium.sectors', { count: actual })}
      />
      <Figure
        label={t('build.difference')}
        quantity={
          built.length === 0
            ? null
            : {
                number: `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${formatCount(Math.abs(difference))}`,
                unit: t('unit.sectors'),
              }
        }
        exactly={`${formatCount(difference)} ${t('unit.sectors')}, ${formatExactBytes(Math.abs(difference) * sectorBytes)}`}
        basis={measured(t('basis.difference'))}
        note={built.length === 0 ? null : t(difference === 0 ? 'build.asForecast' : 'build.apart')}
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
