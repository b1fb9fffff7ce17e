import type { BandSweepPoint, SweepOperation } from '../../../../../src/contract/dto/bands'
import {
  formatBandSize,
  formatCount,
  formatExactBytes,
  formatRate,
  type Units,
} from '../../../../../src/primitives/quantity'
import { figureColumn, markColumn } from '../../../components/columns'
import type { Column } from '../../../components/DataTable'
import { FigureParts } from '../../../components/Figure'
import { t } from '../../../copy'
import { rateQuantity } from '../measureWords'
import { DRAWN_OPERATIONS } from './bandsState'
import { containerWords, rangeWords } from './bandsWords'

/** The table of points; each rate has its range next to it. */
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
      track: 'minmax(126px, 1.400fr)',
      isForComparing: true,
      cell: (point) => (
        <span className="ellipsis given-name" title={nameOf(point)}>
          {nameOf(point)}
        </span>
      ),
      sortBy: nameOf,
      csv: { container: ({ kind }) => kind, encryption: ({ encryption }) => encryption ?? '' },
    },
    {
      key: 'size',
      header: t('bandColumn.size'),
      track: '72px',
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
      csv: { band_bytes: ({ bandSize }) => bandSize ?? '' },
    },
    figureColumn('bands_when_full', t('bandColumn.bands'), '88px', ({ bands }) => bands, formatCount),
    ...DRAWN_OPERATIONS.map((op) => rateColumn(op, units)),
    markColumn((point) => ({
      label: `${nameOf(point)}${point.bandSize === null ? '' : `, ${formatBandSize(point.bandSize)}`}`,
      exactly: DRAWN_OPERATIONS.map((op) => {
        const rate = point[op]
        return rate === null ? '' : `${t(`sweep.op.${op}`)} ${formatRate(rate.value, units)}`
      }).join('; '),
      basis: { provenance: 'measured', text: t('bands.recommended.basis') },
    })),
  ]
}

function rateColumn(op: SweepOperation, units: Units): Column<BandSweepPoint> {
  return {
    key: op,
    header: t(`sweep.op.${op}`),
    track: '150px',
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
    csv: {
      [`${op}_bytes_per_second`]: (point) => Math.round(point[op]?.value ?? 0) || '',
      [`${op}_low`]: (point) => Math.round(point[op]?.low ?? 0) || '',
      [`${op}_high`]: (point) => Math.round(point[op]?.high ?? 0) || '',
      [`${op}_of_raw`]: (point) => point.ofReference[op]?.value.toFixed(4) ?? '',
    },
  }
}
