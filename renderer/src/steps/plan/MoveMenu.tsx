import { useEffect, useRef, useState } from 'react'
import { Menu, MenuItem, Popover } from 'react-aria-components'
import type { PlanVolume } from '../../../../src/contract/dto/plan'
import { t } from '../../copy'
import { nameOf } from '../../format/paths'

/** The choices for a folder or file of a disc. */
const MOVES = ['move', 'pin', 'keep', 'release'] as const
export type Move = (typeof MOVES)[number]

export interface MoveTarget {
  readonly path: string
  readonly isFolder: boolean
  /** A wish of the person for it is there already. */
  readonly isPlaced: boolean
  /** The button that the menu belongs to. */
  readonly anchor: HTMLElement
}

/** The menu of a folder or file of a disc: move it, keep it here, keep it together. */
export function MoveMenu({
  target: { path, isFolder, isPlaced, anchor },
  volumes,
  volume,
  onMove,
  onClose,
}: {
  target: MoveTarget
  volumes: readonly PlanVolume[]
  /** The disc that it is on. */
  volume: number
  /** @param to the disc to move to; null for all else */
  onMove: (move: Move, to: number | null) => void
  onClose: () => void
}) {
  const [isChoosing, setIsChoosing] = useState(false)
  // Choosing an item closes a menu: not where the list of the discs takes its place.
  const goesOn = useRef(false)
  const box = useRef<HTMLDivElement>(null)
  // The keyboard goes on in the list, once the popover has taken the focus for itself.
  useEffect(() => {
    goesOn.current = false
    const list = isChoosing ? '.discs' : '.menu'
    const frame = requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`${list} [role="menuitem"]`)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [isChoosing])
  const others = volumes.filter(({ index }) => index !== volume)
  const moves = MOVES.filter((move) => {
    if (move === 'move') return others.length > 0
    if (move === 'keep') return isFolder
    return move === 'pin' || isPlaced
  })
  const name = nameOf(path)
  return (
    <Popover
      ref={box}
      className="popover"
      placement="bottom end"
      triggerRef={{ current: anchor }}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !goesOn.current) onClose()
      }}
    >
      {isChoosing ? (
        <Menu
          key="discs"
          className="menu acts discs"
          aria-label={t('desk.moveTo', { name })}
          onAction={(key) => {
            onMove('move', Number(key))
            onClose()
          }}
        >
          {others.map(({ index, label }) => (
            <MenuItem key={index} id={index} className="menu-item" textValue={label}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        <Menu
          key="moves"
          className="menu acts"
          aria-label={t('desk.actsOf', { name })}
          onAction={(key) => {
            const move = MOVES.find((each) => each === key)
            if (move === 'move') {
              goesOn.current = true
              setIsChoosing(true)
            } else {
              if (move) onMove(move, null)
              onClose()
            }
          }}
        >
          {moves.map((move) => (
            <MenuItem key={move} id={move} className="menu-item">
              {t(`desk.${move}`)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </Popover>
  )
}
