import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirePlacedThere } from '../../../../../src/cli/commands/placement'
import type { SurveyEntry } from '../../../../../src/engine/catalog/entry'
import { placedSource } from '../../../../../src/engine/sets/plan/placedSource'
import { sourceEntries } from '../../../../../src/engine/survey/sourceEntries'
import { temporaryFolder } from '../../../../support/surveyedFolder'

const ROOT = '/source'
const [NFC, NFD] = ['Übung'.normalize('NFC'), 'Übung'.normalize('NFD')]

function sourceWith(...names: string[]) {
  const entry = (path: string, id: number) =>
    ({ id, rootIndex: 0, path, kind: 'folder', bytes: 0, linkOf: null, linkTarget: null }) as SurveyEntry
  return sourceEntries([ROOT], ['', ...names].map(entry))
}

test.each([
  [NFC, NFD],
  [NFD, NFC],
  [`${ROOT}/${NFC}/`, NFD],
])('a pin and a kept folder are found however their accents are composed: %j', (asked, name) => {
  const placement = { pins: [{ path: asked, volume: 1 }], keep: [asked] }
  const { placing } = placedSource(placement, sourceWith(name))
  expect(placing).toMatchObject({ pins: [{ path: name, volume: 1 }], keep: [name] })
})

test.each([NFC, NFD])('of two names that look the same, the same text counts: %j', (name) => {
  for (const names of [
    [NFC, NFD],
    [NFD, NFC],
  ]) {
    const { placing } = placedSource({ pins: [{ path: name, volume: 1 }] }, sourceWith(...names))
    expect(placing?.pins).toEqual([{ path: name, volume: 1 }])
  }
})

test('a path is refused before the source is read only where nothing on the disk looks the same', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, NFD, 'x'), { recursive: true })
  const required = (path: string) => () => requirePlacedThere([root], { keep: [path] })
  expect(required(`${NFC}/x`)).not.toThrow()
  expect(required(join(root, NFC))).not.toThrow()
  expect(required(`${NFC}/y`)).toThrow('it is not in the source')
  expect(required('Ubung')).toThrow('it is not in the source')
})
