import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'
import { formatShare, formatSize, sizeQuantity } from '../../../../src/primitives/quantity'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'
import { useUnits } from '../../state/sessionContext'

const DISC_PX = 124
const GAUGE_PX = 196
/** Room above the capacity line, so that the line is seen as one. */
const HEADROOM = 0.06
const SHADES = 4

/**
 * The discs of a plan as on a shelf: each a gauge filled by its top folders, under a dashed line at
 * its capacity (and one at what is reserved). Only those in view are in the page; the arrow keys
 * walk them.
 */
export function Shelf({
  plan,
  selected,
  onSelect,
}: {
  plan: PlanDocument
  selected: number | null
  onSelect: (index: number) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const focusNext = useRef(false)
  const [left, setLeft] = useState(0)
  const [width, setWidth] = useState(1200)
  const shades = shadesOf(plan)
  const { volumes } = plan
  const at = Math.max(
    0,
    volumes.findIndex((volume) => volume.index === selected),
  )
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const start = at * DISC_PX
    if (start < element.scrollLeft) element.scrollLeft = start
    else if (start + DISC_PX > element.scrollLeft + element.clientWidth)
      element.scrollLeft = start + DISC_PX - element.clientWidth
    if (focusNext.current) {
      focusNext.current = false
      element.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
    }
  }, [at])
  const first = Math.max(0, Math.floor(left / DISC_PX) - 4)
  const last = Math.min(volumes.length, Math.ceil((left + width) / DISC_PX) + 4)
  const shown = volumes.map((volume, place) => ({ volume, place })).slice(first, last)
  if (at < first || at >= last) {
    const volume = volumes[at]
    if (volume) shown.push({ volume, place: at })
  }
  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(width / DISC_PX) - 1)
    const move = {
      ArrowRight: 1,
      ArrowLeft: -1,
      PageDown: page,
      PageUp: -page,
      Home: -volumes.length,
      End: volumes.length,
    }
    const step = move[event.key as keyof typeof move]
    if (step === undefined) return
    event.preventDefault()
    const target = volumes[Math.max(0, Math.min(volumes.length - 1, at + step))]
    if (!target) return
    focusNext.current = true
    onSelect(target.index)
  }
  return (
    <div
      ref={box}
      className="shelf"
      role="listbox"
      aria-label={t('shelf.label', { count: volumes.length })}
      aria-orientation="horizontal"
      tabIndex={-1}
      onScroll={(event) => setLeft(event.currentTarget.scrollLeft)}
      onKeyDown={press}
    >
      <div className="shelf-run" style={{ width: volumes.length * DISC_PX, height: GAUGE_PX + 66 }}>
        {shown.map(({ volume, place }) => (
          <Disc
            key={volume.index}
            volume={volume}
            left={place * DISC_PX}
            medium={plan.medium}
            isPart={plan.packing?.arrangement === 'joined'}
            shades={shades}
            selected={place === at}
            onSelect={onSelect}
          />
        ))}
      </div>
    </div>
  )
}

function Disc({
  volume,
  left,
  medium,
  isPart,
  shades,
  selected,
  onSelect,
}: {
  volume: PlanVolume
  left: number
  medium: PlanDocument['medium']
  /** True when it holds a part of one archive, which no folders divide. */
  isPart: boolean
  shades: ReadonlyMap<string, number>
  selected: boolean
  onSelect: (index: number) => void
}) {
  const units = useUnits()
  const scale = GAUGE_PX / (1 + HEADROOM)
  const { sectorBytes } = medium
  const isUndivided = medium.id === DISK_MEDIUM
  // A disk has no capacity line to fill up to.
  const fill = isUndivided ? 1 : volume.sectors / Math.max(1, volume.capacitySectors)
  const filled = Math.min(GAUGE_PX, Math.max(volume.sectors > 0 ? 1 : 0, fill * scale))
  const shares = isPart ? [{ path: '', bytes: 1, files: 0 }] : volume.shares
  const bytes = shares.reduce((sum, share) => sum + share.bytes, 0)
  const capacityBytes = volume.capacitySectors * sectorBytes
  const nameOfShare = (path: string): string => (isPart ? t('shelf.archive') : segmentName(path))
  const used = sizeQuantity(volume.sectors * sectorBytes, units)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the shelf takes the keys for all its discs
    <div
      className="disc"
      role="option"
      style={{ left, width: DISC_PX - 12 }}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      aria-label={t(isUndivided ? 'shelf.discUndivided' : 'shelf.disc', {
        label: volume.label,
        used: formatSize(volume.sectors * sectorBytes, units),
        capacity: formatSize(capacityBytes, units),
        share: formatShare(fill),
      })}
      onClick={() => onSelect(volume.index)}
    >
      <div className="gauge" style={{ height: GAUGE_PX }} aria-hidden="true">
        <div className="gauge-fill" style={{ height: filled }}>
          {shares.map((share) => {
            const height = bytes === 0 ? 0 : (share.bytes / bytes) * filled
            const shade = shades.get(share.path)
            return (
              <div
                key={share.path}
                className="segment"
                title={
                  isPart
                    ? t('shelf.archive')
                    : `${segmentName(share.path)}, ${formatSize(share.bytes, units)}`
                }
                style={{ height, background: `var(--share-${shade === undefined ? 'rest' : shade + 1})` }}
              >
                {height >= 17 && (
                  <span className="segment-name ellipsis given-name" title={nameOfShare(share.path)}>
                    {nameOfShare(share.path)}
                  </span>
                )}
              </div>
            )
          })}
        </div>
        {volume.reserveBytes > 0 && !isUndivided && (
          <div
            className="reserve-line"
            style={{ bottom: (1 - volume.reserveBytes / capacityBytes) * scale }}
          />
        )}
        {!isUndivided && <div className="capacity-line" style={{ bottom: scale }} />}
      </div>
      <div className="disc-label">
        <VolumeLabel label={volume.label} />
      </div>
      <div className="disc-fill">
        {used.number}
        <span className="unit">{used.unit}</span>{' '}
        {!isUndivided && <span className="muted">{formatShare(fill)}</span>}
      </div>
    </div>
  )
}

/** A top folder's name, or what stands for the small ones together. */
export function segmentName(path: string): string {
  return path === '' ? t('shelf.rest') : nameOf(path)
}

/** Which shade each top folder has, on every disc the same; what stands for the rest has none. */
function shadesOf(plan: PlanDocument): ReadonlyMap<string, number> {
  const order = new Map<string, number>()
  for (const volume of plan.volumes)
    for (const share of volume.shares)
      if (share.path !== '' && !order.has(share.path)) order.set(share.path, order.size % SHADES)
  return order
}
