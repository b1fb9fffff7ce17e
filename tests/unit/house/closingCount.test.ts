import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tallyOfJunit } from '../../../scripts/testing/junit.mjs'
import { LONG_TAG, WITHOUT_LONG } from '../../../scripts/testing/longTests.mjs'
import { runVitest } from '../../../scripts/testing/runs.mjs'
import { addTallies, closingLine, oneFailed, onePassed, type Tally } from '../../../scripts/testing/tally.mjs'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stowage-count-'))
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The count that the real runner comes to over one file with this content. */
async function countOf(name: string, content: string, argv: string[] = [], limitMs = 60_000): Promise<Tally> {
  await writeFile(
    join(folder, `${name}.test.ts`),
    `import { beforeAll, describe, it } from 'vitest'\n${content}\n`,
  )
  const outcome = await runVitest({ argv: [`${name}.test.ts`, ...argv], root: folder, limitMs })
  return outcome.tally
}

const report = (cases: string) => `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="4" failures="2" disabled="0" skipped="1">
${cases}
</testsuite>
`

const numbers = ({ passed, failed, skipped }: Tally) => ({ passed, failed, skipped })

describe('the count over TypeScript tests', () => {
  it('counts passed and failed tests one by one and names the failed', async () => {
    const tally = await countOf(
      'mixed',
      `it('holds', () => {})
       describe('a group', () => { it('holds too', () => {}); it('breaks', () => { throw new Error('broken') }) })`,
    )
    expect(numbers(tally)).toEqual({ passed: 2, failed: 1, skipped: 0 })
    expect(tally.failures).toEqual(['mixed.test.ts > a group > breaks: broken'])
  })

  it('counts a skipped test only when it says why, else as failed', async () => {
    const tally = await countOf(
      'skips',
      `it('needs a drive', (context) => context.skip('no drive here'))
       it.skip('was forgotten', () => {})`,
    )
    expect(numbers(tally)).toEqual({ passed: 0, failed: 1, skipped: 1 })
    expect(tally.skips).toEqual([{ name: 'skips.test.ts > needs a drive', reason: 'no drive here' }])
    expect(tally.failures).toEqual(['skips.test.ts > was forgotten: skipped without a reason'])
  })

  it('counts tests tagged long by themselves where they are left out', async () => {
    await writeFile(
      join(folder, 'vitest.config.mjs'),
      `export default { test: { tags: [{ name: '${LONG_TAG}' }] } }`,
    )
    const content = `it('is quick', () => {})
       describe('a matrix', { tags: 'long' }, () => { it.each([1, 2])('%i', () => {}) })`
    expect(await countOf('long', content)).toMatchObject({ passed: 3, failed: 0, leftOut: 0 })
    expect(await countOf('long', content, WITHOUT_LONG)).toMatchObject({ passed: 1, failed: 0, leftOut: 2 })
  })

  it('counts a file that does not load as failed', async () => {
    const tally = await countOf('unloadable', `import './nowhere'\nit('is never reached', () => {})`)
    expect(numbers(tally)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('counts an error outside of any test as failed', { tags: 'long' }, async () => {
    const tally = await countOf(
      'unhandled',
      `it('holds', async () => { void Promise.reject(new Error('lost')); await new Promise((done) => setImmediate(done)) })`,
    )
    expect(numbers(tally)).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(tally.failures).toEqual(['outside of any test: lost'])
  })

  it('counts a hook that throws as failed', { tags: 'long' }, async () => {
    const tally = await countOf(
      'hook',
      `beforeAll(() => { throw new Error('no luck') })\nit('waits', () => {})`,
    )
    expect(tally.passed).toBe(0)
    expect(tally.failed).toBeGreaterThan(0)
  })

  it('counts a test process that dies as failed', async () => {
    const tally = await countOf('dies', `it('dies', () => { process.kill(process.pid, 'SIGKILL') })`)
    expect(tally.passed).toBe(0)
    expect(tally.failed).toBeGreaterThan(0)
  })

  it('counts a run that is killed before it could report as failed', { tags: 'long' }, async () => {
    const tally = await countOf('hangs', `it('hangs', () => { for (;;); })`, [], 4000)
    expect(tally.failures).toEqual(['the test runner left no report (killed after 4 s)'])
    expect(numbers(tally)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('the count over C++ tests', () => {
  it('counts the cases of a CTest report and gives reasons for skips', () => {
    const tally = tallyOfJunit(
      report(`<testcase name="Hash.Empty" classname="Hash.Empty" time="0.01" status="run">
		<system-out>[       OK ] Hash.Empty (0 ms)</system-out>
	</testcase>
	<testcase name="Hash.Wrong" classname="Hash.Wrong" time="0.01" status="fail">
		<failure message=""/>
		<system-out>native/tests/hash.cc:12: Failure
Expected equality</system-out>
	</testcase>
	<testcase name="Walk.AsOther" classname="Walk.AsOther" time="0.01" status="notrun">
		<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
		<system-out>[ RUN      ] Walk.AsOther
native/tests/walk.cc:9: Skipped
needs another user

[  SKIPPED ] Walk.AsOther (0 ms)</system-out>
	</testcase>
	<testcase name="Walk.Crash" classname="Walk.Crash" time="0.01" status="fail">
		<failure message="SEGFAULT"/>
		<system-out></system-out>
	</testcase>`),
    )
    expect(tally).toEqual({
      passed: 1,
      failed: 2,
      skipped: 1,
      leftOut: 0,
      failures: ['Hash.Wrong: native/tests/hash.cc:12: Failure', 'Walk.Crash: SEGFAULT'],
      skips: [{ name: 'Walk.AsOther', reason: 'needs another user' }],
      slowest: [],
    })
  })

  it('counts a case that did not run, without a reason, as failed', () => {
    const tally = tallyOfJunit(
      report(
        `<testcase name="A.Gone" classname="A.Gone" time="0" status="notrun"><skipped message="Unable to find executable"/></testcase>`,
      ),
    )
    expect(numbers(tally)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('counts nothing in a report without cases', () => {
    const empty =
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="(empty)" tests="0"\n\thostname="h"/>\n'
    expect(numbers(tallyOfJunit(empty))).toEqual({ passed: 0, failed: 0, skipped: 0 })
  })

  it('refuses a report that was cut off', () => {
    expect(() => tallyOfJunit(report('').slice(0, -14))).toThrow('not a whole JUnit report')
  })
})

describe('the closing line', () => {
  it('sums over all parts and names skips only when there are any', () => {
    const sum = addTallies([onePassed(), oneFailed('x'), onePassed()])
    expect(closingLine(sum)).toBe('2 passed, 1 failed')
    expect(closingLine({ ...sum, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped')
  })
})
