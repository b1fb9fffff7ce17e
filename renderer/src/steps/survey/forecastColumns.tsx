import {
  formatExactBytes,
  formatSizeRange,
  sizeQuantity,
  type Units,
} from '../../../../src/primitives/quantity'
import type { Shown } from '../../components/declaredColumns'
import { HowDoWeKnow } from '../../components/Figure'
import { AsSmallMark } from '../../components/Marks'
import { t } from '../../copy'
import { codecName } from '../../format/permanentNames'

/** The forecast of one way of compressing the source. */
interface Forecast {
  readonly codec: string
  readonly predictedBytes: number
  readonly low: number
  readonly high: number
}

/** The codec, whether it is the smallest or within error of it, and whether it is the fastest. */
export function shownCodec<Row extends Forecast>(
  track: string,
  best: Row | undefined,
  isFastest: (row: Row) => boolean = () => false,
): Shown<Row> {
  return {
    track,
    cell: (row) => (
      <span className="codec-name">
        {codecName(row.codec)}
        {row === best && <span className="tag good">{t('codecs.smallest')}</span>}
        {row !== best && best && row.low <= best.high && <AsSmallMark />}
        {isFastest(row) && <span className="tag">{t('codecs.fastest')}</span>}
      </span>
    ),
    sortBy: (row) => codecName(row.codec),
  }
}

/** The forecast as a button that shows how it is known: `basis`. */
export function shownForecast<Row extends Forecast>(
  track: string,
  units: Units,
  basis: (row: Row) => string,
): Shown<Row> {
  return { track, cell: (row) => <Predicted row={row} units={units} basis={basis(row)} /> }
}

function Predicted({ row, units, basis }: { row: Forecast; units: Units; basis: string }) {
  return (
    <HowDoWeKnow
      className="figure-inline"
      label={codecName(row.codec)}
      exactly={formatExactBytes(row.predictedBytes)}
      shown={sizeQuantity(row.predictedBytes, units)}
      basis={{
        provenance: 'modelled',
        text: basis,
        range: formatSizeRange(row.predictedBytes, row.low, row.high, units),
      }}
    />
  )
}
