import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { pathsUsed } from '../../src/contract/callRule'
import { type Call, channelsOf } from '../../src/contract/defineSchema'
import { DROP_CHANNEL } from '../../src/contract/preloadPage'
import { rendererSchema } from '../../src/contract/rendererSchema'
import { ARGUMENT_LIMIT_BYTES } from '../../src/main/ipc/ipcGateway'
import { isOurPage } from '../../src/main/ipc/trustedPage'
import { answerPage, ORIGIN } from '../../src/main/pageAnswer'
import { pathPlaces, samplesOf } from '../support/callSamples'
import { OUR_PAGE, openDoor, type TestDoor } from '../support/door'

const TESTS = path.resolve(import.meta.dirname, '..')

const PHOTOS = { roots: ['/photos'] }
const WRITTEN = { directory: '/written', readOnly: false }
const ONLY_READ = { directory: '/only/read', readOnly: true }
const ANSWERS: Readonly<Record<string, unknown>> = {
  'survey.list': [PHOTOS],
  'survey.get': PHOTOS,
  'measure.list': [WRITTEN, ONLY_READ],
  'measure.get': WRITTEN,
  'bands.list': [{ directory: '/swept' }],
  'bands.get': { directory: '/swept' },
  'plan.list': [
    { ...PHOTOS, directory: '/exported/plan' },
    { ...PHOTOS, directory: null },
  ],
  'plan.get': PHOTOS,
  'run.get': { directory: '/exported/plan' },
}

let door: TestDoor

beforeEach(() => {
  door = openDoor((channel) => {
    if (channel === 'media.list') throw new TypeError('a bug')
    return ANSWERS[channel]
  })
})

it('opens exactly the calls of the schema and the one channel of drops', () => {
  const declared = channelsOf(rendererSchema).filter(({ entry }) => entry.kind === 'call')
  expect([...door.channels].toSorted()).toEqual(
    [...declared.map(({ channel }) => channel), DROP_CHANNEL].toSorted(),
  )
  expect(door.channels.includes('sample.make')).toBe(false)
  expect(door.channels.includes('job.progress')).toBe(false)
})

it('answers nobody but our own page, on any channel', async () => {
  for (const channel of door.channels) {
    expect(await door.knock('another page', channel, undefined)).toMatchObject({ error: { code: 'refused' } })
  }
  expect([door.reached, door.dropped]).toEqual([[], []])
})

it.each([
  ['survey.start', { paths: 'all' }],
  ['survey.start', { paths: [] }],
  ['survey.start', null],
  ['survey.get', { surveyId: '../../etc/passwd' }],
  ['survey.get', { surveyId: 'x'.repeat(65) }],
  ['plan.start', { surveyId: 's', mediumId: 'bd-r-25; rm -rf' }],
  ['plan.start', { surveyId: 's', mediumId: 'bd-r-25', labelPrefix: '$(id)' }],
  ['plan.labels', { directory: '/a', out: '/b', paper: 'a5' }],
  ['plan.labels', { directory: '/a', out: '/b', case: 'vhs' }],
  ['plan.labels', { directory: '/a', out: '/b', copy: 100 }],
  ['plan.labels', { directory: '/a', out: '/b', volumes: [0] }],
  ['plan.labels', { directory: '/a', out: '/b', font: '' }],
  ['app.saveSettings', { paper: 'a5' }],
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
  expect(await door.ask(channel, params)).toBe('bad-input')
  expect(door.reached).toEqual([])
})

it('hands on only what is declared: unknown members are dropped', async () => {
  await door.ask('survey.get', { surveyId: 's', __proto__: { polluted: 1 }, extra: 'x' })
  expect(door.reached).toEqual([['survey.get', { surveyId: 's' }]])
})

const NAMING_PATHS = channelsOf(rendererSchema).flatMap(({ channel, entry }): [string, Call][] =>
  entry.kind === 'call' && pathPlaces(entry.params).length > 0 ? [[channel, entry]] : [],
)

it.each(NAMING_PATHS)('refuses %s for each of its paths that nobody handed over', async (channel, call) => {
  for (const sample of samplesOf(call.params)) {
    const used = pathsUsed(call.rule, call.params.parse(sample))
    expect(used).not.toEqual([])
    for (const { use, path: missing } of used) {
      const { grants, reached, knock, ask } = openDoor()
      const refused = { ok: false, error: { code: 'refused', path: missing } }
      for (const { path: other } of used) {
        if (other !== missing) grants.allowAll({ read: [other], write: [other] })
      }
      // A password is overwritten in what was sent, so that every message needs its own copy.
      expect(await knock(OUR_PAGE, channel, structuredClone(sample))).toMatchObject(refused)
      if (use !== 'show') {
        grants.allow(use === 'write' ? 'read' : 'write', missing)
        expect(await knock(OUR_PAGE, channel, structuredClone(sample))).toMatchObject(refused)
      }
      expect(reached).toEqual([])
      grants.allow(use === 'show' ? 'read' : use, missing)
      expect(await ask(channel, structuredClone(sample))).toBe('ok')
    }
  }
})

