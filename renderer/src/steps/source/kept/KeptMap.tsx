import { useMemo, useRef } from 'react'
import type { SourceRow } from '../../../../../src/contract/dto/survey'
import { isBelow } from '../../../../../src/primitives/isBelow'
import { pathForDisplay } from '../../../../../src/primitives/pathText'
import {
  formatCount,
  formatExactBytes,
  formatShare,
  formatSize,
  type Units,
} from '../../../../../src/primitives/quantity'
import { type FolderTile, tileFolder } from '../../../charts/folderTiles'
import { Treemap } from '../../../charts/Treemap'
import { useWidth } from '../../../charts/useWidth'
import { Trail } from '../../../components/Trail'
import { t } from '../../../copy'
import { nameOf } from '../../../format/paths'
import { useSession } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { isOut, type KeptState, leftOutAbove, wholeOf } from '../../../state/source/keptState'
import { foldersAbove } from '../../../state/source/leaveOut'
import { VIEW_PX } from './KeptTree'

/** The trail above the map and the line below it, with their own heights. */
const MAP_PX = VIEW_PX - 30 - 40

/** One folder as areas; a picked folder opens, and the trail leads back. */
export function KeptMap({
  state,
  files,
  units,
}: {
  state: KeptState
  /** Sources that are files. */
  files: ReadonlySet<string>
  units: Units
}) {
  const session = useSession(KeptSession)
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 640)
  const { folders, at, document } = state
  const folder = folders.get(at)
  const tiles = useMemo(() => (folder ? tileFolder(folder, width, MAP_PX) : []), [folder, width])
  if (document === null) return null
  const { bytes: total } = wholeOf(document)
  const trail = trailOf(at, document.roots)
  const open = (index: number) => {
    const row = tiles[index]?.row
    if (row && canOpen(row, files)) void session.goInto(row.path)
  }
  const isOutNow = ({ row }: FolderTile): boolean =>
    row !== null && (isOut(state, row) || leftOutAbove(state, row.path) !== null)
  const litOf = (tile: FolderTile): number => {
    if (isOutNow(tile)) return 0
    if (tile.row?.rule != null) return 1
    return tile.bytes === 0 ? 1 : tile.keptBytes / tile.bytes
  }
  const above = trail.length > 1 ? trail[trail.length - 2] : undefined
  return (
    <>
      <Trail
        label={t('kept.trail')}
        folders={trail.map((path) => ({ id: path, name: nameOfFolder(path) }))}
        onGo={(path) => void session.goInto(path)}
      />
      <div ref={box}>
        {tiles.length === 0 ? (
          <p className="muted">{folder && t('kept.map.empty')}</p>
        ) : (
          <Treemap
            width={width}
            height={MAP_PX}
            label={t('kept.map.label')}
            keys={t('kept.map.keys')}
            tiles={tiles.map((tile) => {
              const size = formatSize(tile.bytes, units)
              const isGone = isOutNow(tile)
              const partly = tile.bytes - tile.keptBytes
              const name = nameOfTile(tile, at)
              return {
                key: tile.row?.path ?? '\0others',
                rect: tile.rect,
                name,
                size: isGone ? t('kept.map.outSize', { size }) : size,
                label: t('kept.map.point', {
                  name,
                  size,
                  exact: formatExactBytes(tile.bytes),
                  share: formatShare(total === 0 ? 0 : tile.bytes / total),
                  files: formatCount(tile.files),
                  state: isGone
                    ? t('kept.map.out')
                    : partly > 0 && tile.row?.rule == null
                      ? t('kept.map.part', { size: formatSize(partly, units) })
                      : t('kept.map.kept'),
                }),
                colour:
                  tile.row?.isFolder && !files.has(tile.row.path)
                    ? 'var(--share-edge)'
                    : 'var(--class-other)',
                lit: litOf(tile),
                isPicked: tile.row !== null && tile.row.path === state.picked,
              }
            })}
            onPick={(index) => session.pick(index === null ? null : (tiles[index]?.row?.path ?? null))}
            canLetGo={state.picked !== null}
            onOpen={open}
            {...(above !== undefined && { onUp: () => void session.goInto(above) })}
          />
        )}
      </div>
    </>
  )
}

/** True for a folder with something of a size in it. */
export function canOpen(row: SourceRow, files: ReadonlySet<string>): boolean {
  return row.isFolder && row.rule === null && row.bytes + row.excludedBytes > 0 && !files.has(row.path)
}

/** The folders that lead to one; null is above the sources where there are several. */
function trailOf(at: string | null, roots: readonly string[]): (string | null)[] {
  if (at === null) return [null]
  const start = roots.length > 1 ? [null] : []
  const root = roots.find((each) => each === at || isBelow(at, each))
  return [...start, ...(root !== undefined && root !== at ? [root] : []), ...foldersAbove(at, roots), at]
}

function nameOfFolder(path: string | null): string {
  return path === null ? t('kept.sources') : nameOf(path)
}

function nameOfTile({ row, files }: FolderTile, at: string | null): string {
  if (row === null) return t('kept.map.small', { count: files })
  return at === null ? nameOf(row.path) : pathForDisplay(row.name)
}
