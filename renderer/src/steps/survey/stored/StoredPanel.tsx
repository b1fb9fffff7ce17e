import { useState } from 'react'
import type { KeptDocument, KeptFolder } from '../../../../../src/contract/dto/survey'
import { KEPT_TABLE } from '../../../../../src/contract/tables/surveyTables'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { type Column, csvOf, DataTable } from '../../../components/DataTable'
import { columnsOf } from '../../../components/declaredColumns'
import { Panel } from '../../../components/Panel'
import { t } from '../../../copy'
import { sayRanges } from '../../../format/sayRanges'
import { FolderBar } from './FolderBar'
import { sayShare, storedSum } from './storedShare'

/** How much of the source is on verified volumes, by folder. */
export function StoredPanel({ stored, units }: { stored: KeptDocument; units: Units }) {
  const [picked, setPicked] = useState<string | null>(null)
  const title = t('stored.title')
  if (storedSum(stored).files === 0) return <Panel className="stored" title={title} says={t('stored.none')} />
  const columns = columnsFor(stored, units)
  const { folders, moreFolders } = stored
  return (
    <Panel
      className="stored"
      title={title}
      says={sayStored(stored, units)}
      csv={() => ({ name: 'verified-folders', ...csvOf(columns, folders) })}
    >
      <DataTable
        label={title}
        columns={columns}
        rows={folders}
        rowKey={({ path }) => path}
        visibleRows={8}
        empty={t('stored.none')}
        isSelected={({ path }) => path === picked}
        onPick={({ path }) => setPicked(path)}
      />
      {moreFolders > 0 && <p className="muted">{t('stored.more', { count: moreFolders })}</p>}
      <FolderBar path={picked} hint={t('stored.pick')} />
    </Panel>
  )
}

/** Files and bytes on verified volumes, their labels, and files that were compared by time only. */
function sayStored(stored: KeptDocument, units: Units): string {
  const { totals, volumes } = stored
  const sum = storedSum(stored)
  const where = sayRanges(volumes.map(({ label }) => label))
  const what =
    totals.notKept.files === 0
      ? t('stored.says.all', { count: sum.files, size: formatSize(totals.bytes, units), where })
      : t('stored.says', {
          count: sum.files,
          size: formatSize(sum.bytes, units),
          whole: formatSize(totals.bytes, units),
          where,
        })
  const { files: byTime } = totals.byTime
  return byTime === 0 ? what : `${what} ${t('stored.byTime', { count: byTime })}`
}

function columnsFor({ totals }: KeptDocument, units: Units): Column<KeptFolder>[] {
  return columnsOf(KEPT_TABLE, units, {
    folder: 'minmax(120px, 3fr)',
    bytes: '76px',
    files: '72px',
    stored_bytes: '76px',
    share: {
      track: '64px',
      cell: sayShare,
      sortBy: (row) => (row.whole ? 2 : row.keptBytes / Math.max(1, row.bytes)),
    },
    ...(totals.byTime.files > 0 && { by_time_only_files: '88px' }),
  })
}
