import { sizeTable } from '../../../../src/contract/tables/surveyTables'
import type { Units } from '../../../../src/primitives/quantity'
import { binName, type SizeBin, SizeChart } from '../../charts/SizeChart'
import type { Column } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { ProvenanceMark } from '../../components/Marks'
import { TablePanel } from '../../components/TablePanel'
import { t } from '../../copy'
import { binsWithin, type Linked } from './linked'
import type { SurveyFigures } from './surveyState'

const HEIGHT_PX = 288

/** File sizes: files and bytes by size, and the part that is selected. */
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
    <TablePanel
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
        bins.length === 0 ? null : (
          <SizeChart
            bins={bins}
            within={within}
            units={units}
            height={HEIGHT_PX}
            onPick={(bin) => onPick({ by: 'size', bin })}
          />
        )
      }
      keptPx={HEIGHT_PX}
      columns={columns}
      rows={bins}
      rowKey={(bin) => bin.fromBytes}
      visibleRows={10}
      empty={t('types.says.none')}
      csv="file-sizes"
    />
  )
}

function columnsFor(units: Units): Column<SizeBin>[] {
  return columnsOf(sizeTable(0), units, {
    range: { track: 'minmax(150px, 2fr)', say: binName, sortBy: (bin) => bin.fromBytes },
    files: 'minmax(80px, 1fr)',
    bytes: 'minmax(84px, 1fr)',
  })
}
