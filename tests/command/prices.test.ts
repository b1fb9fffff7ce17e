import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'

let folder: string
let source: string

/** Five files on three images of 7 MB. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-prices-'))
  source = join(folder, 'photos')
  mkdirSync(source)
  const random = seededRandom(5)
  for (let file = 0; file < 5; file++) {
    const content = new Uint8Array(2_000_000)
    random.fillBytes(content)
    writeFileSync(join(source, `f${file}.bin`), content)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (home: string, ...args: string[]): Promise<CommandEnd> =>
  stowage(args, { home: join(folder, home) })
const words = (text: string): string => text.replaceAll(/\s+/g, ' ')

it('a price is noted with the day, listed, and removed', async () => {
  const noted = await run('media', 'media', '--price', 'bd-r-25=0.85EUR', '--price', 'dvd+r=0.3 USD')
  expect(noted.code, noted.stderr).toBe(0)
  const settings = join(folder, 'media', 'settings.yaml')
  expect(readFileSync(settings, 'utf8')).toMatch(/- bd-r-25=0.85 EUR \d{4}-\d\d-\d\d\n\s+- dvd\+r=0.3 USD/)
  expect(noted.stdout).toMatch(/^bd-r-25 .* 0\.85 EUR {2}\d{4}-\d\d-\d\d {2}BD-R 25 GB$/m)
  expect(noted.stdout).toMatch(/^bd-r-25:spare-none .* 0\.85 EUR/m)
  const { prices } = JSON.parse((await run('media', 'media', '--json')).stdout)
  expect(prices[0]).toMatchObject({ mediumId: 'bd-r-25', amount: 0.85, currency: 'EUR' })
  await run('media', 'media', '--price', 'bd-r-25=none')
  expect(readFileSync(settings, 'utf8')).not.toContain('bd-r-25')
})

it.each([
  ['bd-r-99=1EUR', /no medium "bd-r-99"/],
  ['bd-r-25=cheap', /a price is written bd-r-25=0\.85EUR/],
])('a price such as %s is refused with the reason', async (price, reason) => {
  const end = await run('refused', 'media', '--price', price)
  expect([end.code, end.stderr]).toEqual([2, expect.stringMatching(reason)])
})

it('plans, reports and options show the cost of all copies, with parity discs', async () => {
  const { code, stderr } = await run('cost', 'media', '--price', 'custom:7MB=1.15EUR')
  expect(code, stderr).toBe(0)
  const plan = join(folder, 'plan')
  const asked = ['--medium', 'custom:7MB', '--protect-set', '1', '--copies', '2', '--out', plan]
  const made = await run('cost', 'plan', source, ...asked)
  expect(made.code, made.stderr).toBe(0)
  const sentence =
    /Cost: 9\.20 EUR for 2 copies of 4 × Image of 7 MB at 1\.15 EUR \(given on \d{4}-\d\d-\d\d\)\./
  expect(words(made.stdout)).toMatch(sentence)
  expect(words(readFileSync(join(plan, 'report.html'), 'utf8'))).toMatch(sentence)
  const document = JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8'))
  expect(document.prices).toHaveLength(1)
  const options = await run('cost', 'options', source, '--samples', 'none', '--medium', 'custom:7MB')
  expect(words(options.stdout)).toContain('Cost: of one copy, at 1.15 EUR for custom:7MB')
  expect(options.stdout).toMatch(/ discs +cost +to make/)
})

it('a plan on media without a price has no cost', async () => {
  const { code } = await run('other', 'media', '--price', 'bd-r-25=1EUR')
  const plan = join(folder, 'other-plan')
  const made = await run('other', 'plan', source, '--medium', 'custom:7MB', '--out', plan)
  expect([code, made.code]).toEqual([0, 0])
  expect(made.stdout).not.toContain('Cost')
  expect(JSON.parse(readFileSync(join(plan, 'plan.json'), 'utf8'))).not.toHaveProperty('prices')
})
