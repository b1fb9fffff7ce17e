import type { CopyKey } from '../copy'

/** A key of the window. `Mod` is Ctrl, on a Mac ⌘. */
interface Key<Id extends string> {
  readonly id: Id
  readonly group: 'project' | 'steps' | 'inStep'
  readonly keys: string
}

function declared<const Id extends string>(list: readonly Key<Id>[]): readonly Key<Id>[] {
  return list
}

/** Every key that the window acts on wherever the focus is, in the order of the dialog. */
export const KEYS = declared([
  { id: 'new', group: 'project', keys: 'Mod+N' },
  { id: 'open', group: 'project', keys: 'Mod+Shift+P' },
  { id: 'save', group: 'project', keys: 'Mod+S' },
  { id: 'saveAs', group: 'project', keys: 'Mod+Shift+S' },
  { id: 'folders', group: 'project', keys: 'Mod+O' },
  { id: 'files', group: 'project', keys: 'Mod+Shift+O' },
  { id: 'home', group: 'steps', keys: 'Alt+Home' },
  { id: 'step', group: 'steps', keys: 'Mod+1–9' },
  { id: 'find', group: 'steps', keys: 'Mod+F' },
  { id: 'settings', group: 'steps', keys: 'Mod+,' },
  { id: 'help', group: 'steps', keys: '?' },
  { id: 'main', group: 'inStep', keys: 'Mod+Enter' },
  { id: 'undo', group: 'inStep', keys: 'Mod+Z' },
])

export type KeyId = (typeof KEYS)[number]['id']

/** Keys of parts of a step, which those parts act on themselves. */
export const KEYS_OF_PARTS: readonly { readonly words: CopyKey; readonly keys: string }[] = [
  { words: 'keys.rows', keys: 'arrows' },
  { words: 'keys.pick', keys: 'Enter' },
  { words: 'keys.close', keys: 'Esc' },
]

const IDS = new Map(KEYS.map(({ id, keys }) => [keys, id]))

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** The key that is pressed; null for one that the window does not act on. */
export function keyOf({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): KeyId | null {
  if (altKey) return key === 'Home' && !ctrlKey && !metaKey && !shiftKey ? 'home' : null
  if (!ctrlKey && !metaKey) return key === '?' ? 'help' : null
  const name = key.length === 1 ? key.toUpperCase() : key
  if (!shiftKey && /^[1-9]$/.test(name)) return 'step'
  return IDS.get(`Mod+${shiftKey ? 'Shift+' : ''}${name}`) ?? null
}
