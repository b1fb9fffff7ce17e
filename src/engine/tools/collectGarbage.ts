import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options?: { type: 'minor' }) => void

let known: Collect | null = null

/**
 * Frees the buffers that streams are done with (`minor`: the young ones, about a millisecond),
 * which V8 by itself leaves until they are some hundred megabytes: its own heap does not show what
 * they hold. Through the function that V8's flag `--expose-gc` gives.
 */
export function collectGarbage(kind: 'all' | 'minor'): void {
  if (known === null) {
    setFlagsFromString('--expose-gc')
    known = runInNewContext('gc') as Collect
  }
  if (kind === 'all') known()
  else known({ type: 'minor' })
}
