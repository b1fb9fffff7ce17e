import { describe, expect, it } from 'vitest'
import { allVariants } from '../../../../src/domain/options/families/registry'
import { reductionsOf } from '../../../../src/domain/options/reductions'
import { knownFacts } from '../../../fixtures/options/optionFacts'

describe('the table of reductions', () => {
  const facts = knownFacts('source')
  const variants = allVariants(facts)
  const rows = reductionsOf(facts, variants)

  it('has one row for every recipe, and one for each size of sectors of a pool', () => {
    const keys = rows.map(({ variant, sectorBytes }) => `${variant} ${sectorBytes}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const { name, family } of variants) {
      const own = rows.filter(({ variant }) => variant === name).map(({ sectorBytes }) => sectorBytes)
      expect(own).toContain(family === 'zfs' ? 4096 : null)
    }
    const plain = rows.filter(({ variant }) => variant === 'zfs-4k-off-dedup')
    expect(plain.map(({ sectorBytes }) => sectorBytes)).toEqual([512, 4096])
  })

  it('gives the memory of a table of all blocks and of one of distinct blocks', () => {
    const blocks = facts.survey.fixedBlocks.find(({ blockSize }) => blockSize === 4096)
    const row = rows.find(({ variant }) => variant === 'blocks-4k')
    expect(row?.table?.allBytes).toBe((blocks?.blocks ?? 0) * facts.tableEntryBytes)
    expect(row?.table?.distinctBytes.value).toBe((blocks?.uniqueBlocks ?? 0) * facts.tableEntryBytes)
    expect(rows.find(({ variant }) => variant === 'zfs-4k-off-nodedup')?.table).toBeNull()
  })
})
