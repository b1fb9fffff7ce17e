import type { CompareDocument } from '../../../../../src/contract/dto/options'
import type { Units } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { type Column, MOMENT_TRACK } from '../../../components/DataTable'
import { HowDoWeKnow, Size } from '../../../components/Figure'
import { OptionName } from '../../../components/OptionName'
import { spoken, t } from '../../../copy'
import { titleOfRoots } from '../../../format/paths'
import type { Fact } from '../FactTable'
import { figureBasis, formatActual, formatFigure, signedShare } from '../optionWords'

export type Build = CompareDocument['builds'][number]
type Compared = NonNullable<Build['errors'][Fact]>

/** The columns of the builds. */
export function buildColumns(units: Units): Column<Build>[] {
  return [
    {
      key: 'when',
      header: t('column.whenBuilt'),
      track: MOMENT_TRACK,
      cell: (build) => formatMoment(build.createdWallMs),
      sortBy: (build) => build.createdWallMs,
      csv: { created: (build) => new Date(build.createdWallMs).toISOString(), id: (build) => build.id },
    },
    {
      key: 'option',
      header: t('column.option'),
      track: 'minmax(200px, 2fr)',
      cell: (build) => (
        <span className="option-name" title={build.path}>
          <OptionName name={spoken(build.name)} />
        </span>
      ),
      sortBy: (build) => spoken(build.name),
      csv: { variant: (build) => build.variant, path: (build) => build.path },
    },
    {
      key: 'source',
      header: t('column.ofSource'),
      track: 'minmax(12ch, 1fr)',
      isForComparing: true,
      cell: (build) => (
        <span
          className="ellipsis given-name"
          title={`${titleOfRoots(build.roots)}\n${build.roots.join('\n')}`}
        >
          {titleOfRoots(build.roots)}
        </span>
      ),
      sortBy: (build) => build.sourceBytes,
      csv: { source_bytes: (build) => build.sourceBytes },
    },
    errorColumn('bytes', t('column.errorOfSize'), units),
    errorColumn('buildSeconds', t('column.errorOfTime'), units),
    errorColumn('ramBytes', t('column.errorOfMemory'), units),
    {
      key: 'result',
      header: t('column.result'),
      track: 'minmax(15ch, 18ch)',
      cell: (build) => (
        <span className="muted">
          {build.discarded ? (
            t('accuracyBuilds.discarded')
          ) : (
            <>
              <Size bytes={build.actual.bytes} units={units} />, {t('accuracyBuilds.kept')}
            </>
          )}
        </span>
      ),
      csv: { result: (build) => (build.discarded ? 'discarded' : 'kept') },
    },
  ]
}

function errorColumn(fact: Fact, header: string, units: Units): Column<Build> {
  const of = (build: Build): Compared | null => build.errors[fact]
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
          label={`${spoken(build.name)}, ${t('fact.error')}, ${t(`fact.${fact}`)}`}
          exactly={t('accuracyBuilds.exactly', {
            forecast: formatFigure(fact, compared.forecast.value, units),
            actual: formatActual(fact, compared.actual, units),
          })}
          basis={{
            ...basis,
            text: t('accuracyBuilds.basis', { basis: basis.text }),
          }}
          shown={{ number: signedShare(compared.error), unit: '' }}
        >
          <span className={compared.held ? 'held-sign good' : 'held-sign bad'}>
            <span aria-hidden="true">{compared.held ? '✓' : '✗'}</span>
            <span className="hidden-text">{t(compared.held ? 'fact.holds' : 'fact.missed')}</span>
          </span>
        </HowDoWeKnow>
      )
    },
    sortBy: (build) => {
      const compared = of(build)
      return compared === null ? Number.NEGATIVE_INFINITY : Math.abs(compared.error)
    },
    csv: {
      [`forecast_${name}`]: (build) => of(build)?.forecast.value ?? '',
      [`forecast_${name}_low`]: (build) => of(build)?.forecast.low ?? '',
      [`forecast_${name}_high`]: (build) => of(build)?.forecast.high ?? '',
      [`actual_${name}`]: (build) => of(build)?.actual ?? '',
      [`error_${name}`]: (build) => of(build)?.error ?? '',
      [`uncalibrated_error_${name}`]: (build) => of(build)?.uncalibratedError ?? '',
      [`held_${name}`]: (build) => String(of(build)?.held ?? ''),
    },
  }
}
