import type { OptionBuild } from '../../../../src/contract/dto/options'
import {
  BUILD_FIGURE_TABLE,
  type BuildFigure,
  buildFigures,
  COMPARED_FIGURES,
  type ComparedFigure,
} from '../../../../src/contract/tables/optionTables'
import type { Units } from '../../../../src/primitives/quantity'
import { type Column, DataTable } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
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

export const FACTS = COMPARED_FIGURES
export type Fact = ComparedFigure

/** One build: forecast and actual figures, and whether each range contains the actual one. */
export function FactTable({ built, units }: { built: OptionBuild; units: Units }) {
  return (
    <DataTable
      label={t('inHand.table')}
      columns={columnsFor(units)}
      rows={buildFigures(built)}
      rowKey={({ figure }) => figure}
      empty=""
    />
  )
}

function columnsFor(units: Units): Column<BuildFigure>[] {
  return columnsOf(BUILD_FIGURE_TABLE, units, {
    figure: { track: 'minmax(120px, 1fr)', say: ({ figure }) => t(`fact.${figure}`), isSorted: false },
    forecast: {
      track: '190px',
      isSorted: false,
      cell: ({ figure, forecast }) => {
        const basis = figureBasis(figure, forecast, units)
        return (
          <HowDoWeKnow
            className="figure-columns"
            label={t(`fact.${figure}`)}
            exactly={figureExactly(figure, forecast.value)}
            basis={basis}
            shown={figureQuantity(figure, forecast.value, units)}
            range={basis.range}
          />
        )
      },
    },
    actual: {
      track: '110px',
      isSorted: false,
      cell: ({ figure, actual }) =>
        actual === null ? (
          <span className="muted">{t('fact.unknown')}</span>
        ) : (
          <span title={actualExactly(figure, actual)}>{formatActual(figure, actual, units)}</span>
        ),
    },
    error: {
      track: '80px',
      isSorted: false,
      cell: ({ forecast, actual }) =>
        actual === null || actual === 0 ? '' : signedShare((forecast.value - actual) / actual),
    },
    held: {
      track: '90px',
      isSorted: false,
      cell: ({ forecast, actual }) =>
        actual === null ? '' : <Held held={actual >= forecast.low && actual <= forecast.high} />,
    },
  })
}

/** Shows by sign and word if the range contains the actual figure. */
function Held({ held }: { held: boolean }) {
  return (
    <span className={held ? 'good' : 'bad'}>
      <span aria-hidden="true">{held ? '✓' : '✗'}</span> {t(held ? 'fact.holds' : 'fact.missed')}
    </span>
  )
}
