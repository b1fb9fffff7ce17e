import { expect, it } from 'vitest'
import { KEYS, type KeyId, keyOf } from '../../../renderer/src/app/keys'
import { copyKeys, t } from '../../../renderer/src/copy'
import { glossary, meaningOf } from '../../../renderer/src/format/meanings'

const NONE = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }

it.each<[string, Partial<typeof NONE>, KeyId | null]>([
  ['n', { ctrlKey: true }, 'new'],
  ['n', { metaKey: true }, 'new'],
  ['S', { ctrlKey: true, shiftKey: true }, 'saveAs'],
  ['3', { ctrlKey: true }, 'step'],
  ['9', { ctrlKey: true }, 'step'],
  [',', { ctrlKey: true }, 'settings'],
  ['Enter', { ctrlKey: true }, 'main'],
  ['z', { ctrlKey: true }, 'undo'],
  ['?', { shiftKey: true }, 'help'],
  ['?', { altKey: true }, null],
  ['n', {}, null],
  ['n', { ctrlKey: true, shiftKey: true }, null],
  ['q', { ctrlKey: true }, null],
])('%s with %j is %s', (key, modifiers, id) => {
  expect(keyOf({ ...NONE, ...modifiers, key })).toBe(id)
})

it('no two keys are the same, and each has its words', () => {
  expect(new Set(KEYS.map(({ keys }) => keys)).size).toBe(KEYS.length)
  for (const { id } of KEYS) expect(t(`keys.${id}`)).not.toBe('')
})

it('explains only words that the window has, each once and in one line', () => {
  const terms = glossary()
  expect(terms.length).toBeGreaterThan(20)
  expect(new Set(terms.map(({ word }) => word)).size).toBe(terms.length)
  const keys = new Set<string>(copyKeys)
  for (const key of copyKeys.filter((each) => each.startsWith('means.')))
    expect(keys.has(key.slice('means.'.length))).toBe(true)
  for (const { meaning } of terms) expect(meaning.length).toBeLessThan(100)
  expect(meaningOf(t('column.record'))).toBe(t('means.column.record'))
  expect(meaningOf('no word of the window')).toBeUndefined()
})
