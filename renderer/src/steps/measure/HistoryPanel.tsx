import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { MeasurementListItem } from '../../../../src/contract/dto/measure'
import { MEASUREMENT_LIST_TABLE } from '../../../../src/contract/tables/measureTables'
import { formatRate, type Units } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import type { Column } from '../../components/DataTable'
import { columnsOf } from '../../components/declaredColumns'
import { Segments } from '../../components/Segments'
import { TablePanel } from '../../components/TablePanel'
import { spoken, t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { typicalRead } from './measureFigures'
import { MeasureSession } from './measureSession'
import { deviceColumn, shownAs, stateColumn, whenColumn } from './runColumns'

/**
 * Earlier measurements, on this device or on all; each can be opened, or laid under the one that is
 * shown.
 */
export function HistoryPanel({ running, units }: { running: boolean; units: Units }) {
  const session = useSession(MeasureSession)
  const { document, preview, list, other } = useStateOf(MeasureSession)
  const [all, setAll] = useState(false)
  const device = (running ? null : document?.device.key) ?? preview?.device.key ?? null
  const here = device === null ? list : list.filter((item) => item.deviceKey === device)
  const rows = all || device === null ? list : here
  const columns = columnsFor({
    units,
    running,
    allDevices: all || device === null,
    shown: document?.id ?? null,
    other: other?.document.id ?? null,
    open: (id) => void session.open(id),
    compare: (id) => void session.compareWith(id),
  })
  return (
    <TablePanel
      title={t('history.title')}
      says={device === null ? t('history.says.none') : sayTypical(list, device, units)}
      csv="measurements"
      above={
        device !== null && (
          <div className="choice-row line">
            <Segments
              label={t('history.scope')}
              all={['here', 'all']}
              chosen={all ? 'all' : 'here'}
              words={(scope) => t(`history.${scope}`)}
              onChange={(scope) => setAll(scope === 'all')}
            />
          </div>
        )
      }
      columns={columns}
      rows={rows}
      rowKey={(item) => item.id}
      visibleRows={8}
      isSelected={(item) => item.id === document?.id}
      empty={t(device === null ? 'history.none' : 'history.noneHere')}
    />
  )
}

/**
 * The usual rate of this device. Runs that are not plausible, or ended early, are counted but never
 * averaged.
 */
function sayTypical(list: readonly MeasurementListItem[], device: string, units: Units): string {
  const { rate, runs, leftOut } = typicalRead(list, device)
  const parts = [
    rate === null
      ? t('history.says.none')
      : t('history.says.device', { rate: formatRate(rate, units), count: runs }),
    ...(leftOut > 0 ? [t('history.says.leftOut', { count: leftOut })] : []),
  ]
  return parts.join(' ')
}

function columnsFor(around: {
  units: Units
  running: boolean
  allDevices: boolean
  shown: string | null
  other: string | null
  open: (id: string) => void
  compare: (id: string) => void
}): Column<MeasurementListItem>[] {
  const named = (item: MeasurementListItem) => ({
    name: spoken(item.specName),
    moment: formatMoment(item.createdWallMs),
  })
  return [
    ...columnsOf(MEASUREMENT_LIST_TABLE, around.units, {
      when: shownAs(whenColumn(around.running, (item) => t('history.open', named(item)), around.open)),
      specification: {
        track: 'minmax(6ch, 1.200fr)',
        say: ({ specName }) => spoken(specName),
        cell: ({ specName }) => (
          <span className="ellipsis" title={spoken(specName)}>
            {spoken(specName)}
          </span>
        ),
      },
      write_bytes_per_second: '68px',
      read_bytes_per_second: '68px',
      state: shownAs(stateColumn('minmax(9.500ch, 0.700fr)', () => t('history.whole'))),
      // On one device every row has the same: its column would only take room.
      ...(around.allDevices && { device: shownAs(deviceColumn()) }),
    }),
    {
      key: 'compare',
      header: t('history.compare'),
      isHeaderHidden: true,
      track: '70px',
      align: 'end',
      cell: (item) =>
        item.id === around.shown ? (
          <span className="muted">{t('history.shown')}</span>
        ) : (
          <Button
            className="quiet"
            isDisabled={around.running || around.shown === null || item.id === around.other}
            aria-label={t('history.compareNamed', named(item))}
            onPress={() => around.compare(item.id)}
          >
            {t('history.compare')}
          </Button>
        ),
    },
  ]
}
