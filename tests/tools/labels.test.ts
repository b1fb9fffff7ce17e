import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { missingReader } from '../support/discReaders'

let folder: string
let source: string
let plan: string
let document: PlanDocument
const FOLDERS = ['2003 Ísland', '2011 Straßenfest', '𝒜lbum', '2020 Москва', 'a<b>&c']

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-labels-'))
  source = join(folder, 'Photos')
  const random = seededRandom(11)
  for (const name of FOLDERS) {
    mkdirSync(join(source, name), { recursive: true })
    for (const file of ['a.jpg', 'b.jpg']) {
      const content = new Uint8Array(700_000)
      random.fillBytes(content)
      writeFileSync(join(source, name, file), content)
    }
  }
  plan = join(folder, 'plan')
  const asked = ['--medium', 'custom:5MB', '--protect', 'fill', '--protect-set', '1']
  await done('plan', source, ...asked, '--out', plan)
  document = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: join(folder, 'home') })

async function done(...args: string[]): Promise<CommandEnd> {
  const end = await run(...args)
  expect(end.code, end.stderr).toBe(0)
  return end
}

/** The text of the code in a picture. */
function codeIn(png: string): string {
  return execFileSync('zbarimg', ['-q', '--raw', png], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}

describe('stowage labels', () => {
  it('makes a PDF, and a drawing of each face and sheet; again the same bytes', async () => {
    const [first, second] = [join(folder, 'first'), join(folder, 'second')]
    const { stdout } = await done('labels', plan, '--out', first)
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /labels\.pdf with the labels of \d+ discs, and \d+ drawings/,
    )
    await done('labels', document.id, '--out', second)
    const names = readdirSync(first).toSorted()
    const discs = document.volumes.length + 1
    expect(names).toHaveLength(3 * discs + 1)
    expect(names).toContain('PHOTOS_P-disc.svg')
    for (const name of names)
      expect(readFileSync(join(first, name)).equals(readFileSync(join(second, name))), name).toBe(true)
  })

  it.skipIf(missingReader('rsvg-convert', 'zbarimg'))('has codes that another program reads', async () => {
    const out = join(folder, 'codes')
    await done('labels', plan, '--out', out, '--copy', '2', '--volume', '2')
    expect(readdirSync(out).toSorted()).toEqual([
      'PHOTOS_02-case.svg',
      'PHOTOS_02-disc.svg',
      'PHOTOS_02-tray.svg',
      'labels.pdf',
    ])
    const setId = document.lists?.find(({ path }) => path === 'index.tsv')?.sha256
    for (const drawing of ['PHOTOS_02-disc.svg', 'PHOTOS_02-case.svg']) {
      const png = join(out, `${drawing}.png`)
      const shown = ['-d', '200', '-p', '200', '--background-color=white', join(out, drawing), '-o', png]
      execFileSync('rsvg-convert', shown)
      expect(codeIn(png).split('\n')).toEqual([
        'Stowage PHOTOS_02',
        `volume 2 of ${document.volumes.length}`,
        `plan ${document.id}`,
        `set ${setId?.slice(0, 16)}`,
        'copy 2',
      ])
    }
  })

  it.skipIf(missingReader('pdftotext', 'pdftoppm', 'zbarimg'))(
    'has a PDF with searchable text, codes, and pages of the paper',
    async () => {
      const out = join(folder, 'pdf')
      await done('labels', plan, '--out', out, '--paper', 'letter', '--case', 'bd')
      const pdf = join(out, 'labels.pdf')
      const text = execFileSync('pdftotext', ['-layout', pdf, '-'], { encoding: 'utf8' })
      for (const name of ['2003 Ísland', '2011 Straßenfest', '2020 Москва', 'a<b>&c', 'Parity disc P'])
        expect(text).toContain(name)
      for (const { label } of document.volumes) expect(text).toContain(label)
      const info = execFileSync('pdfinfo', ['-l', '99', pdf], { encoding: 'utf8' })
      const sizes = [...info.matchAll(/Page +\d+ size: +([\d.]+) x ([\d.]+) pts/g)]
      expect(sizes).toHaveLength(2 * (document.volumes.length + 1))
      expect(sizes.map(([, width, height]) => `${width} ${height}`)).toContain('792 612')
      const fonts = execFileSync('pdffonts', [pdf], { encoding: 'utf8' }).trim().split('\n').slice(2)
      // Each is embedded, as a subset, with its letters.
      for (const font of fonts) expect(font).toMatch(/ yes +yes +yes +\d+ +\d+$/)
      execFileSync('pdftoppm', ['-r', '200', '-f', '1', '-l', '1', '-png', pdf, join(out, 'page')])
      const page = readdirSync(out).find((name) => name.startsWith('page')) ?? ''
      expect(codeIn(join(out, page))).toContain('Stowage PHOTOS_01\nvolume 1 of ')
    },
  )

  it.skipIf(missingReader('pdfinfo'))(
    'uses the paper of the settings where none is given',
    { tags: 'long' },
    async () => {
      const paperOf = async (...more: string[]): Promise<string | undefined> => {
        const out = mkdtempSync(join(folder, 'paper-'))
        await done('labels', plan, '--out', out, '--volume', '1', ...more)
        const info = execFileSync('pdfinfo', [join(out, 'labels.pdf')], { encoding: 'utf8' })
        return /Page size: +(\S+ x \S+)/.exec(info)?.[1]
      }
      const [a4, letter] = [await paperOf(), await paperOf('--paper', 'letter')]
      expect(letter).not.toBe(a4)
      await done('config', 'set', 'paper', 'letter')
      expect([await paperOf(), await paperOf('--paper', 'a4')]).toEqual([letter, a4])
      await done('config', 'unset', 'paper')
      const wrong = await run('labels', plan, '--out', join(folder, 'no'), '--paper', 'a5')
      expect([wrong.code, wrong.stderr]).toEqual([2, 'stowage: --paper takes a4 or letter, not "a5"\n'])
    },
  )

  it('says which names its font cannot write, and takes another font for them', {
    tags: 'long',
  }, async () => {
    const out = join(folder, 'fonts')
    const { stderr } = await done('labels', plan, '--out', out)
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('1 name with letters as codes, such as 𝒜lbum')
    const drawings = readdirSync(out).filter((name) => name.endsWith('.svg'))
    const svg = drawings.map((name) => readFileSync(join(out, name), 'utf8')).join('')
    expect(svg).toContain('𝒜lbum')
    expect(svg).toContain('a&lt;b&gt;&amp;c')
    const mathematical = 'node_modules/dejavu-fonts-ttf/ttf/DejaVuMathTeXGyre.ttf'
    const given = await done('labels', plan, '--out', join(folder, 'given'), '--font', mathematical)
    expect(given.stderr).not.toContain('as codes')
    const font = join(folder, 'no-font.ttf')
    writeFileSync(font, 'no font')
    const wrong = await run('labels', plan, '--out', join(folder, 'no'), '--font', font)
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('is not a TrueType or OpenType font'),
    ])
  })

  it('replaces labels only when asked to', { tags: 'long' }, async () => {
    const out = join(folder, 'again')
    await done('labels', plan, '--out', out)
    const end = await run('labels', plan, '--out', out)
    expect([end.code, end.stderr]).toEqual([
      2,
      expect.stringContaining('is already there (--force replaces it)'),
    ])
    await done('labels', plan, '--out', out, '--force', '--copy', '3')
    expect(readFileSync(join(out, 'PHOTOS_01-disc.svg'), 'utf8')).toContain('copy 3')
  })

  it('refuses folders', async () => {
    const folders = join(folder, 'folders')
    await done('plan', source, '--medium', 'folder:5MB', '--out', folders)
    const end = await run('labels', folders, '--out', join(folder, 'none'))
    expect([end.code, end.stderr]).toEqual([7, expect.stringContaining('its volumes are folders')])
    expect(readdirSync(folder)).not.toContain('none')
  })

  it('of an encrypted plan do not say what is on the discs', { tags: 'long' }, async () => {
    const secret = join(folder, 'secret')
    const asked = ['--option', '7z-files', '--encrypt', '256', '--medium', 'custom:9MB']
    await done('plan', source, ...asked, '--out', secret)
    const out = join(folder, 'secret-labels')
    await done('labels', secret, '--out', out)
    const svg = readdirSync(out)
      .filter((name) => name.endsWith('.svg'))
      .map((name) => readFileSync(join(out, name), 'utf8'))
      .join('')
    for (const name of FOLDERS.slice(0, 4)) expect(svg).not.toContain(name)
    expect(svg).not.toMatch(/>Photos/)
    expect(svg).toContain('Encrypted (AES-256)')
  })
})
