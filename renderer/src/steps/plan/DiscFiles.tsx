import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type {
  Placement,
  PlanDocument,
  PlanVolume,
  VolumeFolder,
  VolumeFolderRow,
} from '../../../../src/contract/dto/plan'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { type Column, csvOf } from '../../components/DataTable'
import { columnsOf, type WindowTable } from '../../components/declaredColumns'
import { TablePanel } from '../../components/TablePanel'
import { Trail } from '../../components/Trail'
import { allRows, PAGE_ROWS, usePagedRows } from '../../components/usePagedRows'
import { t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { dragEntry } from './draggedEntry'
import { type Move, MoveMenu, type MoveTarget } from './MoveMenu'
import { keptTogether, pinned, released } from './placement'
import { PlanSession } from './planSession'
import { recoverySizes } from './recovery'
import { Swatch } from './ShareLegend'
import type { ShareTones } from './shareTones'
import { storedAs } from './storedAs'

const ROWS = 12
const ROW_PX = 30

/**
 * The folders and files of a disc, one folder at a time: a folder opens by Enter or a click, and
 * Backspace or the trail lead back. Each is dragged to another disc, or moved by its menu (M, the
 * menu key, or its button).
 */
export function DiscFiles({
  plan,
  volume,
  tones,
  branch,
  folder,
  canPlace,
  onGo,
  onRename,
}: {
  plan: PlanDocument
  volume: PlanVolume
  tones: ShareTones
  /** The folder whose folders have the colours. */
  branch: string
  /** The folder that is shown. */
  folder: string
  canPlace: boolean
  onGo: (folder: string) => void
  onRename: (anchor: HTMLElement) => void
}) {
  const session = useSession(PlanSession)
  const units = useUnits()
  const box = useRef<HTMLDivElement>(null)
  const focusNext = useRef(false)
  const { placement } = useStateOf(PlanSession)
  const [target, setTarget] = useState<MoveTarget | null>(null)
  const [first, setFirst] = useState<{
    readonly planId: string
    readonly folder: string
    readonly content: VolumeFolder
  } | null>(null)
  // What a plan was made again without is not there to be shown.
  const isAgain = first !== null && first.planId !== plan.id
  const leave = useEffectEvent(() => onGo(branch))
  const load = async (offset: number, limit: number): Promise<VolumeFolder['rows'] | null> =>
    (await session.folder(plan.id, volume.index, folder, offset, limit))?.rows ?? null
  useEffect(() => {
    let isWanted = true
    void session.folder(plan.id, volume.index, folder, 0, PAGE_ROWS).then((content) => {
      if (!isWanted || !content) return
      setFirst({ planId: plan.id, folder, content })
      if (isAgain && content.total === 0 && folder !== branch) leave()
    })
    return () => {
      isWanted = false
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- loaded anew for another plan, disc or folder alone
  }, [session, plan.id, volume.index, folder])
  const content = first?.folder === folder ? first.content : null
  const { rows, need } = usePagedRows(
    `${first?.planId ?? ''} ${folder} ${content?.total ?? ''}`,
    () => startOf(content),
    load,
  )
  useEffect(() => {
    if (content === null || !focusNext.current) return
    focusNext.current = false
    box.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }, [content])
  const go = (path: string) => {
    focusNext.current = box.current?.querySelector('[role="grid"]')?.contains(document.activeElement) ?? false
    onGo(path)
  }
  const press = (event: KeyboardEvent) => {
    const isMenu =
      event.key === 'ContextMenu' ||
      event.key.toLowerCase() === 'm' ||
      (event.key === 'F10' && event.shiftKey)
    if (isMenu && !event.ctrlKey && !event.metaKey)
      box.current?.querySelector<HTMLElement>('.table-row.active .row-acts')?.click()
    else if (event.key === 'Backspace' && folder !== '')
      go(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
    else return
    event.preventDefault()
  }
  const wishes = new Set([...(placement.pins ?? []).map(({ path }) => path), ...(placement.keep ?? [])])
  const columns = fileColumns(units, folder, branch, tones, {
    wishes,
    volume: volume.index,
    ask: canPlace
      ? (row, anchor) => {
          const path = joined(folder, row.name)
          setTarget({ path, isFolder: row.kind === 'folder', isPlaced: wishes.has(path), anchor })
        }
      : null,
  })
  const move = (what: Move, to: number | null) => {
    if (!target) return
    const { path } = target
    const next: Placement =
      what === 'keep'
        ? keptTogether(placement, path)
        : what === 'release'
          ? released(placement, path)
          : pinned(placement, { path, volume: to ?? volume.index })
    void session.place(next)
  }
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
          <div className="disc-acts">
            <Trail
              label={t('files.trail', { label: volume.label })}
              folders={trailOf(folder, volume)}
              onGo={go}
            />
            {canPlace && (
              <Button className="quiet" onPress={({ target: pressed }) => onRename(pressed as HTMLElement)}>
                {t('desk.rename')}
              </Button>
            )}
          </div>
        }
        {...(content !== null && content.total > content.rows.length ? { need } : {})}
      />
      {target && (
        <MoveMenu
          target={target}
          volumes={plan.volumes}
          volume={volume.index}
          onMove={move}
          onClose={() => setTarget(null)}
        />
      )}
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

/** Its sizes by name: the files, all that is used with lists and index, and the capacity. */
function figuresOf(plan: PlanDocument, volume: PlanVolume, units: Units): string {
  const { medium } = plan
  const { protection } = volume
  const used = volume.sectors * medium.sectorBytes
  const capacity = volume.capacitySectors * medium.sectorBytes
  const figures = t(medium.id === DISK_MEDIUM ? 'files.figuresUndivided' : 'desk.figures', {
    count: volume.files,
    files: formatSize(volume.bytes, units),
    kind: t(`files.kind.${storedAs(plan)}`),
    stored: formatSize(used, units),
    capacity: formatSize(capacity, units),
    free: formatSize(Math.max(0, capacity - used), units),
  })
  return protection ? t('recovery.disc', { figures, ...recoverySizes(protection, units) }) : figures
}

interface RowActs {
  /** Paths that the person wants something of. */
  readonly wishes: ReadonlySet<string>
  readonly volume: number
  /** Opens the menu of a row; null where nothing can be moved. */
  readonly ask: ((row: VolumeFolderRow, anchor: HTMLElement) => void) | null
}

const FILES = {
  name: {
    heading: 'name',
    kind: 'name',
    of: ({ name }) => name,
    csv: { name: ({ name }) => name, kind: ({ kind }) => kind },
  },
  files: {
    heading: 'filesOnDisc',
    kind: 'count',
    of: ({ kind, files }) => (kind === 'folder' ? files : null),
  },
  bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
} satisfies WindowTable<VolumeFolderRow>

function fileColumns(
  units: Units,
  folder: string,
  branch: string,
  { toneOf }: ShareTones,
  { wishes, volume, ask }: RowActs,
): Column<VolumeFolderRow>[] {
  const columns = columnsOf<VolumeFolderRow, keyof typeof FILES>(FILES, units, {
    name: {
      track: 'minmax(120px, 1fr)',
      cell: (row) => (
        <span className="disc-entry">
          {folder === branch ? <Swatch tone={toneOf.get(joined(folder, row.name)) ?? null} /> : null}
          <span
            className={row.kind === 'folder' ? 'ellipsis given-name folder-name' : 'ellipsis given-name'}
            title={pathForDisplay(row.name)}
            draggable={ask !== null}
            onDragStart={(event) => dragEntry(event, { path: joined(folder, row.name), volume })}
          >
            {pathForDisplay(row.name)}
          </span>
          <span className="muted entry-kind">{kindOf(row)}</span>
          {wishes.has(joined(folder, row.name)) && (
            <span className="entry-kind wished">{t('desk.wished')}</span>
          )}
        </span>
      ),
    },
    files: '68px',
    bytes: '80px',
  })
  if (ask)
    columns.push({
      key: 'acts',
      header: t('column.acts'),
      track: '56px',
      align: 'end',
      cell: (row) => (
        <button
          type="button"
          tabIndex={-1}
          className="quiet row-acts"
          aria-haspopup="menu"
          aria-label={t('desk.actsOf', { name: pathForDisplay(row.name) })}
          onClick={(event) => ask(row, event.currentTarget)}
        >
          <span aria-hidden="true">⋯</span>
        </button>
      ),
    })
  return columns
}

function kindOf({ kind, part, parts }: VolumeFolderRow): string {
  if (kind === 'symlink') return t('files.link')
  return kind === 'part' ? t('files.part', { part: part ?? 0, parts: parts ?? 0 }) : ''
}
