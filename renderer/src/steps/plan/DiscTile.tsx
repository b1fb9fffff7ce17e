import { type DragEvent, useState } from 'react'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanVolume } from '../../../../src/contract/dto/plan'
import {
  formatCount,
  formatExactBytes,
  formatShare,
  formatSize,
  type Units,
} from '../../../../src/primitives/quantity'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { carriesEntry, dragEntry, droppedEntry } from './draggedEntry'
import type { DiscEntry } from './placement'
import { recoverySizes } from './recovery'
import { segmentName } from './ShareLegend'
import { type GaugePart, gaugeParts, type ShareTones, toneFill, toneLetter } from './shareTones'
import type { ShelfLayout } from './shelfLayout'
import type { ShelfPlan } from './shelfPlan'

/** A segment of this height has room for its name. */
const NAMED_PX = 12
const NAME_LINE_PX = 16
/** A folder that would be thinner than this belongs to the others. */
const LEAST_PX = 3

/** A disc: what fills it, its label and how full it is. */
export function DiscTile({
  volume,
  layout: { size, tilePx },
  place,
  plan,
  tones,
  selected,
  found,
  isSearched,
  onSelect,
  onDropped,
}: {
  volume: PlanVolume
  layout: ShelfLayout
  place: { readonly left: number; readonly top: number }
  plan: ShelfPlan
  tones: ShareTones
  selected: boolean
  /** Files that were found on it; null where nothing was. */
  found: number | null
  isSearched: boolean
  onSelect: (index: number) => void
  onDropped: ((entry: DiscEntry, volume: number) => void) | null
}) {
  const units = useUnits()
  const [isTarget, setIsTarget] = useState(false)
  const marks = [isTarget && 'target', isSearched && (found === null ? 'unfound' : 'found')]
  const takes = onDropped && {
    onDragOver: (event: DragEvent) => {
      if (!carriesEntry(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      setIsTarget(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsTarget(false)
    },
    onDrop: (event: DragEvent) => {
      setIsTarget(false)
      const entry = droppedEntry(event)
      if (entry && entry.volume !== volume.index) onDropped(entry, volume.index)
    },
  }
  const words = spoken(volume, plan, tones, units)
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the shelf takes the keys for all its discs
    <div
      className={`disc ${marks.filter((mark) => typeof mark === 'string').join(' ')}`}
      role="option"
      style={{ ...place, width: tilePx }}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      aria-label={found === null ? words : t('desk.discFound', { disc: words, count: found })}
      onClick={() => onSelect(volume.index)}
      {...takes}
    >
      <Gauge
        volume={volume}
        plan={plan}
        tones={tones}
        heightPx={size.gaugePx}
        isNamed={size.name !== 'tiny'}
        canMove={onDropped !== null}
      />
      <Foot volume={volume} plan={plan} size={size.name} units={units} />
      {found !== null && <span className="disc-found" aria-hidden="true" data-count={formatCount(found)} />}
    </div>
  )
}

/** The folders on a disc from the bottom up to its capacity, and the part that stays free. */
function Gauge({
  volume,
  plan,
  tones,
  heightPx,
  isNamed,
  canMove,
}: {
  volume: PlanVolume
  plan: ShelfPlan
  tones: ShareTones
  heightPx: number
  isNamed: boolean
  canMove: boolean
}) {
  const units = useUnits()
  // One archive over all discs has no files of a single one.
  const isPart = plan.packing?.arrangement === 'joined'
  const capacity = volume.capacitySectors * plan.medium.sectorBytes
  const isUndivided = plan.medium.id === DISK_MEDIUM
  // A disk has no capacity to fill up to.
  const drawn = isUndivided ? { ...volume, capacitySectors: volume.sectors } : volume
  const parts: GaugePart[] = isPart
    ? [
        {
          kind: 'added',
          path: null,
          tone: null,
          bytes: volume.sectors * plan.medium.sectorBytes,
          height: drawn.sectors / Math.max(1, drawn.capacitySectors),
        },
      ]
    : gaugeParts(drawn, plan, tones, LEAST_PX / heightPx)
  const reserve = isUndivided ? 0 : (plan.placement?.reserveBytes ?? 0) / Math.max(1, capacity)
  return (
    <div className="gauge" style={{ height: heightPx }} aria-hidden="true">
      {reserve > 0 && (
        <div
          className="gauge-reserve"
          style={{ height: `${reserve * 100}%` }}
          title={t('desk.leftFree', { size: formatSize(reserve * capacity, units) })}
        />
      )}
      {parts.map((part) => {
        const { kind, path, tone, bytes } = part
        const height = Math.min(heightPx, Math.max(part.height * heightPx, parts.length === 1 ? 1 : 0))
        // Its edge alone would be thicker than what it stands for.
        if (path === null && height < 2) return null
        const name =
          kind === 'recovery'
            ? t('shelf.recovery')
            : path === null
              ? t(isPart ? 'shelf.archive' : 'shelf.added')
              : segmentName(path)
        const isAdded = path === null && !isPart
        const fill = isAdded ? { className: kind, style: {} } : toneFill(tone)
        return (
          <div
            key={path ?? `\0${kind}`}
            className={`segment ${fill.className}`}
            title={`${name}, ${formatSize(bytes, units)}`}
            style={{ height, ...fill.style }}
            draggable={canMove && !!path}
            onDragStart={path ? (event) => dragEntry(event, { path, volume: volume.index }) : undefined}
          >
            {height >= NAMED_PX && (
              <div
                className="segment-name ellipsis"
                style={{ lineHeight: `${Math.min(NAME_LINE_PX, height - 1)}px` }}
                data-letter={tone === null ? undefined : toneLetter(tone)}
                data-name={isNamed ? name : undefined}
              />
            )}
          </div>
        )
      })}
    </div>
  )
}

/** The label, and below larger tiles how much is used; the rest when pointed at or selected. */
function Foot({
  volume,
  plan,
  size,
  units,
}: {
  volume: PlanVolume
  plan: ShelfPlan
  size: ShelfLayout['size']['name']
  units: Units
}) {
  const { label, index, sectors, capacitySectors } = volume
  const isUndivided = plan.medium.id === DISK_MEDIUM
  const used = sectors * plan.medium.sectorBytes
  const capacity = capacitySectors * plan.medium.sectorBytes
  const exactly = `${t('medium.sectors', { count: sectors })}, ${formatExactBytes(used)}`
  const filled = [
    t('desk.used', { used: formatSize(used, units), capacity: formatSize(capacity, units) }),
    t('shelf.full', { share: formatShare(sectors / Math.max(1, capacitySectors)) }),
  ].join(', ')
  if (size === 'tiny')
    return (
      <div className="disc-number given-name ellipsis" title={label}>
        {label.endsWith(String(index)) ? index : label}
      </div>
    )
  return (
    <>
      <div className="disc-label">
        <VolumeLabel label={label} />
      </div>{' '}
      {size !== 'small' && (
        <div className="disc-fill muted" title={isUndivided ? exactly : `${filled}; ${exactly}`}>
          {formatSize(used, units)}
        </div>
      )}
    </>
  )
}

/** Folders of a disc that are read out. */
const SPOKEN = 3

/** A disc as it is read out: how full it is, and what is on it. */
function spoken(volume: PlanVolume, plan: ShelfPlan, tones: ShareTones, units: Units): string {
  const { medium } = plan
  const disc = t(medium.id === DISK_MEDIUM ? 'shelf.discUndivided' : 'shelf.disc', {
    label: volume.label,
    used: formatSize(volume.sectors * medium.sectorBytes, units),
    capacity: formatSize(volume.capacitySectors * medium.sectorBytes, units),
    share: formatShare(volume.sectors / Math.max(1, volume.capacitySectors)),
  })
  const { protection } = volume
  const held = heldWords(disc, volume, plan, tones, units)
  return protection ? t('recovery.disc', { figures: held, ...recoverySizes(protection, units) }) : held
}

function heldWords(
  disc: string,
  volume: PlanVolume,
  { packing }: ShelfPlan,
  tones: ShareTones,
  units: Units,
): string {
  if (packing?.arrangement === 'joined' || volume.shares.length === 0) return disc
  const letter = ({ path }: PlanVolume['shares'][number]): string => {
    const tone = tones.toneOf.get(path)
    return tone === undefined ? segmentName(path) : `${toneLetter(tone)} ${segmentName(path)}`
  }
  const shown = volume.shares.slice(0, SPOKEN).map(letter).join(', ')
  const more = volume.shares.length - SPOKEN
  const folders = more > 0 ? t('shelf.holdsMore', { folders: shown, count: more }) : shown
  return t('shelf.holds', { disc, files: formatSize(volume.bytes, units), folders })
}
