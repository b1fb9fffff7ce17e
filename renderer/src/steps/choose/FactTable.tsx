import type { OptionBuild } from '../../../../src/contract/dto/options'
import type { Estimate } from '../../../../src/primitives/estimate'
import type { Units } from '../../../../src/primitives/quantity'
import { type Column, DataTable } from '../../components/DataTable'
import { HowDoWeKnow } from '../../components/Figure'
import { t } from '../../copy'
import {
  actualExactly,
  figureBasis,
  figureExactly,
  figureQuantity,
  formatActual,
  signedShare,
} from './optionWords'

export const FACTS = ['bytes', 'buildSeconds', 'ramBytes'] as const
export type Fact = (typeof FACTS)[number]

interface Row {
  readonly fact: Fact
  readonly forecast: Estimate
  /** Null where it is unknown. */
  readonly actual: number | null
}

/** One build: forecast and actual figures, and whether each range contains the actual one. */
export function FactTable({ built, units }: { built: OptionBuild; units: Units }) {
  const rows = FACTS.map((fact) => ({ fact, forecast: built.forecast[fact], actual: built.actual[fact] }))
  return (
    <DataTable
      label={t('inHand.table')}
      columns={columnsFor(units)}
      rows={rows}
      rowKey={(row) => row.fact}
      empty=""
    />
  )
}

function columnsFor(units: Units): Column<Row>[] {
  return [
    {
      key: 'figure',
      header: t('fact.figure'),
      track: 'minmax(120px, 1fr)',
      cell: ({ fact }) => t(`fact.${fact}`),
    },
    {
      key: 'forecast',
      header: t('fact.forecast'),
      track: '190px',
      align: 'end',
      cell: ({ fact, forecast }) => {
        const basis = figureBasis(fact, forecast, units)
        return (
          <HowDoWeKnow
            className="figure-columns"
            label={t(`fact.${fact}`)}
            exactly={figureExactly(fact, forecast.value)}
            basis={basis}
            shown={figureQuantity(fact, forecast.value, units)}
            range={basis.range}
          />
        )
      },
    },
    {
      key: 'actual',
      header: t('fact.actual'),
      track: '110px',
      align: 'end',
      cell: ({ fact, actual }) =>
        actual === null ? (
          <span className="muted">{t('fact.unknown')}</span>
        ) : (
          <span title={actualExactly(fact, actual)}>{formatActual(fact, actual, units)}</span>
        ),
    },
    {
      key: 'error',
      header: t('fact.error'),
      track: '80px',
      align: 'end',
      cell: ({ forecast, actual }) =>
        actual === null || actual === 0 ? '' : signedShare((forecast.value - actual) / actual),
    },
    {
      key: 'held',
      header: t('fact.held'),
      track: '90px',
      cell: ({ forecast, actual }) =>
        actual === null ? '' : <Held held={actual >= forecast.low && actual <= forecast.high} />,
    },
  ]
}

/** Shows by sign and word if the range contains the actual figure. */
function Held({ held }: { held: boolean }) {
  return (
    <span className={held ? 'good' : 'bad'}>
      <span aria-hidden="true">{held ? '✓' : '✗'}</span> {t(held ? 'fact.holds' : 'fact.missed')}
    </span>
  )
}
