import words from '../../../assets/copy/en/measure.json' with { type: 'json' }
import type { CacheProof, MeasureWarning, SpecChange } from '../../contract/dto/measure'
import { messagesOf } from '../../language/messages'
import { formatCount, formatShare, threeDigits } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { formatRate, formatSize } from '../shape/sizes'

type WordKey = keyof typeof words

export const { say } = messagesOf('en', words)

/** How the figures of warnings are written: by their names, which say what they are. */
function figureText(name: string, value: number): string {
  if (name.endsWith('BytesPerSecond')) return formatRate(value)
  if (['kneeBytes', 'asked', 'counted'].includes(name)) return formatSize(value)
  if (['difference', 'share', 'error'].includes(name)) return formatShare(value)
  return Number.isInteger(value) ? formatCount(value) : threeDigits(value)
}

/** Two warnings have different words for different figures. */
function keyOf(
  code: MeasureWarning['code'],
  hasOperation: boolean,
  figures: MeasureWarning['figures'],
): WordKey {
  if (code === 'cacheSuspected' && hasOperation) return 'warning.cacheSuspected.op'
  return code === 'bimodal' && 'factor' in figures ? 'warning.bimodal.kinds' : `warning.${code}`
}

export function warningText({ code, op, figures }: MeasureWarning): string {
  const key = keyOf(code, op !== null, figures)
  const values = Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, figureText(name, value)]),
  )
  const text = say(key, values)
  return op === null ? text : `${say(`op.${op}`)}: ${text}`
}

export function changeText({ code, test, from, to }: SpecChange): string {
  const write = code === 'smallerFiles' ? formatSize : code === 'shorterRest' ? formatDuration : formatCount
  return say(`change.${code}`, { test, from: write(from), to: write(to) })
}

export function evidenceText({ code, figure, limit }: CacheProof['evidence'][number]): string {
  const values: Record<string, string> = {}
  if (figure !== null) values['figure'] = formatSize(Math.round(figure))
  if (limit !== null) values['limit'] = formatSize(Math.round(limit))
  return say(`evidence.${code}`, values)
}
