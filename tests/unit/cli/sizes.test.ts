import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { formatRate, formatSize, formatSizeRange, showSizesIn } from '../../../src/cli/shape/sizes'
import { scriptFiles } from '../house/sourceFiles'

afterEach(() => showSizesIn(() => 'decimal'))

it('sizes are in GB until the settings say otherwise', () => {
  const shown = () => [formatSize(3e9), formatRate(3e9), formatSizeRange(3e9, 2e9, 4e9)]
  expect(shown()).toEqual(['3.00 GB', '3.00 GB/s', '2.00–4.00'])
  showSizesIn(() => 'binary')
  expect(shown()).toEqual(['2.79 GiB', '2.79 GiB/s', '1.86–3.73'])
  expect(formatSize(3e9, 'decimal')).toBe('3.00 GB')
})

it('all commands write sizes in the unit of the settings', () => {
  const direct = /import \{[^}]*\bformat(?:Size|Rate|SizeRange)\b[^}]*\} from '[./]+primitives\/quantity'/
  expect(scriptFiles('src/cli').filter((file) => direct.test(readFileSync(file, 'utf8')))).toEqual([])
  expect("import { formatCount, formatSize } from '../../primitives/quantity'").toMatch(direct)
})
