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
    }[]
  }[]
}

describe('the C++ core on Windows', () => {
  it('passes its tests', async () => {
    const report = join(await temporaryFolder(), 'report.json')
    const { code, stdout } = await underWine([TESTS_PROGRAM, `--gtest_output=json:${winePath(report)}`], {})
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
    const lines = stdout.split(/\r?\n/)
    for (const { name, result } of tests)
      if (result === 'SKIPPED') {
        // The line with the place comes first, then the reason.
        const why = lines[lines.findIndex((line) => line.startsWith('[ RUN') && line.includes(name)) + 2]
        expect(why, name).toBeTruthy()
        process.stdout.write(`skipped ${name}: ${why}\n`)
      }
  })
})
