import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'
import { formatExactBytes, formatShare, type Units } from '../../../../src/primitives/quantity'
import { countColumn, markColumn, sizeColumn } from '../../components/columns'
import { type Column } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { segmentName } from './Shelf'

type Share = PlanVolume['shares'][number]

/** How the sizes of the volumes are known. */
function sizeSource({ packing, medium, mastering }: PlanDocument): string {
  if (packing) return t('volumes.says.forecast')
  if (medium.kind === 'folder') return t('basis.folder')
  return t('volumes.says', { tool: mastering.tool, version: mastering.version })
}

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
    <TablePanel
      title={t('volumes.title')}
      says={sizeSource(plan)}
      csv="volumes"
      columns={columns}
      rows={plan.volumes}
      rowKey={(volume) => volume.index}
      visibleRows={12}
      empty=""
      isSelected={(volume) => volume.index === selected}
      inView={plan.volumes.findIndex((volume) => volume.index === selected)}
    />
  )
}

/** The content of the selected disc, by top-level folder. */
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
    <TablePanel
      title={volume.label}
      says={t(isFolder ? 'volume.says.folder' : 'volume.says', { count: volume.files })}
      csv={volume.label}
      columns={columns}
      rows={volume.shares}
      rowKey={(share) => share.path}
      visibleRows={12}
      empty={t('volume.empty')}
    />
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
      csv: { label: (volume) => volume.label },
    },
    countColumn('files', t('column.files'), '58px', (volume) => volume.files),
    sizeColumn(units, 'bytes', t('column.size'), '80px', (volume) => volume.bytes),
    {
      ...countColumn<PlanVolume>('sectors', t('column.sectors'), '86px', (volume) => volume.sectors),
      csv: { sectors: (volume) => volume.sectors, capacity_sectors: (volume) => volume.capacitySectors },
    },
    {
      key: 'fill',
      header: t('column.fill'),
      track: '58px',
      align: 'end',
      cell: (volume) => formatShare(volume.sectors / Math.max(1, volume.capacitySectors)),
      sortBy: (volume) => volume.sectors / Math.max(1, volume.capacitySectors),
    },
    markColumn(
      (volume) => ({
        label: volume.label,
        exactly: `${t('medium.sectors', { count: volume.sectors })}, ${formatExactBytes(volume.sectors * plan.medium.sectorBytes)}`,
        basis: basis,
      }),
      '24px',
    ),
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
      csv: { folder: (share) => share.path },
    },
    countColumn('files', t('column.files'), '68px', (share) => share.files),
    sizeColumn(units, 'bytes', t('column.size'), '80px', (share) => share.bytes),
  ]
}
