import bands from '../../assets/copy/bands.en.json'
import bandsStep from '../../assets/copy/bandsStep.en.json'
import chooseStep from '../../assets/copy/chooseStep.en.json'
import everywhere from '../../assets/copy/en.json'
import images from '../../assets/copy/imagesStep.en.json'
import measure from '../../assets/copy/measure.en.json'
import measureStep from '../../assets/copy/measureStep.en.json'
import { formatCount } from '../../src/primitives/quantity'

const copy = { ...everywhere, ...measure, ...measureStep, ...bands, ...bandsStep, ...images, ...chooseStep }
export type CopyKey = keyof typeof copy

/**
 * The words for a key, with `{name}` replaced. A text with two forms (`{count} file|{count} files`) takes the first
 * when `count` is 1. Numbers are written with thousands separated.
 */
export function t(key: CopyKey, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(copy[key], values)
}

/** Like `t`, for keys that come from outside (error codes, phases): the fallback when there are no words for it. */
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
