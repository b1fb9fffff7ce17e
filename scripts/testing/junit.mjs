import { emptyTally } from './tally.mjs'

/**
 * Counts the test cases of a JUnit report as CTest writes it (`ctest --output-junit`).
 * A skipped case gives GoogleTest's reason; a disabled one, or one skipped without a reason, counts as failed.
 * @returns {import('./tally.mjs').Tally}
 * @throws Error when the text is not such a report or was cut off
 */
export function tallyOfJunit(xml) {
  if (!/<testsuite\b/.test(xml) || !/(<\/testsuites?>|<testsuite\b[^<>]*\/>)\s*$/.test(xml))
    throw new Error('not a whole JUnit report')
  const tally = emptyTally()
  for (const [, attributes, body = ''] of xml.matchAll(
    /<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g,
  )) {
    const name = unescapeXml(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? '?')
    const status = /\bstatus="([^"]*)"/.exec(attributes)?.[1] ?? ''
    const output = unescapeXml(/<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? '')
    if (status === 'run' && !/<(failure|error|skipped)\b/.test(body)) tally.passed++
    else {
      const reason = /: Skipped\n([\s\S]*?)\n+\[/.exec(output)?.[1]?.trim()
      if (/<skipped\b/.test(body) && reason) {
        tally.skipped++
        tally.skips.push({ name, reason: reason.replaceAll('\n', ' ') })
      } else {
        tally.failed++
        tally.failures.push(`${name}: ${causeOf(status, body, output)}`)
      }
    }
  }
  return tally
}

function causeOf(status, body, output) {
  if (status === 'disabled' || /<skipped\b/.test(body)) return 'skipped without a reason'
  const line = output
    .split('\n')
    .find((text) => /Failure$|ERROR: \w+Sanitizer|runtime error:|WARNING: ThreadSanitizer/.test(text))
  return line?.trim() ?? unescapeXml(/<failure message="([^"]*)"/.exec(body)?.[1] ?? '') ?? 'failed'
}

function unescapeXml(text) {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#10;', '\n')
    .replaceAll('&amp;', '&')
}
