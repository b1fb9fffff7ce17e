import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanDocument, PlanVolume } from '../../../../src/contract/dto/plan'
import { formatShare, formatSize, type Units } from '../../../../src/primitives/quantity'
import { Size } from '../../components/Figure'
import { VolumeLabel } from '../../components/VolumeLabel'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { segmentName } from './ShareLegend'
import { gaugeParts, type ShareTones, toneLetter } from './shareTones'

const DISC_PX = 132
/** More discs than these are drawn narrow, with their numbers alone. */
const MOST_WIDE = 12
const COMPACT_PX = 44
const GAUGE_PX = 196
/** Room below a gauge: the label and four lines, or a number. */
const WIDE_FOOT_PX = 96
const COMPACT_FOOT_PX = 24
/** A segment of this height has room for its name. */
const NAMED_PX = 12
const NAME_LINE_PX = 16
/** Room above the capacity line, so that the line is seen as one. */
const HEADROOM = 0.06

/**
 * The discs of a plan as on a shelf: each a gauge filled by the colours of its folders, true to the
 * dashed line at its capacity (and one at what is reserved). Only those in view are in the page;
 * the arrow keys walk them.
 */
export function Shelf({
  plan,
  tones,
  selected,
  onSelect,
}: {
  plan: PlanDocument
  tones: ShareTones
  selected: number | null
  onSelect: (index: number) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const focusNext = useRef(false)
  const [left, setLeft] = useState(0)
  const [width, setWidth] = useState(1200)
  const { volumes } = plan
  const isCompact = volumes.length > MOST_WIDE
  const discPx = isCompact ? COMPACT_PX : DISC_PX
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
    const start = at * discPx
    if (start < element.scrollLeft) element.scrollLeft = start
    else if (start + discPx > element.scrollLeft + element.clientWidth)
      element.scrollLeft = start + discPx - element.clientWidth
    if (focusNext.current) {
      focusNext.current = false
      element.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
    }
  }, [at, discPx])
  const first = Math.max(0, Math.floor(left / discPx) - 4)
  const last = Math.min(volumes.length, Math.ceil((left + width) / discPx) + 4)
  const shown = volumes.map((volume, place) => ({ volume, place })).slice(first, last)
  if (at < first || at >= last) {
    const volume = volumes[at]
    if (volume) shown.push({ volume, place: at })
  }
  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(width / discPx) - 1)
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
      <div
        className="shelf-run"
        style={{
          width: volumes.length * discPx,
          height: GAUGE_PX + (isCompact ? COMPACT_FOOT_PX : WIDE_FOOT_PX),
        }}
      >
        {shown.map(({ volume, place }) => (
          <Disc
            key={volume.index}
            volume={volume}
            left={place * discPx}
            width={discPx}
            plan={plan}
            tones={tones}
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
  width,
  plan,
  tones,
  selected,
  onSelect,
}: {
  volume: PlanVolume
  left: number
  width: number
  plan: PlanDocument
  tones: ShareTones
  selected: boolean
  onSelect: (index: number) => void
}) {
  const units = useUnits()
  const scale = GAUGE_PX / (1 + HEADROOM)
  const isUndivided = plan.medium.id === DISK_MEDIUM
  // One archive over all discs has no files of a single one.
  const isPart = plan.packing?.arrangement === 'joined'
  const isCompact = width < DISC_PX
  const image = volume.sectors * plan.medium.sectorBytes
  const capacity = volume.capacitySectors * plan.medium.sectorBytes
  // A disk has no capacity line to fill up to.
  const drawn = isUndivided ? { ...volume, capacitySectors: volume.sectors } : volume
  const parts = isPart
    ? [{ path: null, tone: null, bytes: image, height: drawn.sectors / Math.max(1, drawn.capacitySectors) }]
    : gaugeParts(drawn, plan, tones)
  const nameOfPart = (path: string | null): string =>
    path === null ? t(isPart ? 'shelf.archive' : 'shelf.added') : segmentName(path)
  const fill = formatShare(volume.sectors / Math.max(1, volume.capacitySectors))
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the shelf takes the keys for all its discs
    <div
      className={isCompact ? 'disc compact' : 'disc'}
      role="option"
      style={{ left, width: width - (isCompact ? 6 : 12) }}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      aria-label={spoken(volume, plan, tones, units)}
      onClick={() => onSelect(volume.index)}
    >
      <div className="gauge" style={{ height: GAUGE_PX }} aria-hidden="true">
        <div className="gauge-fill">
          {parts.map(({ path, tone, bytes, height: share }) => {
            const height = Math.min(GAUGE_PX, Math.max(share * scale, parts.length === 1 ? 1 : 0))
            // Its edge alone would be thicker than what it stands for.
            if (path === null && height < 2) return null
            return (
              <div
                key={path ?? '\0added'}
                className={path === null && !isPart ? 'segment added' : 'segment'}
                title={`${nameOfPart(path)}, ${formatSize(bytes, units)}`}
                style={{
                  height,
                  background: path === null && !isPart ? undefined : `var(--share-${tone ?? 'rest'})`,
                }}
              >
                {height >= NAMED_PX && (
                  <span
                    className="segment-name ellipsis given-name"
                    title={nameOfPart(path)}
                    style={{ lineHeight: `${Math.min(NAME_LINE_PX, height - 1)}px` }}
                  >
                    {tone !== null && <span className="segment-letter">{toneLetter(tone)}</span>}
                    {!isCompact && nameOfPart(path)}
                  </span>
                )}
              </div>
            )
          })}
        </div>
        {volume.reserveBytes > 0 && !isUndivided && (
          <div className="reserve-line" style={{ bottom: (1 - volume.reserveBytes / capacity) * scale }} />
        )}
        {!isUndivided && <div className="capacity-line" style={{ bottom: scale }} />}
      </div>
      {isCompact ? (
        <div className="disc-number" title={volume.label}>
          {volume.index}
        </div>
      ) : (
        <>
          <div className="disc-label">
            <VolumeLabel label={volume.label} />
          </div>
          <dl className="disc-figures">
            {!isPart && <DiscFigure name={t('shelf.files')} bytes={volume.bytes} units={units} />}
            <DiscFigure name={t(`shelf.${storedAs(plan)}`)} bytes={image} units={units} />
            {!isUndivided && <DiscFigure name={t('shelf.room')} bytes={capacity} units={units} />}
          </dl>
          {!isUndivided && <div className="disc-fill muted">{t('shelf.full', { share: fill })}</div>}
        </>
      )}
    </div>
  )
}

function DiscFigure({ name, bytes, units }: { name: string; bytes: number; units: Units }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Size bytes={bytes} units={units} />
      </dd>
    </div>
  )
}

/** The kind of thing whose size a volume has. */
export function storedAs({ packing, medium }: PlanDocument): 'image' | 'folder' | 'packed' {
  if (packing) return 'packed'
  return medium.kind === 'folder' ? 'folder' : 'image'
}

/** Folders of a disc that are read out. */
const SPOKEN = 3

/** A disc as it is read out: how full it is, and what is on it. */
function spoken(volume: PlanVolume, plan: PlanDocument, tones: ShareTones, units: Units): string {
  const { medium, packing } = plan
  const disc = t(medium.id === DISK_MEDIUM ? 'shelf.discUndivided' : 'shelf.disc', {
    label: volume.label,
    used: formatSize(volume.sectors * medium.sectorBytes, units),
    capacity: formatSize(volume.capacitySectors * medium.sectorBytes, units),
    share: formatShare(volume.sectors / Math.max(1, volume.capacitySectors)),
  })
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
