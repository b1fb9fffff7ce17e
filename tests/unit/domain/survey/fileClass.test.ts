import { expect, it } from 'vitest'
import { fileClassOf } from '../../../../src/domain/survey/fileClass'

it('sources whose extension a sound format shares are text', () => {
  expect(['ts', 'dts', 'dtsi'].map((extension) => fileClassOf(extension))).toEqual(['text', 'text', 'text'])
  expect(fileClassOf('dtshd')).toBe('audio')
})
