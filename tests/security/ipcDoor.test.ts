import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { channelsOf } from '../../src/contract/defineSchema'
import { DROP_CHANNEL } from '../../src/contract/preloadPage'
import { rendererSchema } from '../../src/contract/rendererSchema'
import { forwardToEngine } from '../../src/main/engineCalls'
import { Grants } from '../../src/main/grants'
import { ARGUMENT_LIMIT_BYTES, openGateway } from '../../src/main/ipcGateway'
import { answerPage, ORIGIN } from '../../src/main/pageAnswer'
import { isOurPage } from '../../src/main/trustedPage'
import { fail, ok, type Result } from '../../src/primitives/result'

const TESTS = path.resolve(import.meta.dirname, '..')

type Listener = (event: string, ...args: unknown[]) => Promise<unknown>

let listeners: Map<string, Listener>
let reached: [string, unknown][]
let dropped: (readonly string[])[]
let bugs: string[]
let grants: Grants

beforeEach(() => {
  listeners = new Map()
  reached = []
  dropped = []
  bugs = []
  grants = new Grants()
  const answers: Readonly<Record<string, unknown>> = {
    'measure.list': [
      { directory: '/written', readOnly: false },
      { directory: '/only/read', readOnly: true },
    ],
    'plan.list': [{ roots: ['/photos'], directory: '/exported/plan' }],
  }
  openGateway<string>({
    door: { handle: (channel, listener) => void listeners.set(channel, listener) },
    schema: rendererSchema,
    isTrusted: (sender) => sender === 'our page',
    async answer(channel, params) {
      try {
        return await forwardToEngine(channel, params, grants, async (asked, given) => {
          reached.push([asked, given])
          if (asked === 'media.list') throw new TypeError('a bug')
          return ok(answers[asked])
        })
      } catch (error) {
        return fail(error)
      }
    },
    takeDropped: async (paths) => void dropped.push(paths),
    onBug: (where) => void bugs.push(where),
  })
})

/** The code of the failure that a message to the door gets, or `ok`. */
async function knock(sender: string, channel: string, ...args: unknown[]): Promise<string> {
  const listener = listeners.get(channel)
  if (!listener) return 'no such channel'
  const result = (await listener(sender, ...args)) as Result<unknown>
  return result.ok ? 'ok' : result.error.code
}

it('opens exactly the calls of the schema and the one channel of drops', () => {
  const declared = channelsOf(rendererSchema).filter(({ entry }) => entry.kind === 'call')
  expect([...listeners.keys()].toSorted()).toEqual(
    [...declared.map(({ channel }) => channel), DROP_CHANNEL].toSorted(),
  )
  expect(listeners.has('sample.make')).toBe(false)
  expect(listeners.has('job.progress')).toBe(false)
})

it('answers nobody but our own page, on any channel', async () => {
  for (const channel of listeners.keys()) {
    expect(await knock('another page', channel, undefined)).toBe('refused')
  }
  expect([reached, dropped]).toEqual([[], []])
})

it.each([
  ['survey.start', { paths: 'all' }],
  ['survey.start', { paths: [] }],
  ['survey.start', null],
  ['survey.get', { surveyId: '../../etc/passwd' }],
  ['survey.get', { surveyId: 'x'.repeat(65) }],
  ['plan.start', { surveyId: 's', mediumId: 'bd-r-25; rm -rf' }],
  ['plan.start', { surveyId: 's', mediumId: 'bd-r-25', labelPrefix: '$(id)' }],
  ['options.list', { surveyId: 's', mediumIds: ['bd-r-25; rm -rf'] }],
  ['options.list', { surveyId: 's', limits: { ramBytes: -1 } }],
  ['options.build', { surveyId: 's', optionId: 'iso', path: '' }],
  ['options.built', { buildId: '../x' }],
  ['catalog.find', { pattern: 'a', limit: 1e9 }],
  ['catalog.find', { pattern: 'a', limit: 1.5 }],
  ['job.list', { anything: 1 }],
  ['app.saveSettings', { theme: 'neon' }],
  ['app.chooseSources', { kind: 'devices' }],
])('refuses %s with parameters that do not fit: %j', async (channel, params) => {
  expect(await knock('our page', channel, params)).toBe('bad-input')
  expect(reached).toEqual([])
})

it('hands on only what is declared: unknown members are dropped', async () => {
  await knock('our page', 'survey.get', { surveyId: 's', __proto__: { polluted: 1 }, extra: 'x' })
  expect(reached).toEqual([['survey.get', { surveyId: 's' }]])
})

it.each<[string, (target: string) => unknown]>([
  ['survey.start', (target) => ({ paths: ['/photos', target] })],
  ['plan.export', (directory) => ({ planId: 'p', directory })],
  ['options.build', (target) => ({ surveyId: 's', optionId: 'iso', path: target })],
  ['run.build', (directory) => ({ directory })],
  ['run.verify', (directory) => ({ directory })],
])('refuses %s on paths that nobody handed over', async (channel, paramsWith) => {
  grants.allow('read', '/photos')
  grants.allow('write', '/photos')
  for (const target of ['/etc', '/photos/../etc', '/photosynthesis', 'photos', '']) {
    expect(await knock('our page', channel, paramsWith(target))).toMatch(/refused|bad-input/)
  }
  expect(reached).toEqual([])
  expect(await knock('our page', channel, paramsWith('/photos'))).toBe('ok')
})

