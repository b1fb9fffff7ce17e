import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VOLUME_TEXTS, type VolumeText } from '../../src/engine/sets/export/volumeTexts'
import { contentAt } from '../../src/engine/sets/volume/lists/volume'
import { VOLUME_FILES, type VolumeFile } from '../../src/engine/sets/volume/lists/volumeFiles'
import { volumeAt } from '../../src/engine/sets/volume/open/volumeAt'
import { COPIES } from '../../src/engine/sets/volume/planned/ownNames'
import { seededRandom } from '../../src/primitives/seededRandom'
import { damagedCopy, partsOf } from '../support/damagedImage'
import { mostlyLong } from '../support/mostlyLong'
import { placeOfEachTest } from '../support/place'
import { treeContents } from '../support/treeFacts'

const here = placeOfEachTest('added-list')

/** A list as docs/contributing/add-a-list.md has it: a row, and a function. */
const NAME = 'LABELS.txt'
const row: VolumeFile = { name: NAME, isOn: () => true, hasCopy: true }
const text: VolumeText = {
  text: ({ volume, count }) => [contentFor(volume.label, count)],
  reserveBytes: () => 4096,
}
const contentFor = (label: string, count: number): string => `${label} of ${count}\n${'-'.repeat(3000)}\n`

const files = VOLUME_FILES as VolumeFile[]
const texts = VOLUME_TEXTS as Record<string, VolumeText>
beforeAll(() => {
  files.splice(-1, 0, row)
  texts[NAME] = text
})
afterAll(() => {
  files.splice(files.indexOf(row), 1)
  Reflect.deleteProperty(texts, NAME)
})

const OWN = 'STOWAGE'
const PLANS = [
  { name: 'images', plan: ['--medium', 'custom:800KB'] },
  { name: 'folders', plan: ['--medium', 'folder:200KB'] },
  { name: 'protected images', plan: ['--medium', 'custom:2MB', '--protect', '20%'], isCopied: true },
  { name: 'images with parity', plan: ['--medium', 'custom:1.8MB', '--protect-set', '1'], isCopied: true },
  { name: 'archives', plan: ['--medium', 'custom:1MB', '--option', '7z-files'] },
  {
    name: 'encrypted archives',
    plan: ['--medium', 'custom:1MB', '--option', '7z-files', '--encrypt', '256'],
    isEncrypted: true,
  },
] as const

mostlyLong(
  test,
  PLANS,
  ({ name }) => name === 'protected images',
)(
  'a list that is one row and one function is on all volumes and in their checksums: $name',
  async ({ plan, ...kind }) => {
    const password = 'isEncrypted' in kind ? ['--password-file', here.at('password')] : []
    const volumes = await built(plan, password)
    const found = await Promise.all(volumes.map((path) => volumeAt(path)))
    // Discs with parity have lists of their own.
    const all = found.filter((lists) => lists?.number !== null)
    for (const lists of all) {
      const content = contentFor(lists?.label ?? '', all.length)
      expect(lists?.sums?.get(`${OWN}/${NAME}`)).toBe(sha256(content))
      const copies = 'isCopied' in kind ? [`${OWN}/${COPIES}/${NAME}`] : []
      for (const name of [`${OWN}/${NAME}`, ...copies]) {
        const place = await lists?.files.placeOf(name)
        expect(place && (await contentAt(place)).toString()).toBe(content)
      }
    }
    await here.done('verify', here.at('plan'), ...password)
    await here.done('restore', ...volumes, '--to', here.at('restored'), ...password)
    expect(treeContents(here.at('restored'))).toEqual(treeContents(here.source))
  },
)

test('an added list that is damaged is named, and does not change what is restored', async () => {
  const [volume = ''] = await built(['--medium', 'folder:1MB'])
  appendFileSync(join(volume, OWN, NAME), 'more')
  for (const given of [here.at('plan'), volume]) {
    const { code, stdout, stderr } = await here.run('verify', given)
    expect({ code, text: stdout + stderr }).toEqual({ code: 6, text: expect.stringContaining(NAME) })
  }
  await here.run('restore', volume, '--to', here.at('restored'))
  expect(treeContents(here.at('restored'))).toEqual(treeContents(here.source))
})

test('an added list is found in an image without folders, and stays when files are left out', async () => {
  here.files(FILES)
  await planned(['--medium', 'custom:2MB'])
  appendFileSync(join(here.source, 'text'), 'changed')
  expect(await here.run('build', here.at('plan'), '--skip-changed')).toMatchObject({ code: 3 })
  const image = here.image('plan')
  const { isoFolders, udfFolders, pathTables, fileEntries } = partsOf(image)
  const damaged = here.at('damaged.iso')
  damagedCopy(image, damaged, [...isoFolders, ...udfFolders, ...pathTables, ...fileEntries], seededRandom(1))
  for (const path of [image, damaged]) {
    const lists = await volumeAt(path)
    const place = await lists?.files.placeOf(`${OWN}/${NAME}`)
    expect(place && (await contentAt(place)).toString()).toBe(contentFor(lists?.label ?? '', 1))
    expect([...(lists?.skipped.keys() ?? [])]).toEqual(['text'])
  }
  const { code, stderr } = await here.run('restore', damaged, '--to', here.at('restored'))
  expect(code).toBe(3)
  expect(stderr).toContain('cannot restore text: it was left out while building: changed')
})

const FILES = { 'photos/a': 90_000, 'photos/b': 70_000, text: 'words\n'.repeat(4000) }

function planned(plan: readonly string[]): Promise<unknown> {
  return here.done('plan', here.source, '--out', here.at('plan'), ...plan)
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The images or folders of a plan. */
async function built(plan: readonly string[], password: readonly string[] = []): Promise<string[]> {
  here.files(FILES)
  writeFileSync(here.at('password'), 'correct horse\n', { mode: 0o600 })
  await planned(plan)
  await here.done('build', here.at('plan'), ...password)
  return ['images', 'folders']
    .filter((kind) => readdirSync(here.at('plan')).includes(kind))
    .flatMap((kind) => readdirSync(here.at('plan', kind)).map((name) => here.at('plan', kind, name)))
}
