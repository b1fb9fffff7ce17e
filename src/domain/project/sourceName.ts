import { lastComponent } from '../sets/naming/volumePaths'

/** A name for a source that no other one has, made of the last part of its path. */
export function sourceName(source: string, taken: readonly string[]): string {
  const word = lastComponent(source)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-')
  const base = word.replace(/^[._-]+/, '').slice(0, 40) || 'source'
  let name = base
  for (let number = 2; taken.includes(name); number++) name = `${base}-${number}`
  return name
}
