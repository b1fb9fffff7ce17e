import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'
import { formatCount, formatExactBytes, formatShare, type Units } from '../../../../src/primitives/quantity'
import { type Column, csvOf, DataTable } from '../../components/DataTable'
import { HowDoWeKnow, Size } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { segmentName } from './Shelf'

type Share = PlanVolume['shares'][number]

/** Every volume with its figures: the table behind the shelf. */
export function VolumesPanel({
  plan,
  units,
  selected,
}: {
  plan: PlanDocument
  units: Units
  selected: number | null
}) {
  const columns = volumeColumns(plan, units)
  return (
    <Panel
      title={t('volumes.title')}
      says={
        plan.packing
          ? t('volumes.says.forecast')
          : t('volumes.says', { tool: plan.mastering.tool, version: plan.mastering.version })
      }
      csv={() => ({ name: 'volumes', ...csvOf(columns, plan.volumes) })}
    >
      <DataTable
        label={t('volumes.title')}
        columns={columns}
        rows={plan.volumes}
        rowKey={(volume) => volume.index}
        visibleRows={12}
        empty=""
        isSelected={(volume) => volume.index === selected}
        inView={plan.volumes.findIndex((volume) => volume.index === selected)}
      />
    </Panel>
  )
}

/** What stands on the picked disc, by top folder. */
export function VolumePanel({
  volume,
  isFolder,
  units,
}: {
  volume: PlanVolume
  isFolder: boolean
  units: Units
}) {
  const columns = shareColumns(units)
  return (
    <Panel
      title={volume.label}
      says={t(isFolder ? 'volume.says.folder' : 'volume.says', { count: volume.files })}
      csv={() => ({ name: volume.label, ...csvOf(columns, volume.shares) })}
    >
      <DataTable
        label={volume.label}
        columns={columns}
        rows={volume.shares}
        rowKey={(share) => share.path}
        visibleRows={12}
        empty={t('volume.empty')}
      />
    </Panel>
  )
}

function volumeColumns(plan: PlanDocument, units: Units): Column<PlanVolume>[] {
  const { tool, version } = plan.mastering
  const basis = plan.packing
    ? { provenance: plan.packing.bytes.provenance, text: t('basis.packed') }
    : { provenance: 'exact' as const, text: t('basis.image', { tool, version }) }
  const columns: Column<PlanVolume>[] = [
    {
      key: 'label',
      header: t('column.volume'),
      track: 'minmax(96px, 1.4fr)',
      cell: (volume) => <VolumeLabel label={volume.label} />,
      sortBy: (volume) => volume.index,
      csv: (volume) => volume.label,
      csvHeader: 'label',
    },
    {
      key: 'files',
      header: t('column.files'),
      track: '58px',
      align: 'end',
      cell: (volume) => formatCount(volume.files),
      sortBy: (volume) => volume.files,
      csv: (volume) => volume.files,
      csvHeader: 'files',
    },
    {
      key: 'bytes',
      header: t('column.size'),
      track: '80px',
      align: 'end',
      cell: (volume) => <Size bytes={volume.bytes} units={units} />,
      sortBy: (volume) => volume.bytes,
      csv: (volume) => volume.bytes,
      csvHeader: 'bytes',
    },
    {
      key: 'sectors',
      header: t('column.sectors'),
      track: '86px',
      align: 'end',
      cell: (volume) => formatCount(volume.sectors),
      sortBy: (volume) => volume.sectors,
      csv: (volume) => volume.sectors,
      csvHeader: 'sectors',
      csvMore: [{ header: 'capacity_sectors', csv: (volume) => volume.capacitySectors }],
    },
    {
      key: 'fill',
      header: t('column.fill'),
      track: '58px',
      align: 'end',
      cell: (volume) => formatShare(volume.sectors / Math.max(1, volume.capacitySectors)),
      sortBy: (volume) => volume.sectors / Math.max(1, volume.capacitySectors),
    },
    {
      key: 'mark',
      header: '',
      track: '24px',
      align: 'end',
      cell: (volume) => (
        <HowDoWeKnow
          className="mark-button"
          label={volume.label}
          exactly={`${t('medium.sectors', { count: volume.sectors })}, ${formatExactBytes(volume.sectors * plan.medium.sectorBytes)}`}
          basis={basis}
        />
      ),
    },
  ]
  // One archive over all volumes divides no files among them, and a disk is never full.
  const left = new Set([
    ...(plan.packing?.arrangement === 'joined' ? ['files', 'bytes'] : []),
    ...(plan.medium.id === DISK_MEDIUM ? ['fill'] : []),
  ])
  return columns.filter(({ key }) => !left.has(key))
}

function shareColumns(units: Units): Column<Share>[] {
  return [
    {
      key: 'folder',
      header: t('column.folder'),
      track: 'minmax(100px, 1fr)',
      cell: (share) => (
        <span className="ellipsis given-name" title={segmentName(share.path)}>
          {segmentName(share.path)}
        </span>
      ),
      csv: (share) => share.path,
      csvHeader: 'folder',
    },
    {
      key: 'files',
      header: t('column.files'),
      track: '68px',
      align: 'end',
      cell: (share) => formatCount(share.files),
      csv: (share) => share.files,
      csvHeader: 'files',
    },
    {
      key: 'size',
      header: t('column.size'),
      track: '80px',
      align: 'end',
      cell: (share) => <Size bytes={share.bytes} units={units} />,
      csv: (share) => share.bytes,
      csvHeader: 'bytes',
    },
  ]
}
