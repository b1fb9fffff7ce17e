import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type SurveyDocument, surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { stowageUnderWine, winePath } from '../support/wine'

const RACY_MS = 2100
const ARGUMENTS = ['--json', '--samples', 'none', '--sha256']

/** Content of many kinds, names beyond ASCII, two names for one file, and paths of more than 260 characters. */
function makeTree(folder: string): void {
  const random = seededRandom(47)
  const noise = (length: number): Buffer => {
    const bytes = Buffer.alloc(length)
    random.fillBytes(bytes)
    return bytes
  }
  const shared = noise(150_000)
  for (let at = 0; at < 12; at++) {
    const inside = join(folder, `folder ${at}`, 'Ämter €😀')
    mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, `letter ${at}.txt`), `line of ${at}\n`.repeat(5000 * at))
    writeFileSync(join(inside, `noise ${at}.bin`), noise(1000 + at * 7919))
    writeFileSync(join(inside, `copy ${at}.jpg`), shared)
    writeFileSync(join(inside, 'zeros.img'), Buffer.alloc(at * 100_000))
  }
  linkSync(
    join(folder, 'folder 0', 'Ämter €😀', 'copy 0.jpg'),
    join(folder, 'folder 0', 'Ämter €😀', 'copy X.jpg'),
  )
  const deep = join(folder, ...Array.from({ length: 7 }, (_, at) => `${at}`.repeat(60)))
  mkdirSync(deep, { recursive: true })
  writeFileSync(join(deep, 'treasure'), noise(5000))
}

function documentOf({ code, stdout, stderr }: CommandEnd): SurveyDocument {
  expect(code, stderr).toBe(0)
  return surveyDocumentSchema.parse(JSON.parse(stdout))
}

/** Without what names the run, its place and its time. */
function figuresOf(document: SurveyDocument): Partial<SurveyDocument> {
  const { id: _id, createdWallMs: _created, roots: _roots, timing: _timing, ...figures } = document
  return figures
}

describe('surveys on Windows', () => {
  it('have the figures of Linux, and read nothing twice', async () => {
    const folder = await temporaryFolder()
    const [source, home, hereHome] = ['source', 'home', 'here'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(source)
    makeTree(source)
    // What changed in the last two seconds before a survey is read again by the next one.
    await delay(RACY_MS)
    const there = documentOf(await stowageUnderWine(['survey', winePath(source), ...ARGUMENTS], { home }))
    const here = documentOf(await stowage(['survey', source, ...ARGUMENTS], { home: hereHome }))
    expect(there.totals.files).toBe(49)
    expect(figuresOf(there)).toEqual(figuresOf(here))
    expect(there.roots).toEqual([winePath(source).replaceAll('\\', '/')])

    writeFileSync(join(source, 'new.txt'), 'one file more')
    const again = documentOf(await stowageUnderWine(['survey', winePath(source), ...ARGUMENTS], { home }))
    expect(again.trusted).toMatchObject({ files: there.totals.files })
    expect(again.totals.bytes).toBe(there.totals.bytes + 13)
  })

  it('name the folder that is not there', async () => {
    const home = join(await temporaryFolder(), 'home')
    const { code, stderr } = await stowageUnderWine(['survey', 'Z:\\no such folder'], { home })
    expect(code).toBe(2)
    expect(stderr).toBe('stowage: cannot read Z:/no such folder: no such file or folder\n')
  })
})
