import { writeFileSync } from 'node:fs'
import { LONG_ALONE, LONG_TAG, WITHOUT_LONG } from './longTests.mjs'
import { emptyTally, slowestOf } from './tally.mjs'

/** The environment variable that names the file in which a Vitest run leaves its count. */
export const REPORT_VARIABLE = 'STOWAGE_TEST_REPORT'

/**
 * A Vitest reporter that counts every test, and everything else that went wrong, into the file named by STOWAGE_TEST_REPORT.
 * A file that does not load, a hook that throws, an error outside of any test and a run cut short count as failures;
 * so does a skipped test that does not say why (`context.skip('reason')`). Tests that the options leave out are counted by themselves.
 */
export default class CountingReporter {
  /** True for tests that the options leave out. */
  #isLeftOut = () => false

  onInit({ config: { tagsFilter = [] } }) {
    if (tagsFilter.includes(WITHOUT_LONG[1])) this.#isLeftOut = isLong
    else if (tagsFilter.includes(LONG_ALONE[1])) this.#isLeftOut = (test) => !isLong(test)
  }

  onTestRunEnd(modules, unhandledErrors, reason) {
    const tally = emptyTally()
    const fail = (line) => {
      tally.failed++
      tally.failures.push(line)
    }
    const files = modules.map((module) => ({
      name: module.relativeModuleId,
      ms: module.diagnostic().duration,
    }))
    tally.slowest = slowestOf(files)
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (this.#isLeftOut(test)) tally.leftOut++
        else countTest(test, module, tally, fail)
      }
      for (const error of module.errors()) fail(`${module.relativeModuleId}: ${firstLine(error)}`)
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors())
          fail(`${module.relativeModuleId} > ${suite.fullName}: ${firstLine(error)}`)
      }
    }
    for (const error of unhandledErrors) fail(`outside of any test: ${firstLine(error)}`)
    if (reason === 'interrupted') fail('the run was interrupted')
    writeFileSync(process.env[REPORT_VARIABLE], JSON.stringify(tally))
  }
}

function isLong(test) {
  return test.tags.includes(LONG_TAG)
}

function countTest(test, module, tally, fail) {
  const name = `${module.relativeModuleId} > ${test.fullName}`
  const result = test.result()
  if (result.state === 'passed') tally.passed++
  else if (result.state === 'failed') fail(`${name}: ${firstLine(result.errors[0])}`)
  else if (result.state === 'skipped' && result.note) {
    tally.skipped++
    tally.skips.push({ name, reason: result.note })
  } else fail(`${name}: ${result.state === 'skipped' ? 'skipped without a reason' : 'did not finish'}`)
}

function firstLine(error) {
  return String(error?.message ?? error).split('\n')[0]
}
