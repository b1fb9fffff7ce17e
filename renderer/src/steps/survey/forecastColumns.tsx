import {
  formatExactBytes,
  formatShare,
  formatSizeRange,
  sizeQuantity,
  type Units,
} from '../../../../src/primitives/quantity'
import type { Column } from '../../components/DataTable'
import { HowDoWeKnow, Size } from '../../components/Figure'
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
export function codecColumn<Row extends Forecast>(
  track: string,
  best: Row | undefined,
  isFastest: (row: Row) => boolean = () => false,
): Column<Row> {
  return {
    key: 'codec',
    header: t('column.codec'),
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
    csv: { codec: (row) => row.codec },
  }
}

/**
 * The forecast and its range, each in a column of its own.
 * @param basis how the forecast is known, which a press on it opens; without it the size stands
 *   alone
 */
export function predictedColumns<Row extends Forecast>(
  units: Units,
  tracks: { readonly size: string; readonly range: string },
  basis?: (row: Row) => string,
): Column<Row>[] {
  return [
    {
      key: 'size',
      header: t('column.predicted'),
      track: tracks.size,
      align: 'end',
      cell: (row) =>
        basis ? (
          <Predicted row={row} units={units} basis={basis(row)} />
        ) : (
          <Size bytes={row.predictedBytes} units={units} />
        ),
      sortBy: (row) => row.predictedBytes,
      csv: {
        predicted_bytes: (row) => row.predictedBytes,
        low_bytes: (row) => row.low,
        high_bytes: (row) => row.high,
        ...(basis && { provenance: () => 'modelled' }),
      },
    },
    {
      key: 'range',
      header: t('column.range'),
      track: tracks.range,
      align: 'end',
      cell: (row) => (
        <span className="muted">{formatSizeRange(row.predictedBytes, row.low, row.high, units)}</span>
      ),
    },
  ]
}

/** The forecast as a share of the source's bytes; 1 for an empty source. */
export function shareColumn<Row extends Forecast>(total: number, track: string): Column<Row> {
  const share = (row: Row): number => (total === 0 ? 1 : row.predictedBytes / total)
  return {
    key: 'share',
    header: t('column.ofRaw'),
    track,
    align: 'end',
    cell: (row) => formatShare(share(row)),
    sortBy: share,
    csv: { share_of_raw: share },
  }
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
