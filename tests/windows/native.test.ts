import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporaryFolder'
import { TESTS_PROGRAM } from '../support/windowsBuild'
import { underWine, winePath } from '../support/wine'

interface Outcome {
  readonly testsuites: readonly {
    readonly name: string
    readonly testsuite: readonly {
      readonly name: string
      readonly result: string
      readonly failures?: readonly { readonly failure: string }[]
      readonly skipped?: readonly { readonly message: string }[]
    }[]
  }[]
}

describe('the C++ core on Windows', () => {
  it('passes its tests', async () => {
    const report = join(await temporaryFolder(), 'report.json')
    const { code } = await underWine([TESTS_PROGRAM, `--gtest_output=json:${winePath(report)}`], {})
    const { testsuites } = JSON.parse(readFileSync(report, 'utf8')) as Outcome
    const tests = testsuites.flatMap(({ name, testsuite }) =>
      testsuite.map((test) => ({ ...test, name: `${name}.${test.name}` })),
    )
    const failed = tests.flatMap(({ name, failures = [] }) =>
      failures.map(({ failure }) => `${name}: ${failure}`),
    )
    expect(failed).toEqual([])
    expect(code).toBe(0)
    expect(tests.filter(({ result }) => result === 'COMPLETED').length).toBeGreaterThan(150)
    for (const { name, result, skipped = [] } of tests)
      if (result === 'SKIPPED')
        process.stdout.write(`skipped ${name}: ${skipped[0]?.message ?? 'no reason'}\n`)
  })
})
