import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { targetTraits } from '../../src/engine/sets/restore/targetTraits'
import { temporaryFolder } from '../support/archiveRun'
import { memoryDisk } from '../support/memoryDisk'

const folder = temporaryFolder('traits')
afterAll(() => folder.dispose())

/** Names that the trial has at once: the file that it makes first, a folder for names, and one name. */
const NEEDED = 3

test.for([0, 1, 2, NEEDED])(
  'a disk with room for %d more names is full, or holds what it holds when empty',
  (free, context) => {
    const disk = memoryDisk(join(folder.path, String(free)), 1 << 20, 20)
    if (typeof disk === 'string') return context.skip(disk)
    try {
      const scratch = join(disk.path, 'scratch')
      mkdirSync(scratch)
      const wanted = targetTraits(scratch)
      expect(wanted).toMatchObject({ names: null, symlinks: true, hardLinks: true })
      for (let made = 0; made < 20 - 2 - free; made++) writeFileSync(join(disk.path, String(made)), '')
      if (free < NEEDED)
        expect(() => targetTraits(scratch)).toThrow(expect.objectContaining({ code: 'no-space' }))
      else expect(targetTraits(scratch)).toEqual(wanted)
    } finally {
      disk.unmount()
    }
  },
)
