import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
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
import { type FolderTile, hasRoomWithin, tileFolder, tilesWithin } from '../../../charts/folderTiles'
import { fitsTile, type InnerTile, Treemap } from '../../../charts/Treemap'
import { useWidth } from '../../../charts/useWidth'
import { yearRamp } from '../../../charts/yearColour'
import { Trail } from '../../../components/Trail'
import { t } from '../../../copy'
import { sayMostly, sayYears } from '../../../format/contentsWords'
import { nameOf } from '../../../format/paths'
import { useSession } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { isOut, type KeptState, leftOutAbove, wholeOf } from '../../../state/source/keptState'
import { foldersAbove } from '../../../state/source/leaveOut'
import { ACTS_PX, VIEW_PX } from './KeptTree'
import { MapLegend } from './MapLegend'
import { sayColour, tileColour } from './mapColours'

/** The trail above the map, and below it the line and the legend, with their own heights. */
const MAP_PX = VIEW_PX + ACTS_PX - 30 - 40 - 38

export interface MapProps {
  readonly state: KeptState
  /** Sources that are files. */
  readonly files: ReadonlySet<string>
  readonly units: Units
}

/** Folders whose content is shown within their tiles: the largest, so that few are asked for. */
const MOST_OPEN = 40
/** The largest in a folder that are read out with it. */
const NAMED_WITHIN = 3

/**
 * One folder as areas, with what is in its own folders; a picked folder opens, and the trail leads
 * back.
 */
export function KeptMap({ state, files, units }: MapProps) {
  const session = useSession(KeptSession)
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box, 640)
  const { folders, at, document, colours } = state
  const folder = folders.get(at)
  const tiles = useMemo(() => (folder ? tileFolder(folder, width, MAP_PX) : []), [folder, width])
  const opened = tiles
    .slice(0, MOST_OPEN)
    .flatMap(({ row, rect }) => (row && canOpen(row, files) && hasRoomWithin(rect) ? [row.path] : []))
  const years = folders.get(null)?.years
  const ramp = useMemo(() => yearRamp(years ?? []), [years])
  const walkId = document?.id
  const wanted = opened.filter((path) => !folders.has(path)).join('\0')
  const lookInto = useEffectEvent((paths: string) => void session.lookInto(paths.split('\0')))
  useEffect(() => {
    if (walkId !== undefined && wanted !== '') lookInto(wanted)
  }, [walkId, wanted])
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
  const contentOf = ({ row, rect }: FolderTile): FolderTile[] => {
    const inside = row && opened.includes(row.path) ? folders.get(row.path) : undefined
    const within = inside ? tilesWithin(inside, rect) : []
    // A single tile of small files divides nothing.
    return within.some(({ row: each }) => each !== null) ? within : []
  }
  const above = trail.length > 1 ? trail[trail.length - 2] : undefined
  const colourOf = (tile: FolderTile): string => {
    const isFolder = tile.row?.isFolder === true && !files.has(tile.row.path)
    return tileColour(tile, colours, ramp, isFolder)
  }
  const seen = tiles.flatMap((tile) => [tile, ...contentOf(tile)]).filter((tile) => !isOutNow(tile))
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
              const content = contentOf(tile)
              const means = sayColour(tile, colours)
              const sized = isGone ? t('kept.map.outSize', { size }) : size
              const long = means === '' ? sized : `${sized}, ${means}`
              const point = t('kept.map.point', {
                name,
                // Beginning as the tile does.
                size: isGone ? size : long,
                exact: formatExactBytes(tile.bytes),
                share: formatShare(total === 0 ? 0 : tile.bytes / total),
                files: formatCount(tile.files),
                contents: [sayMostly(tile.classes, tile.keptBytes), sayYears(tile.years)]
                  .flatMap((words) => (words === '' || words === means ? [] : [`${words}, `]))
                  .join(''),
                state: isGone
                  ? t('kept.map.out')
                  : partly > 0 && tile.row?.rule == null
                    ? t('kept.map.part', { size: formatSize(partly, units) })
                    : t('kept.map.kept'),
              })
              return {
                key: tile.row?.path ?? '\0others',
                rect: tile.rect,
                name,
                size: !isGone && fitsTile(long, tile.rect) ? long : sized,
                label: content.length === 0 ? point : `${point}; ${sayWithin(content, units)}`,
                within: content.map(
                  (each): InnerTile => ({
                    key: each.row?.path ?? '\0others',
                    rect: each.rect,
                    name: nameOfTile(each, tile.row?.path ?? null),
                    lit: isGone ? 0 : litOf(each),
                    ...(colours !== 'folders' && { colour: colourOf(each) }),
                  }),
                ),
                colour: colourOf(tile),
                lit: litOf(tile),
                isPicked: tile.row !== null && tile.row.path === state.picked,
              }
            })}
            onPick={(index) => session.pick(index === null ? null : (tiles[index]?.row?.path ?? null))}
            canLetGo={state.picked !== null}
            isSolid={colours === 'year'}
            onOpen={open}
            {...(above !== undefined && { onUp: () => void session.goInto(above) })}
          />
        )}
      </div>
      <MapLegend
        colours={colours}
        classes={new Set(seen.flatMap(({ classes: [most] }) => (most ? [most.fileClass] : [])))}
        years={years ?? []}
        ramp={ramp}
      />
    </>
  )
}

/** The largest in a folder by name and size, and how many more have a tile. */
function sayWithin(content: readonly FolderTile[], units: Units): string {
  const named = content.filter(({ row }) => row !== null).slice(0, NAMED_WITHIN)
  const names = named.map((tile) => `${nameOfTile(tile, '')} ${formatSize(tile.bytes, units)}`)
  return t('kept.map.within', { names: names.join(', '), more: content.length - named.length })
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
