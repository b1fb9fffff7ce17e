import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkDisc } from '../../support/discChecker/checkDisc'
import type { TreeNode } from '../../support/discChecker/fileTree'
import { SECTOR } from '../../support/discChecker/sectors'
import { compareByGrub, missingReader, readBy7Zip, readByBsdtar } from '../../support/discReaders'
import { expectedTree, udfTree } from '../../support/expectedDisc'
import { ownVolume } from '../../support/ownImage'
import { largeDiscTree } from '../../support/randomDiscTree'
import { temporaryFolder } from '../../support/temporaryFolder'

/** How many large trees: STOWAGE_LARGE_TREES=12 for a long run. */
const TREES = Number(process.env.STOWAGE_LARGE_TREES ?? 1)
/** One in six has 70,000 files in one folder, another one a file of more than 4 GiB. */
const EVERY = 6

it.each(Array.from({ length: TREES }, (_, at) => at + 1))(
  'both trees of a large disc image are the source to every reader (seed %i)',
  { tags: 'long' },
  async (seed) => {
    const folder = await temporaryFolder()
    mkdirSync(join(folder, 'tree'))
    const { entries } = largeDiscTree(join(folder, 'tree'), seed, {
      flat: seed % EVERY === 2,
      sparse: seed % EVERY === 3,
    })
    const image = join(folder, 'disc.iso')
    const volume = await ownVolume(folder, entries, { equalOnce: seed % 2 === 0 })
    expect(await volume.build(image)).toEqual([])
    expect(statSync(image).size).toBe(volume.forecast * SECTOR)

    const { findings, udf } = checkDisc(image)
    expect(findings).toEqual([])
    const inUdf = udfTree(image, udf as TreeNode)
    // Links are not in UDF.
    const files = expectedTree(entries.filter(({ kind }) => kind !== 'symlink'))
    expect(Object.values(inUdf).toSorted()).toEqual(Object.values(files).toSorted())
    expect(readBy7Zip(image)).toEqual(inUdf)
    const missing = missingReader('bsdtar', 'grub-fstest')
    if (missing) process.stderr.write(`left out bsdtar and GRUB: ${missing}\n`)
    else {
      expect(readByBsdtar(image)).toEqual(expectedTree(entries))
      expect(compareByGrub(image, entries, 20)).toBe(20)
    }
  },
)
