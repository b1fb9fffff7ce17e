import { expect, test } from 'vitest'
import { labelRanges } from '../../../../../src/domain/sets/naming/labelRanges'

test.each([
  [[], ''],
  [['A_01'], 'A_01'],
  [['A_01', 'A_02'], 'A_01 and A_02'],
  [['A_01', 'A_02', 'A_03', 'A_02'], 'A_01 to A_03'],
  [['A_09', 'A_10', 'A_11', 'A_13', 'B_14'], 'A_09 to A_11, A_13 and B_14'],
  [['A', 'B', 'C', 'D_1', 'E_1', 'E_2', 'E_3'], 'A, B, C, D_1 and 3 more'],
])('labels %j in words', (labels, text) => {
  expect(labelRanges(labels)).toBe(text)
})
