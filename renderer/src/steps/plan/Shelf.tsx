import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { PlanSearch } from '../../../../src/contract/dto/plan'
import { t } from '../../copy'
import { DiscTile } from './DiscTile'
import type { DiscEntry } from './placement'
import type { ShareTones } from './shareTones'
import { drawnTiles, placeOf, type ShelfLayout, shelfLayout, tileByKey } from './shelfLayout'
import type { ShelfPlan } from './shelfPlan'

/** The shelf's width and what is in view of it, from the first picture on. */
function useShelf(box: RefObject<HTMLDivElement | null>, discs: number) {
  const [top, setTop] = useState(0)
  const [{ width, height }, setView] = useState({ width: 0, height: 600 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () =>
      setView({ width: element.firstElementChild?.clientWidth ?? 0, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  const layout = shelfLayout(discs, Math.max(1, width))
  return { layout, top, height, setTop }
}

/**
 * The discs of a plan in a grid: each a tile whose gauge is filled by its folders, true to its
 * capacity, which is the gauge's upper edge. Only those in view are in the page; the arrow keys
 * walk them, Enter goes to the files of one, F2 renames it. Folders are dropped on them.
 */
export function Shelf({
  plan,
  tones,
  selected,
  found,
  onSelect,
  onOpen,
  onRename,
  onDropped,
}: {
  plan: ShelfPlan
  tones: ShareTones
  selected: number | null
  /** The answer of the search; null while nothing is searched for. */
  found: PlanSearch | null
  onSelect: (index: number) => void
  onOpen: () => void
  onRename: () => void
  /** Absent where nothing can be moved. */
  onDropped: ((entry: DiscEntry, volume: number) => void) | null
}) {
  const { volumes } = plan
  const box = useRef<HTMLDivElement>(null)
  const { layout, top, height, setTop } = useShelf(box, volumes.length)
  const focusNext = useRef(false)
  const at = Math.max(
    0,
    volumes.findIndex((volume) => volume.index === selected),
  )
  const { columns, rowPx } = layout
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const start = Math.floor(at / columns) * rowPx
    if (start < element.scrollTop) element.scrollTop = start
    else if (start + rowPx > element.scrollTop + element.clientHeight)
      element.scrollTop = start + rowPx - element.clientHeight
    if (focusNext.current) {
      focusNext.current = false
      element.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
    }
  }, [box, at, columns, rowPx])
  const { from, to } = drawnTiles(volumes.length, layout, { top, height })
  const shown = volumes.map((volume, place) => ({ volume, place })).slice(from, to)
  const current = volumes[at]
  if (current && (at < from || at >= to)) shown.push({ volume: current, place: at })
  const press = (event: KeyboardEvent) => {
    const next = tileByKey(event.key, at, volumes.length, columns, Math.floor(height / rowPx))
    const target = next === null ? undefined : volumes[next]
    if (target) {
      focusNext.current = target.index !== current?.index
      onSelect(target.index)
    } else if (event.key === 'Enter') onOpen()
    else if (event.key === 'F2') onRename()
    else if (event.key !== ' ') return
    event.preventDefault()
  }
  return (
    <div
      ref={box}
      className={`shelf ${layout.size.name}-tiles`}
      role="listbox"
      aria-label={t('shelf.label', { count: volumes.length })}
      tabIndex={-1}
      onKeyDown={press}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div className="shelf-run" role="presentation" style={{ height: layout.heightPx }}>
        {shown.map(({ volume, place }) => (
          <DiscTile
            key={volume.index}
            volume={volume}
            layout={layout}
            place={placeOf(place, layout)}
            plan={plan}
            tones={tones}
            selected={place === at}
            found={found && (found.volumes.find(({ index }) => index === volume.index)?.files ?? null)}
            isSearched={found !== null}
            onSelect={onSelect}
            onDropped={onDropped}
          />
        ))}
      </div>
    </div>
  )
}

/** The empty tiles of a plan that is being made. */
export function EmptyShelf({ discs }: { discs: number }) {
  const box = useRef<HTMLDivElement>(null)
  const { layout, top, height, setTop } = useShelf(box, discs)
  const { from, to } = drawnTiles(discs, layout, { top, height })
  return (
    <div
      ref={box}
      className={`shelf ${layout.size.name}-tiles`}
      aria-hidden="true"
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div className="shelf-run" style={{ height: layout.heightPx }}>
        {Array.from({ length: to - from }, (_, offset) => (
          <EmptyTile key={from + offset} at={from + offset} layout={layout} />
        ))}
      </div>
    </div>
  )
}

function EmptyTile({ at, layout }: { at: number; layout: ShelfLayout }) {
  return (
    <div className="disc" style={{ ...placeOf(at, layout), width: layout.tilePx }}>
      <div className="gauge awaited" style={{ height: layout.size.gaugePx }} />
    </div>
  )
}
