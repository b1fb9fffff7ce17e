import type { z } from 'zod'
import { said } from '../primitives/said'

/** The words of a schema's fault where the schema has none: they follow the name of a field. */
export function issueWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? said`is missing` : said`takes ${kindWords(issue.expected)}`
    case 'invalid_value':
      return said`takes ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return limitWords(issue.origin, Number(issue.minimum), 'least')
    case 'too_big':
      return limitWords(issue.origin, Number(issue.maximum), 'most')
    case 'not_multiple_of':
      return said`takes multiples of ${issue.divisor}`
    case 'unrecognized_keys':
      return said`takes no ${issue.keys.join(', ')}`
    default:
      return said`takes another kind of value`
  }
}

function kindWords(expected: string): string {
  switch (expected) {
    case 'string':
      return said`a text`
    case 'number':
      return said`a number`
    case 'int':
      return said`a whole number`
    case 'boolean':
      return said`true or false`
    case 'array':
    case 'tuple':
      return said`a list`
    default:
      return said`lines "name: value"`
  }
}

function limitWords(origin: string, limit: number, end: 'least' | 'most'): string {
  switch (origin) {
    case 'string':
      if (end === 'least')
        return limit === 1 ? said`must not be empty` : said`takes ${limit} characters or more`
      return said`takes at most ${limit} characters`
    case 'array':
      if (end === 'least') return limit === 1 ? said`must not be empty` : said`takes ${limit} items or more`
      return said`takes at most ${limit} items`
    default:
      return end === 'least' ? said`takes ${limit} or more` : said`takes at most ${limit}`
  }
}
