import { useState } from 'react'
import type { FolderCopy, KeptDocument } from '../../../../../src/contract/dto/survey'
import { FOLDER_COPY_TABLE } from '../../../../../src/contract/tables/surveyTables'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { csvOf, DataTable } from '../../../components/DataTable'
import { columnsOf } from '../../../components/declaredColumns'
import { Panel } from '../../../components/Panel'
import { t } from '../../../copy'
import { FolderBar } from './FolderBar'

/** Folders that are whole copies of another folder of the source. */
export function CopiesPanel({
  copies,
  stored: { moreCopies, withoutSha256 },
  units,
}: {
  copies: readonly FolderCopy[]
  stored: KeptDocument
  units: Units
}) {
  const [picked, setPicked] = useState<string | null>(null)
  const title = t('folderCopies.title')
  const columns = columnsOf(FOLDER_COPY_TABLE, units, {
    folder: 'minmax(150px, 2fr)',
    copy_of: 'minmax(150px, 2fr)',
    files: '72px',
    bytes: '84px',
  })
  const bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0)
  const size = formatSize(bytes, units)
  const first = moreCopies > 0 ? ` ${t('folderCopies.first', { count: copies.length, size })}` : ''
  const says =
    moreCopies > 0
      ? t('folderCopies.some', { count: copies.length + moreCopies })
      : t('folderCopies.says', { count: copies.length, size })
  return (
    <Panel
      className="folder-copies"
      title={title}
      says={
        says +
        first +
        (withoutSha256 > 0 ? ` ${t('folderCopies.withoutSha256', { count: withoutSha256 })}` : '')
      }
      csv={() => ({ name: 'folder-copies', ...csvOf(columns, copies) })}
    >
      <DataTable
        label={title}
        columns={columns}
        rows={copies}
        rowKey={({ path }) => path}
        visibleRows={8}
        empty={title}
        isSelected={({ path }) => path === picked}
        onPick={({ path }) => setPicked(path)}
      />
      <FolderBar path={picked} hint={t('folderCopies.pick')} />
    </Panel>
  )
}