it('refuses a call without a rule', async () => {
  const { rule: _none, ...unruled } = rendererSchema.plan.open
  const { grants, reached, ask } = openDoor(undefined, { plan: { open: unruled as unknown as Call } })
  grants.allow('write', '/photos')
  expect(await ask('plan.open', { directory: '/photos' })).toBe('refused')
  expect(reached).toEqual([])
})

it.each<[string, (target: string) => unknown]>([
  ['survey.start', (target) => ({ paths: ['/photos', target] })],
  ['plan.export', (directory) => ({ planId: 'p', directory })],
  ['options.build', (target) => ({ surveyId: 's', optionId: 'iso', path: target })],
  ['run.build', (directory) => ({ directory })],
  ['run.verify', (directory) => ({ directory })],
])('refuses %s on paths that nobody handed over', async (channel, paramsWith) => {
  door.grants.allow('read', '/photos')
  door.grants.allow('write', '/photos')
  for (const target of ['/etc', '/photos/../etc', '/photosynthesis', 'photos', '']) {
    expect(await door.ask(channel, paramsWith(target))).toMatch(/refused|bad-input/)
  }
  expect(door.reached).toEqual([])
  expect(await door.ask(channel, paramsWith('/photos'))).toBe('ok')
})

it('does not write into a folder that was handed over for reading only', async () => {
  door.grants.allow('read', '/photos')
  expect(await door.ask('plan.export', { planId: 'p', directory: '/photos' })).toBe('refused')
  expect(await door.ask('options.build', { surveyId: 's', optionId: 'iso', path: '/photos/a.iso' })).toBe(
    'refused',
  )
})

it.each<[string, unknown, read: string[], write: string[]]>([
  ['survey.list', undefined, ['/photos'], []],
  ['survey.get', { surveyId: 's' }, ['/photos'], []],
  ['measure.list', undefined, ['/written', '/only/read'], ['/written']],
  ['measure.get', { measurementId: 'm' }, ['/written'], ['/written']],
  ['bands.list', undefined, [], ['/swept']],
  ['bands.get', { sweepId: 'b' }, [], ['/swept']],
  ['plan.list', undefined, ['/photos', '/exported/plan'], ['/exported/plan']],
  ['plan.get', { planId: 'p' }, ['/photos'], []],
  ['run.get', { runId: 'r' }, [], ['/exported/plan']],
])(
  'allows what the catalog knows once %s has answered, and no more',
  async (channel, params, read, write) => {
    const known = ['/photos', '/written', '/only/read', '/swept', '/exported/plan']
    const allowed = async (permission: 'read' | 'write'): Promise<string[]> => {
      const answers = await Promise.all(known.map((each) => door.grants.isAllowed(permission, each)))
      return known.filter((_, index) => answers[index])
    }
    expect([await allowed('read'), await allowed('write')]).toEqual([[], []])
    expect(await door.ask(channel, params)).toBe('ok')
    expect([await allowed('read'), await allowed('write')]).toEqual([read, write])
  },
)

it('measures by writing only where a person let one write, and by reading there too', async () => {
  const measure = (directory: string, readOnly: boolean) =>
    door.ask('measure.start', { directory, spec: { kind: 'preset', preset: 'quick' }, readOnly })
  expect(await measure('/written', true)).toBe('refused')
  expect(await door.ask('measure.list')).toBe('ok')
  expect(await measure('/written', false)).toBe('ok')
  expect(await measure('/written', true)).toBe('ok')
  expect(await measure('/only/read', true)).toBe('ok')
  expect(await measure('/only/read', false)).toBe('refused')
})

it('refuses arguments that are too heavy before looking into them', async () => {
  const heavy = 'x'.repeat(ARGUMENT_LIMIT_BYTES / 2 + 1)
  expect(await door.ask('catalog.find', { pattern: heavy })).toBe('refused')
  expect(await door.ask('survey.start', { paths: Array.from({ length: 1e6 }, () => 'a') })).toBe('refused')
  expect(await door.ask('survey.start', new Uint8Array(ARGUMENT_LIMIT_BYTES))).toBe('refused')
  expect(await door.ask('app.saveText', { suggestedName: 'a', text: heavy })).not.toBe('refused')
})

it('refuses deep nesting and cycles without falling over', async () => {
  let deep: unknown = 'end'
  for (let level = 0; level < 200_000; level++) deep = [deep]
  expect(await door.ask('survey.start', deep)).toBe('bad-input')
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  expect(await door.ask('survey.start', cycle)).toBe('refused')
})

it('refuses more than one argument', async () => {
  expect(await door.ask('survey.get', { surveyId: 's' }, 'and more')).toBe('refused')
})

it.each([['not a list'], [[1, 2]], [Array.from({ length: 1001 }, () => '/a')], [undefined]])(
  'takes as a drop nothing but a list of paths (%#)',
  async (paths) => {
    expect(await door.ask(DROP_CHANNEL, paths)).toBe('bad-input')
    expect(door.dropped).toEqual([])
  },
)

it('gives a bug behind the door back as an answer, and reports it', async () => {
  expect(await door.ask('media.list', undefined)).toBe('internal')
  expect(door.bugs).toEqual(['media.list'])
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
