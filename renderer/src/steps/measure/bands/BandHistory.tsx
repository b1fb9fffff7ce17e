import type { BandSweepListItem } from '../../../../../src/contract/dto/bands'
import { formatBandSize, formatSize, type Units } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { figureColumn } from '../../../components/columns'
import type { Column } from '../../../components/DataTable'
import { TablePanel } from '../../../components/TablePanel'
import { t } from '../../../copy'
import { useSession, useStateOf } from '../../../state/sessionContext'
import { deviceColumn, stateColumn, whenColumn } from '../runColumns'
import { BandsSession } from './bandsSession'

/** Earlier sweeps; each opens as it was. */
export function BandHistory({ running, units }: { running: boolean; units: Units }) {
  const session = useSession(BandsSession)
  const { list, document } = useStateOf(BandsSession)
  const columns = columnsFor(units, running, (id) => void session.open(id))
  return (
    <TablePanel
      title={t('bandHistory.title')}
      says={t('bandHistory.says')}
      csv="band-sweeps"
      columns={columns}
      rows={list}
      rowKey={(item) => item.id}
      visibleRows={6}
      isSelected={(item) => item.id === document?.id}
      empty={t('bands.empty.title')}
    />
  )
}

function columnsFor(units: Units, running: boolean, open: (id: string) => void): Column<BandSweepListItem>[] {
  return [
    whenColumn(running, (item) => t('bandHistory.open', { moment: formatMoment(item.createdWallMs) }), open),
    figureColumn(
      'recommended_band_bytes',
      t('column.bandSize'),
      '104px',
      ({ bandSize }) => bandSize,
      formatBandSize,
      t('bandHistory.none'),
    ),
    figureColumn(
      'full_bytes',
      t('column.fullSize'),
      '84px',
      ({ fullBytes }) => fullBytes,
      (bytes) => formatSize(bytes, units),
    ),
    stateColumn('100px', ({ isNoise }) => t(isNoise ? 'bandHistory.noise' : 'history.whole')),
    deviceColumn(),
  ]
}
