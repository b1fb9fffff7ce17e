import type { DragEvent } from 'react'
import type { DiscEntry } from './placement'

/** The type of a drag within the window: no file of another program has it. */
const TYPE = 'application/x-stowage-entry'

/** Begins to drag a folder or file of a disc. */
export function dragEntry(event: DragEvent, entry: DiscEntry): void {
  event.stopPropagation()
  event.dataTransfer.setData(TYPE, JSON.stringify(entry))
  event.dataTransfer.effectAllowed = 'move'
}

export function carriesEntry(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(TYPE)
}

/** The folder or file that was dropped; null for anything else. */
export function droppedEntry(event: DragEvent): DiscEntry | null {
  const text = event.dataTransfer.getData(TYPE)
  if (text === '') return null
  const { path, volume } = JSON.parse(text) as DiscEntry
  return { path, volume }
}