it('does not write into a folder that was handed over for reading only', async () => {
  grants.allow('read', '/photos')
  expect(await knock('our page', 'plan.export', { planId: 'p', directory: '/photos' })).toBe('refused')
  expect(
    await knock('our page', 'options.build', { surveyId: 's', optionId: 'iso', path: '/photos/a.iso' }),
  ).toBe('refused')
})

it('allows what the catalog knows, once the catalog has said so', async () => {
  expect(await knock('our page', 'run.build', { directory: '/exported/plan' })).toBe('refused')
  await knock('our page', 'plan.list', undefined)
  expect(await knock('our page', 'run.build', { directory: '/exported/plan' })).toBe('ok')
  expect(await knock('our page', 'survey.start', { paths: ['/photos'] })).toBe('ok')
})

it('measures by writing only where a person let one write, and by reading there too', async () => {
  const measure = (directory: string, readOnly: boolean) =>
    knock('our page', 'measure.start', { directory, spec: { kind: 'preset', preset: 'quick' }, readOnly })
  expect(await measure('/written', true)).toBe('refused')
  expect(await knock('our page', 'measure.list')).toBe('ok')
  expect(await measure('/written', false)).toBe('ok')
  expect(await measure('/written', true)).toBe('ok')
  expect(await measure('/only/read', true)).toBe('ok')
  expect(await measure('/only/read', false)).toBe('refused')
})

it('refuses arguments that are too heavy before looking into them', async () => {
  const heavy = 'x'.repeat(ARGUMENT_LIMIT_BYTES / 2 + 1)
  expect(await knock('our page', 'catalog.find', { pattern: heavy })).toBe('refused')
  expect(await knock('our page', 'survey.start', { paths: Array.from({ length: 1e6 }, () => 'a') })).toBe(
    'refused',
  )
  expect(await knock('our page', 'survey.start', new Uint8Array(ARGUMENT_LIMIT_BYTES))).toBe('refused')
  expect(await knock('our page', 'app.saveText', { suggestedName: 'a', text: heavy })).not.toBe('refused')
})

it('refuses deep nesting and cycles without falling over', async () => {
  let deep: unknown = 'end'
  for (let level = 0; level < 200_000; level++) deep = [deep]
  expect(await knock('our page', 'survey.start', deep)).toBe('bad-input')
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  expect(await knock('our page', 'survey.start', cycle)).toBe('refused')
})

it('refuses more than one argument', async () => {
  expect(await knock('our page', 'survey.get', { surveyId: 's' }, 'and more')).toBe('refused')
})

it.each([['not a list'], [[1, 2]], [Array.from({ length: 1001 }, () => '/a')], [undefined]])(
  'takes as a drop nothing but a list of paths (%#)',
  async (paths) => {
    expect(await knock('our page', DROP_CHANNEL, paths)).toBe('bad-input')
    expect(dropped).toEqual([])
  },
)

it('gives a bug behind the door back as an answer, and reports it', async () => {
  expect(await knock('our page', 'media.list', undefined)).toBe('internal')
  expect(bugs).toEqual(['media.list'])
})

it('trusts the main frame of our window on our page, and no other frame, page or window', () => {
  const frame = { processId: 4, routingId: 2, url: `${ORIGIN}/index.html` }
  const contents = { mainFrame: frame }
  const window = { webContents: contents, isDestroyed: () => false }
  const trusts = (senderFrame: typeof frame | null, sender = contents): boolean =>
    isOurPage(window, { sender, senderFrame })
  expect(trusts(frame)).toBe(true)
  expect(trusts({ ...frame, routingId: 3 })).toBe(false)
  expect(trusts({ ...frame, processId: 5 })).toBe(false)
  expect(trusts({ ...frame, url: 'https://example.com/' })).toBe(false)
  expect(trusts({ ...frame, url: `${ORIGIN}.example.com/` })).toBe(false)
  expect(trusts(null)).toBe(false)
  expect(trusts(frame, { mainFrame: frame })).toBe(false)
  expect(isOurPage(null, { sender: contents, senderFrame: frame })).toBe(false)
  expect(isOurPage({ ...window, isDestroyed: () => true }, { sender: contents, senderFrame: frame })).toBe(
    false,
  )
})

it('serves a file of its folder', async () => {
  const answer = await answerPage(TESTS, `${ORIGIN}/tsconfig.json`)
  expect([answer.status, answer.headers['Content-Type']]).toEqual([200, 'application/json; charset=utf-8'])
})

// All but the last four name, in one way or another, a file that exists beside the folder.
it.each([
  `${ORIGIN}/../package.json`,
  `${ORIGIN}/%2e%2e/package.json`,
  `${ORIGIN}/..%2fpackage.json`,
  `${ORIGIN}/security/..%2f..%2fpackage.json`,
  `${ORIGIN}/%5c..%5cpackage.json`,
  `${ORIGIN}/${encodeURIComponent(path.join(TESTS, '../package.json'))}`,
  `${ORIGIN}/tsconfig.json%00.js`,
  `${ORIGIN}/%E0%A4%A.js`,
  'stowage://elsewhere/tsconfig.json',
  'not a url',
])('serves nothing for %s', async (url) => {
  const answer = await answerPage(TESTS, url)
  expect([answer.status, answer.body.toString()]).toEqual([404, 'not found'])
})
