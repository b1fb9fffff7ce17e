import bands from '../../assets/copy/bands.en.json'
import bandsStep from '../../assets/copy/bandsStep.en.json'
import checks from '../../assets/copy/checks.en.json'
import chooseStep from '../../assets/copy/chooseStep.en.json'
import everywhere from '../../assets/copy/en.json'
import guided from '../../assets/copy/guided.en.json'
import images from '../../assets/copy/imagesStep.en.json'
import measure from '../../assets/copy/measure.en.json'
import measureStep from '../../assets/copy/measureStep.en.json'
import packing from '../../assets/copy/packing.en.json'
import planStep from '../../assets/copy/planStep.en.json'
import projects from '../../assets/copy/projects.en.json'
import restore from '../../assets/copy/restore.en.json'
import rules from '../../assets/copy/rules.en.json'
import settings from '../../assets/copy/settings.en.json'
import write from '../../assets/copy/write.en.json'
import { formatCount } from '../../src/primitives/quantity'

type KeyOf<Part> = Part extends unknown ? keyof Part & string : never

/**
 * The words of several files in one table. Throws where two of them have the same key: one would
 * hide the other.
 */
export function joinCopy<const Parts extends readonly Readonly<Record<string, string>>[]>(
  ...parts: Parts
): Readonly<Record<KeyOf<Parts[number]>, string>> {
  const joined: Record<string, string> = {}
  for (const part of parts)
    for (const [key, text] of Object.entries(part)) {
      if (Object.hasOwn(joined, key)) throw new Error(`two copy files have the key "${key}"`)
      joined[key] = text
    }
  return joined as Record<KeyOf<Parts[number]>, string>
}

const copy = joinCopy(
  everywhere,
  measure,
  measureStep,
  bands,
  bandsStep,
  images,
  chooseStep,
  guided,
  packing,
  planStep,
  projects,
  restore,
  rules,
  write,
  checks,
  settings,
)
export type CopyKey = keyof typeof copy

/**
 * The words for a key, with `{name}` replaced. A text with two forms (`{count} file|{count} files`)
 * takes the first when `count` is 1. Numbers are written with thousands separated.
 */
export function t(key: CopyKey, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(copy[key], values)
}

/**
 * Like `t`, for keys that come from outside (error codes, phases): the fallback when there are no
 * words for it.
 */
export function tMaybe(
  key: string,
  fallback: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = (copy as Readonly<Record<string, string>>)[key]
  return text === undefined ? fallback : fill(text, values)
}

function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  const forms = text.split('|')
  const form = (forms.length === 2 && values['count'] !== 1 ? forms[1] : forms[0]) as string
  return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? formatCount(value) : value
  })
}
