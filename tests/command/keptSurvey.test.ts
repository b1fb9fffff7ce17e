import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptDocumentSchema, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
let source: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stowage-kept-')))
  source = join(folder, 'source')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: join(folder, 'home') })

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  expect(code, `${args.join(' ')}: ${stderr}`).toBe(0)
  return stdout
}

/** Lines with single spaces, as the width of columns does not matter. */
function words(text: string): string {
  return text.replaceAll(/ +/g, ' ')
}

test('a later survey shows what is on verified volumes and which folders are copies', async () => {
  const random = seededRandom(3)
  const content = Buffer.alloc(200_000)
  for (const name of ['photos/1.jpg', 'photos/2.jpg', 'letters/a.txt', 'read me']) {
    random.fillBytes(content)
    mkdirSync(join(source, name, '..'), { recursive: true })
    writeFileSync(join(source, name), content)
  }
  const plan = join(folder, 'plan')
  await done('plan', source, '--medium', 'custom:1250kB', '--out', plan)
  await done('build', plan)
  expect(await done('survey', source, '--quick', '--sha256')).not.toContain('Already kept')
  await done('verify', plan)

  cpSync(join(source, 'photos'), join(source, 'copied photos'), { recursive: true })
  random.fillBytes(content)
  writeFileSync(join(source, 'letters', 'new.txt'), content)
  const summary = await done('survey', source, '--quick', '--sha256')
  const line = 'Already kept: 6 files, 1.20 MB of 1.40 MB on verified volumes SOURCE_01 and SOURCE_02.'
  expect(words(summary)).toContain(` ${line}\n`)
  const printed = JSON.parse(await done('survey', source, '--samples', 'none', '--json'))
  const survey = surveyDocumentSchema.parse(printed)
  expect(survey).toMatchObject({ totals: { files: 7 } })
  const table = words(await done('survey', '--survey', survey.id, '--table', 'kept', '--table', 'copies'))
  expect(table).toContain(`${line}\n`)
  for (const row of [
    `1.20 MB 1.40 MB 85.7 % 6 of 7 ${source}`,
    `400 kB 400 kB all 2 of 2 ${join(source, 'photos')}`,
    `400 kB 400 kB all 2 of 2 ${join(source, 'copied photos')}`,
    `200 kB 400 kB 50.0 % 1 of 2 ${join(source, 'letters')}`,
    `400 kB 2 ${join(source, 'photos')} ${join(source, 'copied photos')}`,
  ])
    expect(table.split('\n').map((each) => each.trim())).toContain(row)
  expect(table.match(/^SOURCE_0\d /gm)).toHaveLength(2)
  const same = words(await done('survey', '--survey', survey.id, '--table', 'duplicates'))
  expect(
    same
      .split('\n')
      .map((each) => each.trim())
      .filter((each) => each.startsWith('200 kB')),
  ).toHaveLength(2)

  expect(printed).not.toHaveProperty('kept')
  for (const name of ['kept', 'copies']) {
    const { kept, ...document } = JSON.parse(
      await done('survey', '--survey', survey.id, '--json', '--table', name),
    )
    expect(surveyDocumentSchema.parse(document)).toEqual(survey)
    expect(keptDocumentSchema.parse(kept)).toMatchObject({
      surveyId: survey.id,
      totals: { byDigest: { files: 6, bytes: 1_200_000 } },
      copies: [{ path: join(source, 'photos'), copyOf: join(source, 'copied photos'), files: 2 }],
    })
    expect(kept.folders).toHaveLength(4)
  }
})
