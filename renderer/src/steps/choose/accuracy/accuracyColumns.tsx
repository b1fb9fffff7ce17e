import type { CompareDocument } from '../../../../../src/contract/dto/options'
import { BUILD_TABLE } from '../../../../../src/contract/tables/optionTables'
import type { Units } from '../../../../../src/primitives/quantity'
import { type Column, MOMENT_TRACK } from '../../../components/DataTable'
import { columnsOf, type Shown } from '../../../components/declaredColumns'
import { HowDoWeKnow, Size } from '../../../components/Figure'
import { OptionName } from '../../../components/OptionName'
import { spoken, t } from '../../../copy'
import { titleOfRoots } from '../../../format/paths'
import type { Fact } from '../FactTable'
import { figureBasis, formatActual, formatFigure, signedShare } from '../optionWords'

export type Build = CompareDocument['builds'][number]

/** The columns of the builds. */
export function buildColumns(units: Units): Column<Build>[] {
  return columnsOf(BUILD_TABLE, units, {
    when: MOMENT_TRACK,
    option: {
      track: 'minmax(260px, 2fr)',
      cell: (build) => (
        <span className="option-name" title={build.path}>
          <OptionName name={spoken(build.name)} />
        </span>
      ),
      sortBy: (build) => spoken(build.name),
    },
    source_bytes: {
      track: 'minmax(12ch, 1fr)',
      align: 'start',
      isForComparing: true,
      cell: (build) => (
        <span
          className="ellipsis given-name"
          title={`${titleOfRoots(build.roots)}\n${build.roots.join('\n')}`}
        >
          {titleOfRoots(build.roots)}
        </span>
      ),
    },
    bytesError: shownError('bytes', units),
    buildSecondsError: shownError('buildSeconds', units),
    ramBytesError: shownError('ramBytes', units),
    result: {
      track: 'minmax(15ch, 18ch)',
      isSorted: false,
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
    },
  })
}

function shownError(fact: Fact, units: Units): Shown<Build> {
  return {
    track: '12ch',
    cell: (build) => {
      const compared = build.errors[fact]
      if (compared === null) return <span className="muted">{t('fact.unknown')}</span>
      const basis = figureBasis(fact, compared.forecast, units)
      return (
        <HowDoWeKnow
          className="figure-inline"
          label={`${spoken(build.name)}, ${t('column.error')}, ${t(`fact.${fact}`)}`}
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
    sortBy: ({ errors }) => {
      const compared = errors[fact]
      return compared === null ? Number.NEGATIVE_INFINITY : Math.abs(compared.error)
    },
  }
}
