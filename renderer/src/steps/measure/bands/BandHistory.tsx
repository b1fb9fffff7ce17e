import { Button } from 'react-aria-components'
import type { BandSweepListItem } from '../../../../../src/contract/dto/bands'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import { formatBandSize, formatSize, type Units } from '../../../../../src/primitives/quantity'
import { formatMoment } from '../../../../../src/primitives/spokenTime'
import { type Column, csvOf, DataTable, MOMENT_TRACK } from '../../../components/DataTable'
import { Panel } from '../../../components/Panel'
import { t } from '../../../copy'
import { useSession } from '../../../state/sessionContext'
import { useStore } from '../../../state/store'

/** Earlier sweeps; each opens as it was. */
export function BandHistory({ running, units }: { running: boolean; units: Units }) {
  const session = useSession()
  const { list, document } = useStore(session.stores.bands)
  const columns = columnsFor(units, running, (id) => void session.bands.open(id))
  return (
    <Panel
      title={t('bandHistory.title')}
      says={t('bandHistory.says')}
      csv={() => ({ name: 'band-sweeps', ...csvOf(columns, list) })}
    >
      <DataTable
        label={t('bandHistory.title')}
        columns={columns}
        rows={list}
        rowKey={(item) => item.id}
        visibleRows={6}
        isSelected={(item) => item.id === document?.id}
        empty={t('bands.empty.title')}
      />
    </Panel>
  )
}

function stateWords({ plausible, partial, isNoise }: BandSweepListItem): string {
  if (!plausible) return t('history.implausible')
  if (partial) return t('history.partial')
  return isNoise ? t('bandHistory.noise') : t('history.whole')
}

function columnsFor(units: Units, running: boolean, open: (id: string) => void): Column<BandSweepListItem>[] {
  return [
    {
      key: 'when',
      header: t('column.when'),
      track: MOMENT_TRACK,
      cell: (item) => (
        <Button
          className="link"
          isDisabled={running}
          aria-label={t('bandHistory.open', { moment: formatMoment(item.createdWallMs) })}
          onPress={() => open(item.id)}
        >
          {formatMoment(item.createdWallMs)}
        </Button>
      ),
      sortBy: (item) => item.createdWallMs,
      csv: (item) => new Date(item.createdWallMs).toISOString(),
      csvHeader: 'created',
      csvMore: [{ header: 'id', csv: (item) => item.id }],
    },
    {
      key: 'bands',
      header: t('column.bandSize'),
      track: '104px',
      align: 'end',
      cell: ({ bandSize }) => (bandSize === null ? t('bandHistory.none') : formatBandSize(bandSize)),
      sortBy: ({ bandSize }) => bandSize ?? 0,
      csv: ({ bandSize }) => bandSize ?? '',
      csvHeader: 'recommended_band_bytes',
    },
    {
      key: 'full',
      header: t('column.fullSize'),
      track: '84px',
      align: 'end',
      cell: ({ fullBytes }) => formatSize(fullBytes, units),
      sortBy: ({ fullBytes }) => fullBytes,
      csv: ({ fullBytes }) => fullBytes,
      csvHeader: 'full_bytes',
    },
    {
      key: 'state',
      header: t('column.state'),
      track: '84px',
      cell: (item) => (
        <span className={item.plausible && !item.partial ? 'muted' : 'warn'}>{stateWords(item)}</span>
      ),
      sortBy: stateWords,
      csv: (item) => String(item.plausible),
      csvHeader: 'plausible',
      csvMore: [{ header: 'partial', csv: (item) => String(item.partial) }],
    },
    {
      key: 'device',
      header: t('column.device'),
      track: 'minmax(23ch, 1.600fr)',
      cell: (item) => (
        <span className="ellipsis" title={pathForDisplay(item.directory)}>
          {pathForDisplay(item.deviceName)}
        </span>
      ),
      sortBy: (item) => item.deviceName,
      csv: (item) => item.deviceName,
      csvHeader: 'device',
      csvMore: [{ header: 'folder', csv: (item) => item.directory }],
    },
  ]
}
