import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '../../../renderer/src')

it('no style uses a unit that the oldest window does not know, which would drop the whole line', () => {
  const styles = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  )
  expect(styles.length).toBeGreaterThan(10)
  const tooNew = styles.filter((name) => /\b\d*\.?\d+r?lh\b/.test(readFileSync(join(SOURCE, name), 'utf8')))
  expect(tooNew).toEqual([])
})
