import { formatCount, type Units } from '../../../../src/primitives/quantity'
import { binName, type SizeBin, SizeChart } from '../../charts/SizeChart'
import { type Column, csvOf, DataTable } from '../../components/DataTable'
import { Size } from '../../components/Figure'
import { ProvenanceMark } from '../../components/Marks'
import { Panel } from '../../components/Panel'
import { t } from '../../copy'
import { binsWithin, type Linked } from './linked'
import type { SurveyFigures } from './surveyState'

const HEIGHT_PX = 288

/** How big the files are: files and bytes by size, and what of them is picked. */
export function SizePanel({
  figures,
  units,
  linked,
  name,
  onPick,
}: {
  figures: SurveyFigures | null
  units: Units
  linked: Linked
  /** Words for what is picked. */
  name: string | null
  onPick: (linked: Linked) => void
}) {
  const bins = figures?.sizeHistogram ?? []
  const amounts = binsWithin(bins, figures?.types ?? [], linked)
  const within = amounts === null || name === null ? null : { amounts, name }
  const columns = columnsFor(units)
  return (
    <Panel
      title={t('sizes.title')}
      says={
        <span className="legend">
          <span className="swatch" style={{ background: 'var(--line-strong)' }} aria-hidden="true" />
          {t('sizes.legend.files')}
          <span className="swatch" style={{ background: 'var(--accent)' }} aria-hidden="true" />
          {t('sizes.legend.bytes')}
          <span className="legend-mark" title={t('provenance.exact')}>
            <ProvenanceMark provenance="exact" />
            {t('provenance.exact.short')}
          </span>
          {within !== null && (
            <span className="legend-mark">{t('sizes.legend.within', { name: within.name })}</span>
          )}
          {linked !== null && within === null && (
            <span className="legend-mark">{t('sizes.legend.unknown')}</span>
          )}
        </span>
      }
      chart={
        bins.length === 0 ? (
          <div className="chart-absent" style={{ height: HEIGHT_PX }} />
        ) : (
          <SizeChart
            bins={bins}
            within={within}
            units={units}
            height={HEIGHT_PX}
            onPick={(bin) => onPick({ by: 'size', bin })}
          />
        )
      }
      table={
        <div style={{ minHeight: HEIGHT_PX }}>
          <DataTable
            label={t('sizes.title')}
            columns={columns}
            rows={bins}
            rowKey={(bin) => bin.fromBytes}
            visibleRows={10}
            empty={t('types.says.none')}
          />
        </div>
      }
      csv={bins.length === 0 ? undefined : () => ({ name: 'file-sizes', ...csvOf(columns, bins) })}
    />
  )
}

function columnsFor(units: Units): Column<SizeBin>[] {
  return [
    {
      key: 'range',
      header: t('column.fileSize'),
      track: 'minmax(150px, 2fr)',
      cell: (bin) => binName(bin),
      sortBy: (bin) => bin.fromBytes,
      csv: (bin) => bin.fromBytes,
      csvHeader: 'from_bytes',
      csvMore: [{ header: 'to_bytes', csv: (bin) => bin.toBytes ?? '' }],
    },
    {
      key: 'files',
      header: t('column.files'),
      track: 'minmax(80px, 1fr)',
      align: 'end',
      cell: (bin) => formatCount(bin.files),
      sortBy: (bin) => bin.files,
      csv: (bin) => bin.files,
      csvHeader: 'files',
    },
    {
      key: 'bytes',
      header: t('column.size'),
      track: 'minmax(84px, 1fr)',
      align: 'end',
      cell: (bin) => <Size bytes={bin.bytes} units={units} />,
      sortBy: (bin) => bin.bytes,
      csv: (bin) => bin.bytes,
      csvHeader: 'bytes',
    },
  ]
}
