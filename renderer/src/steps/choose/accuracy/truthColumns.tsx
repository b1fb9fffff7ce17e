import type { CalibrationRow, CompareDocument } from '../../../../../src/contract/dto/options'
import { formatShare, threeDigits, type Units } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { type Column, MOMENT_TRACK } from '../../../components/DataTable'
import { HowDoWeKnow, Size } from '../../../components/Figure'
import { OptionName } from '../../../components/OptionName'
import { t } from '../../../copy'
import { titleOfRoots } from '../../../format/paths'
import type { Fact } from '../FactTable'
import { figureBasis, formatFigure, signedShare } from '../optionWords'

export type Build = CompareDocument['builds'][number]
type Compared = NonNullable<Build['errors'][Fact]>

/** The columns of the builds; errors are shown as they were forecast, or as they would have been without correction. */
export function buildColumns(units: Units, isCalibrated: boolean): Column<Build>[] {
  return [
    {
      key: 'when',
      header: t('column.whenBuilt'),
      track: MOMENT_TRACK,
      cell: (build) => formatMoment(build.createdWallMs),
      sortBy: (build) => build.createdWallMs,
      csv: (build) => new Date(build.createdWallMs).toISOString(),
      csvHeader: 'created',
      csvMore: [{ header: 'id', csv: (build) => build.id }],
    },
    {
      key: 'option',
      header: t('column.option'),
      track: 'minmax(200px, 2fr)',
      cell: (build) => (
        <span className="option-name" title={build.path}>
          <OptionName name={build.name} />
        </span>
      ),
      sortBy: (build) => build.name,
      csv: (build) => build.variant,
      csvHeader: 'variant',
      csvMore: [{ header: 'path', csv: (build) => build.path }],
    },
    {
      key: 'source',
      header: t('column.ofSource'),
      track: 'minmax(12ch, 1fr)',
      cell: (build) => (
        <span
          className="ellipsis given-name"
          title={`${titleOfRoots(build.roots)}\n${build.roots.join('\n')}`}
        >
          {titleOfRoots(build.roots)}
        </span>
      ),
      sortBy: (build) => build.sourceBytes,
      csv: (build) => build.sourceBytes,
      csvHeader: 'source_bytes',
    },
    errorColumn('bytes', t('column.errorOfSize'), units, isCalibrated),
    errorColumn('buildSeconds', t('column.errorOfTime'), units, isCalibrated),
    errorColumn('ramBytes', t('column.errorOfMemory'), units, isCalibrated),
    {
      key: 'result',
      header: t('column.result'),
      track: 'minmax(15ch, 18ch)',
      cell: (build) => (
        <span className="muted">
          {build.discarded ? (
            t('truthBuilds.discarded')
          ) : (
            <>
              <Size bytes={build.actual.bytes} units={units} />, {t('truthBuilds.kept')}
            </>
          )}
        </span>
      ),
      csv: (build) => (build.discarded ? 'discarded' : 'kept'),
      csvHeader: 'result',
    },
  ]
}

function errorColumn(fact: Fact, header: string, units: Units, isCalibrated: boolean): Column<Build> {
  const of = (build: Build): Compared | null => build.errors[fact]
  const errorOf = (compared: Compared): number => (isCalibrated ? compared.error : compared.uncalibratedError)
  const name = fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return {
    key: fact,
    header,
    track: '12ch',
    align: 'end',
    cell: (build) => {
      const compared = of(build)
      if (compared === null) return <span className="muted">{t('fact.unknown')}</span>
      const basis = figureBasis(fact, compared.forecast, units)
      return (
        <HowDoWeKnow
          className="figure-inline"
          label={`${build.name}, ${t('fact.error')}, ${t(`fact.${fact}`)}`}
          exactly={t('truthBuilds.exactly', {
            forecast: formatFigure(fact, compared.forecast.value, units),
            actual: formatFigure(fact, compared.actual, units),
          })}
          basis={{
            ...basis,
            text: t('truthBuilds.basis', { basis: basis.text }),
          }}
        >
          <span className="number">{signedShare(errorOf(compared))}</span>
          <span className={compared.held ? 'held-sign' : 'held-sign missed'}>
            <span aria-hidden="true">{compared.held ? '✓' : '✗'}</span>
            <span className="hidden-text">{t(compared.held ? 'fact.holds' : 'fact.missed')}</span>
          </span>
        </HowDoWeKnow>
      )
    },
    sortBy: (build) => {
      const compared = of(build)
      return compared === null ? Number.NEGATIVE_INFINITY : Math.abs(errorOf(compared))
    },
    csv: (build) => of(build)?.forecast.value ?? '',
    csvHeader: `forecast_${name}`,
    csvMore: [
      { header: `forecast_${name}_low`, csv: (build) => of(build)?.forecast.low ?? '' },
      { header: `forecast_${name}_high`, csv: (build) => of(build)?.forecast.high ?? '' },
      { header: `actual_${name}`, csv: (build) => of(build)?.actual ?? '' },
      { header: `error_${name}`, csv: (build) => of(build)?.error ?? '' },
      { header: `uncalibrated_error_${name}`, csv: (build) => of(build)?.uncalibratedError ?? '' },
      { header: `held_${name}`, csv: (build) => String(of(build)?.held ?? '') },
    ],
  }
}

export const CALIBRATION_COLUMNS: Column<CalibrationRow>[] = [
  {
    key: 'variant',
    header: t('column.option'),
    track: 'minmax(110px, 1fr)',
    cell: (row) => row.variant ?? t('calibration.family', { family: row.family }),
    sortBy: (row) => row.variant ?? row.family,
    csv: (row) => row.variant ?? '',
    csvHeader: 'variant',
    csvMore: [{ header: 'family', csv: (row) => row.family }],
  },
  {
    key: 'figure',
    header: t('column.figure'),
    track: 'minmax(110px, 1fr)',
    cell: (row) => t(`calibration.${row.figure}`),
    sortBy: (row) => row.figure,
    csv: (row) => row.figure,
    csvHeader: 'figure',
  },
  {
    key: 'factor',
    header: t('column.factor'),
    track: '72px',
    align: 'end',
    cell: (row) => `× ${threeDigits(row.factor)}`,
    sortBy: (row) => row.factor,
    csv: (row) => row.factor,
    csvHeader: 'factor',
  },
  {
    key: 'spread',
    header: t('column.spreadLeft'),
    track: '92px',
    align: 'end',
    cell: (row) => `± ${formatShare(row.spread)}`,
    sortBy: (row) => row.spread,
    csv: (row) => row.spread,
    csvHeader: 'spread',
  },
  {
    key: 'builds',
    header: t('column.ofBuilds'),
    track: '64px',
    align: 'end',
    cell: (row) => row.builds,
    sortBy: (row) => row.builds,
    csv: (row) => row.builds,
    csvHeader: 'builds',
  },
]
