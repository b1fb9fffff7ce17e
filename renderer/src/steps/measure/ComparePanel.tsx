import { useEffect, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { MeasureComparison, MeasurementDocument } from '../../../../src/contract/dto/measure'
import { MEASURE_COMPARISON_TABLE } from '../../../../src/contract/tables/measureTables'
import type { Estimate } from '../../../../src/primitives/estimate'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatRate, threeDigits, type Units } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import type { Column } from '../../components/DataTable'
import { columnsOf, type Shown } from '../../components/declaredColumns'
import { HowDoWeKnow } from '../../components/Figure'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { MeasureSession } from './measureSession'
import { formatTime } from './measureWords'
import { Warning } from './Signs'

type Row = MeasureComparison['operations'][number]

/**
 * The shown measurement against an earlier one: ratios with their ranges, and whether they are
 * significant.
 */
export function ComparePanel({
  other,
}: {
  other: { readonly document: MeasurementDocument; readonly comparison: MeasureComparison }
}) {
  const units = useUnits()
  const session = useSession(MeasureSession)
  const { a, notes, operations } = other.comparison
  const test = spoken(a.specName)
  const name = `${test}, ${pathForDisplay(a.deviceName)}`
  const columns = columnsFor(other.document, units)
  const panel = useRef<HTMLDivElement>(null)
  // It was asked for further down: the pictures it is laid into and its ratios come into view together.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'end' })
  }, [])
  return (
    <div ref={panel} className="compared" tabIndex={-1}>
      <TablePanel
        title={t('compare.title', { name })}
        says={t('compare.says', { name: test, moment: formatMoment(a.createdWallMs) })}
        csv={`measurement-against-${a.id}`}
        columns={columns}
        rows={operations}
        rowKey={(row) => row.op}
        empty={t('tests.none')}
      >
        <ul className="signs stack tight">
          {notes.map((note) => (
            <Warning key={note}>{t(`note.${note}`)}</Warning>
          ))}
        </ul>
        <Button className="plain" onPress={() => void session.compareWith(null)}>
          {t('compare.close')}
        </Button>
      </TablePanel>
    </div>
  )
}

function columnsFor(before: MeasurementDocument, units: Units): Column<Row>[] {
  const [operation, ...ratios] = columnsOf(MEASURE_COMPARISON_TABLE, units, {
    operation: { track: 'minmax(110px, 1fr)', say: (row) => t(`op.${row.op}`), isSorted: false },
    rate: shownRatio('rate'),
    latency: shownRatio('latency'),
  })
  const beforeColumn: Column<Row> = {
    key: 'before',
    header: t('history.before'),
    track: 'minmax(9ch, 1fr)',
    align: 'end',
    cell: (row) => {
      const figures = before[row.op]
      if (row.op === 'randomRead' || row.op === 'randomWrite')
        return figures?.latencyNs ? formatTime(figures.latencyNs.value) : ''
      return figures?.bytesPerSecond ? formatRate(figures.bytesPerSecond.value, units) : ''
    },
  }
  return [...(operation ? [operation] : []), beforeColumn, ...ratios]
}

function shownRatio(of: 'rate' | 'latency'): Shown<Row> {
  const ratioOf = (row: Row): Estimate | null => (of === 'rate' ? row.rateRatio : row.latencyRatio)
  const differs = (row: Row): boolean => (of === 'rate' ? row.rateDiffers : row.latencyDiffers)
  const header = t(of === 'rate' ? 'column.ratioRate' : 'column.ratioLatency')
  return {
    track: 'minmax(38ch, 2fr)',
    cell: (row) => {
      const ratio = ratioOf(row)
      if (ratio === null) return <span className="muted">–</span>
      const range = `${threeDigits(ratio.low)}–${threeDigits(ratio.high)}`
      return (
        <span className="ratio">
          <HowDoWeKnow
            className="figure-inline"
            label={`${t(`op.${row.op}`)}, ${header}`}
            exactly={`× ${threeDigits(ratio.value)}`}
            basis={{ provenance: ratio.provenance, text: t('basis.ratio'), range }}
            shown={{ number: `× ${threeDigits(ratio.value)}`, unit: range }}
          />
          <span className={differs(row) ? 'ellipsis' : 'ellipsis muted'}>
            {verdict(of, ratio, differs(row))}
          </span>
        </span>
      )
    },
    sortBy: (row) => ratioOf(row)?.value ?? 0,
  }
}

function verdict(of: 'rate' | 'latency', ratio: Estimate, differs: boolean): string {
  if (!differs) return t('compare.same')
  if (of === 'rate') return t(ratio.value > 1 ? 'compare.faster' : 'compare.slower')
  return t(ratio.value > 1 ? 'compare.longer' : 'compare.shorter')
}
