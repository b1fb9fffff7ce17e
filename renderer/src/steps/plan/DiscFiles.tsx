import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type {
  PlanDocument,
  PlanVolume,
  VolumeFolder,
  VolumeFolderRow,
} from '../../../../src/contract/dto/plan'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatCount, formatSize, type Units } from '../../../../src/primitives/quantity'
import { figureColumn, sizeColumn } from '../../components/columns'
import { type Column, csvOf } from '../../components/DataTable'
import { TablePanel } from '../../components/TablePanel'
import { Trail } from '../../components/Trail'
import { allRows, PAGE_ROWS, usePagedRows } from '../../components/usePagedRows'
import { t } from '../../copy'
import { useSession, useUnits } from '../../state/sessionContext'
import { PlanSession } from './planSession'
import { Swatch } from './ShareLegend'
import { storedAs } from './Shelf'
import type { ShareTones } from './shareTones'

const ROWS = 12
const ROW_PX = 30

/**
 * The folders and files of a disc, one folder at a time: a folder opens by Enter or a click, and
 * Backspace or the trail lead back.
 */
export function DiscFiles({
  plan,
  volume,
  tones,
  branch,
}: {
  plan: PlanDocument
  volume: PlanVolume
  tones: ShareTones
  /** The folder that is shown first. */
  branch: string
}) {
  const session = useSession(PlanSession)
  const units = useUnits()
  const box = useRef<HTMLDivElement>(null)
  const focusNext = useRef(false)
  const [folder, setFolder] = useState(branch)
  const [first, setFirst] = useState<{ readonly folder: string; readonly content: VolumeFolder } | null>(null)
  const load = async (offset: number, limit: number): Promise<VolumeFolder['rows'] | null> =>
    (await session.folder(plan.id, volume.index, folder, offset, limit))?.rows ?? null
  useEffect(() => {
    let isWanted = true
    void session.folder(plan.id, volume.index, folder, 0, PAGE_ROWS).then((content) => {
      if (isWanted && content) setFirst({ folder, content })
    })
    return () => {
      isWanted = false
    }
  }, [session, plan.id, volume.index, folder])
  const content = first?.folder === folder ? first.content : null
  const { rows, need } = usePagedRows(`${folder} ${content?.total ?? ''}`, () => startOf(content), load)
  useEffect(() => {
    if (content === null || !focusNext.current) return
    focusNext.current = false
    box.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }, [content])
  const go = (path: string) => {
    focusNext.current = box.current?.querySelector('[role="grid"]')?.contains(document.activeElement) ?? false
    setFolder(path)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Backspace' || folder === '') return
    event.preventDefault()
    go(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
  }
  const columns = fileColumns(units, folder, branch, tones)
  const all = async () => {
    const found = await allRows(content?.total ?? 0, load)
    return found && { name: volume.label, ...csvOf(columns, found) }
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Backspace of the grid in it
    <div ref={box} className="disc-files" onKeyDown={press}>
      <TablePanel
        key={folder}
        title={volume.label}
        says={figuresOf(plan, volume, units)}
        csv={content === null ? undefined : all}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.name}
        visibleRows={ROWS}
        keptPx={(ROWS + 1) * ROW_PX}
        empty={content === null ? '' : t('files.empty')}
        onPick={(row) => {
          if (row.kind === 'folder') go(joined(folder, row.name))
        }}
        above={
          <Trail
            label={t('files.trail', { label: volume.label })}
            folders={trailOf(folder, volume)}
            onGo={go}
          />
        }
        {...(content !== null && content.total > content.rows.length ? { need } : {})}
      />
    </div>
  )
}

/** One row for each entry of a folder; those of later pages are holes. */
function startOf(content: VolumeFolder | null): VolumeFolderRow[] {
  const rows = [...(content?.rows ?? [])]
  rows.length = content?.total ?? 0
  return rows
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** The disc and the folders down to the one that is shown. */
function trailOf(folder: string, { label }: PlanVolume): { id: string; name: string }[] {
  const names = folder === '' ? [] : folder.split('/')
  return [
    { id: '', name: label },
    ...names.map((name, at) => ({ id: names.slice(0, at + 1).join('/'), name: pathForDisplay(name) })),
  ]
}

/** Its three sizes by name. */
function figuresOf(plan: PlanDocument, volume: PlanVolume, units: Units): string {
  const { medium } = plan
  return t(medium.id === DISK_MEDIUM ? 'files.figuresUndivided' : 'files.figures', {
    count: volume.files,
    files: formatSize(volume.bytes, units),
    kind: t(`files.kind.${storedAs(plan)}`),
    stored: formatSize(volume.sectors * medium.sectorBytes, units),
    capacity: formatSize(volume.capacitySectors * medium.sectorBytes, units),
  })
}

function fileColumns(
  units: Units,
  folder: string,
  branch: string,
  { toneOf }: ShareTones,
): Column<VolumeFolderRow>[] {
  return [
    {
      key: 'name',
      header: t('column.nameOnDisc'),
      track: 'minmax(120px, 1fr)',
      cell: (row) => (
        <span className="disc-entry">
          {folder === branch ? <Swatch tone={toneOf.get(joined(folder, row.name)) ?? null} /> : null}
          <span
            className={row.kind === 'folder' ? 'ellipsis given-name folder-name' : 'ellipsis given-name'}
            title={pathForDisplay(row.name)}
          >
            {pathForDisplay(row.name)}
          </span>
          <span className="muted entry-kind">{kindOf(row)}</span>
        </span>
      ),
      sortBy: (row) => row.name,
      csv: { name: (row) => row.name, kind: (row) => row.kind },
    },
    figureColumn(
      'files',
      t('column.filesOnDisc'),
      '68px',
      (row) => (row.kind === 'folder' ? row.files : null),
      formatCount,
    ),
    sizeColumn(units, 'bytes', t('column.size'), '80px', (row) => row.bytes),
  ]
}

function kindOf({ kind, part, parts }: VolumeFolderRow): string {
  if (kind === 'symlink') return t('files.link')
  return kind === 'part' ? t('files.part', { part: part ?? 0, parts: parts ?? 0 }) : ''
}
