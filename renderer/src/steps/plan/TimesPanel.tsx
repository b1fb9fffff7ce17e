import { burnText } from '../../../../src/contract/burnText'
import type { PlanDocument, PlanTimes, PlanVolume, VolumeTimes } from '../../../../src/contract/dto/plan'
import { STEP_TABLE, stepsOf, type TimeStep, timeColumn } from '../../../../src/contract/tables/planTables'
import type { Estimate } from '../../../../src/primitives/estimate'
import type { Units } from '../../../../src/primitives/quantity'
import { formatSpan } from '../../../../src/primitives/spokenTime'
import { markColumn } from '../../components/columns'
import { type Column, csvOf } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { useUnits } from '../../state/sessionContext'

/**
 * How long each step takes, from packing to restoring: in all, and for the picked volume where
 * there are several; and burning.
 */
export function TimesPanel({
  plan: { times, volumes },
  picked,
}: {
  plan: PlanDocument & { readonly times: PlanTimes }
  picked: PlanVolume | null
}) {
  const units = useUnits()
  const steps = stepsOf(times.total)
  const ofVolume = ({ index, label }: PlanVolume) =>
    shownTimes(times.volumes[volumes.findIndex((one) => one.index === index)], units, label)
  const all = [
    ...columnsOf(STEP_TABLE, units, {
      step: { track: 'minmax(58px, 1fr)', isSorted: false, say: (step) => t(`times.${step}`) },
    }),
    ...shownTimes(times.total, units),
  ]
  const mark = markColumn<TimeStep>((one) => {
    const time = times.total[one]
    return (
      time && {
        label: t(`times.${one}`),
        exactly: formatSpan(time),
        basis: { provenance: time.provenance, text: time.basis },
      }
    )
  }, '24px')
  return (
    <TablePanel
      title={t('times.title')}
      says={t('times.says')}
      csv={() => ({
        name: 'times',
        ...csvOf(volumes.length === 1 ? all : [...all, ...volumes.flatMap(ofVolume)], steps),
      })}
      columns={[...all, ...(picked ? ofVolume(picked) : []), mark]}
      rows={steps}
      rowKey={(one) => one}
      empty=""
    >
      {times.burn && <p className="field-note">{burnText(times.burn, t)}</p>}
    </TablePanel>
  )
}

/** The column of the times of all volumes, or of one by its label. */
function shownTimes(times: VolumeTimes | undefined, units: Units, label?: string): Column<TimeStep>[] {
  const name = label ?? 'all'
  return columnsOf<TimeStep, string>({ [name]: timeColumn(times, name) }, units, {
    [name]: {
      ...(label !== undefined && { header: label }),
      track: 'minmax(172px, 1fr)',
      isSorted: false,
      cell: (step) => <Span time={times?.[step]} />,
    },
  })
}

function Span({ time }: { time: Estimate | null | undefined }) {
  if (!time) return <span className="muted">–</span>
  return <span title={spoken(time.basis)}>{formatSpan(time)}</span>
}
