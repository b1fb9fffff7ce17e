import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeHostileTree } from '../../fixtures/hostileTree'
import { makeOwnedTree } from '../../fixtures/ownedTree'
import { setFolder } from '../accuracy/sets'

/**
 * A set of the accuracy benches and, in a folder of it, what else a source can have: names that are hard to store, several names of one
 * file, links, holes, other modes, owners and extended attributes. Linux.
 */
export function makeChainSource(cache: string, set: string, folder: string): void {
  execFileSync('cp', ['-a', setFolder(cache, set), folder])
  const kinds = join(folder, 'kinds')
  makeHostileTree(kinds, { seed: 22 })
  // Some recipes add endings to names, and refuse names that have no room for one.
  for (const name of readdirSync(kinds, { encoding: 'buffer' }))
    if (name.length > 250) rmSync(Buffer.concat([Buffer.from(`${kinds}/`), name]))
  const lacking = makeOwnedTree(join(kinds, 'owned'))
  if (lacking !== null) console.warn(lacking)
  const sparse = join(kinds, 'with holes')
  writeFileSync(sparse, 'before the hole')
  truncateSync(sparse, 8 << 20)
  writeFileSync(sparse, 'after it', { flag: 'a' })
  for (const mode of [0o400, 0o640, 0o711, 0o2755]) {
    const path = join(kinds, `mode ${mode.toString(8)}`)
    writeFileSync(path, `written with ${mode.toString(8)}`)
    chmodSync(path, mode)
  }
}
