import type { BandSweepPoint, SweepOperation } from '../../../../../src/contract/dto/bands'
import {
  formatBandSize,
  formatCount,
  formatExactBytes,
  formatRate,
  type Units,
} from '../../../../../src/primitives/quantity'
import type { Column } from '../../../components/DataTable'
import { FigureParts, HowDoWeKnow } from '../../../components/Figure'
import { t } from '../../../copy'
import { rateQuantity } from '../measureWords'
import { DRAWN_OPERATIONS } from './bandsState'
import { containerWords, rangeWords } from './bandsWords'

/** The table of points; ranges stand with their rates. */
export function pointColumns(
  units: Units,
  reference: BandSweepPoint | null,
  isChosen: (point: BandSweepPoint) => boolean,
): Column<BandSweepPoint>[] {
  const nameOf = (point: BandSweepPoint): string =>
    point === reference ? t('bandChart.raw') : containerWords(point.kind, point.encryption)
  return [
    {
      key: 'container',
      header: t('bandColumn.container'),
      track: 'minmax(23ch, 1.400fr)',
      cell: (point) => <span className="ellipsis">{nameOf(point)}</span>,
      sortBy: nameOf,
      csv: ({ kind }) => kind,
      csvHeader: 'container',
      csvMore: [{ header: 'encryption', csv: ({ encryption }) => encryption ?? '' }],
    },
    {
      key: 'size',
      header: t('bandColumn.size'),
      track: '9ch',
      align: 'end',
      cell: (point) =>
        point.bandSize === null ? (
          ''
        ) : (
          <span
            className={isChosen(point) ? 'chosen-band' : undefined}
            title={`${formatExactBytes(point.bandSize)}${isChosen(point) ? `, ${t('bandColumn.chosen')}` : ''}`}
          >
            {formatBandSize(point.bandSize)}
          </span>
        ),
      sortBy: ({ bandSize }) => bandSize ?? 0,
      csv: ({ bandSize }) => bandSize ?? '',
      csvHeader: 'band_bytes',
    },
    {
      key: 'bands',
      header: t('bandColumn.bands'),
      track: 'minmax(14ch, 0.800fr)',
      align: 'end',
      cell: ({ bands }) => (bands === null ? '' : formatCount(bands)),
      sortBy: ({ bands }) => bands ?? 0,
      csv: ({ bands }) => bands ?? '',
      csvHeader: 'bands_when_full',
    },
    ...DRAWN_OPERATIONS.map((op) => rateColumn(op, units)),
    {
      key: 'know',
      header: '',
      track: '28px',
      align: 'end',
      cell: (point) => (
        <HowDoWeKnow
          className="mark-button"
          label={`${nameOf(point)}${point.bandSize === null ? '' : `, ${formatBandSize(point.bandSize)}`}`}
          exactly={DRAWN_OPERATIONS.map((op) => {
            const rate = point[op]
            return rate === null ? '' : `${t(`sweep.op.${op}`)} ${formatRate(rate.value, units)}`
          }).join('; ')}
          basis={{ provenance: 'measured', text: t('bands.recommended.basis') }}
        />
      ),
    },
  ]
}

function rateColumn(op: SweepOperation, units: Units): Column<BandSweepPoint> {
  return {
    key: op,
    header: t(`sweep.op.${op}`),
    track: '21ch',
    align: 'end',
    cell: (point) => {
      const rate = point[op]
      if (rate === null) return ''
      return (
        <span className="figure-columns">
          <FigureParts
            quantity={rateQuantity(rate.value, units)}
            range={rangeWords(rate, units) ?? undefined}
          />
        </span>
      )
    },
    sortBy: (point) => point[op]?.value ?? 0,
    csv: (point) => Math.round(point[op]?.value ?? 0) || '',
    csvHeader: `${op}_bytes_per_second`,
    csvMore: [
      { header: `${op}_low`, csv: (point) => Math.round(point[op]?.low ?? 0) || '' },
      { header: `${op}_high`, csv: (point) => Math.round(point[op]?.high ?? 0) || '' },
      { header: `${op}_of_raw`, csv: (point) => point.ofReference[op]?.value.toFixed(4) ?? '' },
    ],
  }
}
