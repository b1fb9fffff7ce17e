import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { formatSize } from '../../../../src/primitives/quantity'
import { t } from '../../copy'
import { useSession, useStateOf, useUnits } from '../../state/sessionContext'
import { DiscFiles } from './DiscFiles'
import { type DiscSearch, DiscSearchField, FoundOnDiscs, useDiscSearch } from './DiscSearch'
import { WishesLine } from './PlacementBar'
import { planningWords, usePlanning } from './Planning'
import { pinned } from './placement'
import { PlanSession } from './planSession'
import { RenameDisc } from './RenameDisc'
import { ShareLegend } from './ShareLegend'
import { EmptyShelf, Shelf } from './Shelf'
import { branchOf, shareTones } from './shareTones'

/** The most discs that leave room for the files of one next to them. */
const FEW = 12

/**
 * The discs of a plan to work on: a search, the order, the discs in a grid, and the files of the
 * selected one.
 * @param canPlace true when the plan can be made again with other wishes
 */
export function PlanDesk({ document, canPlace }: { document: PlanDocument; canPlace: boolean }) {
  const session = useSession(PlanSession)
  const plan = useStateOf(PlanSession)
  const search = useDiscSearch(document.id)
  const files = useRef<HTMLDivElement>(null)
  const shelf = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ readonly volume: number; readonly folder: string } | null>(null)
  const [renamed, setRenamed] = useState<HTMLElement | null>(null)
  const { volumes, packing } = document
  const isJoined = packing?.arrangement === 'joined'
  const picked = volumes.find((volume) => volume.index === plan.selectedVolume) ?? volumes[0]
  const tones = useMemo(() => shareTones(volumes), [volumes])
  const branch = branchOf(document)
  const select = (index: number) => session.store.dispatch({ type: 'volume', index })
  const tile = () => shelf.current?.querySelector<HTMLElement>('[aria-selected="true"]') ?? null
  const press = (event: KeyboardEvent) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    if (!isUndo || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    void session.undo()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Ctrl+Z of all that is in it
    <div className="desk stack near" onKeyDown={press}>
      <DeskTools search={isJoined ? null : search} />
      {canPlace && <WishesLine document={document} />}
      <div
        className={`desk-floor ${isJoined ? 'joined' : volumes.length <= FEW ? 'few' : ''} ${search.found ? 'searched' : ''}`}
      >
        <div ref={shelf} className="shelf-place">
          <Shelf
            plan={document}
            tones={tones}
            selected={picked?.index ?? null}
            found={search.found}
            onSelect={select}
            onOpen={() => files.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()}
            onRename={() => {
              if (canPlace) setRenamed(tile())
            }}
            onDropped={
              canPlace && volumes.length > 1
                ? ({ path }, volume) => void session.place(pinned(plan.placement, { path, volume }))
                : null
            }
          />
          <ShelfEdge document={document} />
          {!isJoined && <ShareLegend tones={tones} branch={branch} />}
        </div>
        {search.found && (
          <div className="volumes-place">
            <FoundOnDiscs
              plan={document}
              found={search.found}
              onPick={(folder, volume) => {
                select(volume)
                setPlace({ volume, folder })
              }}
            />
          </div>
        )}
        {picked && !isJoined && (
          <div ref={files} className="files-place">
            <DiscFiles
              key={picked.index}
              plan={document}
              volume={picked}
              tones={tones}
              branch={branch}
              folder={place?.volume === picked.index ? place.folder : branch}
              canPlace={canPlace}
              onGo={(folder) => setPlace({ volume: picked.index, folder })}
              onRename={setRenamed}
            />
          </div>
        )}
      </div>
      {renamed && picked && (
        <RenameDisc
          key={picked.index}
          plan={document}
          volume={picked}
          anchor={renamed}
          onDone={() => {
            setRenamed(null)
            renamed.focus()
          }}
        />
      )}
    </div>
  )
}

/** The search, where discs have files of their own, and on the right the progress of a new plan. */
function DeskTools({ search }: { search: DiscSearch | null }) {
  const planning = usePlanning()
  return (
    <div className="desk-tools line">
      {search && <DiscSearchField search={search} />}
      <span className="shelf-note" role="status">
        {planning && planningWords(planning.progress)}
      </span>
    </div>
  )
}

/** The meaning of the edge of the gauges, and of sizes that are forecasts. */
function ShelfEdge({ document }: { document: PlanDocument }) {
  const units = useUnits()
  const { reserveBytes = 0 } = document.placement ?? {}
  const isUndivided = document.medium.id === DISK_MEDIUM
  return (
    <div className="shelf-edge muted">
      {!isUndivided && (
        <p>
          {t(reserveBytes > 0 ? 'desk.edgeAndReserve' : 'desk.edge', {
            capacity: formatSize(document.medium.capacityBytes, units),
            reserve: formatSize(reserveBytes, units),
          })}
        </p>
      )}
      {document.packing && <p>{t('shelf.forecast')}</p>}
    </div>
  )
}

const NO_SEARCH: DiscSearch = { pattern: '', type: () => {}, found: null }

/** The place of the discs of a plan that is being made, with its progress. */
export function AwaitedDesk({ discs, words }: { discs: number; words: string }) {
  return (
    <div className="desk stack near" aria-busy="true">
      <div className="desk-tools line">
        <div className="awaited-tools" inert>
          <DiscSearchField search={NO_SEARCH} />
        </div>
        <span className="shelf-note" role="status">
          {words}
        </span>
      </div>
      <EmptyShelf discs={discs} />
    </div>
  )
}
