import sweepWords from '../../../assets/copy/en/bands.json' with { type: 'json' }
import measureWords from '../../../assets/copy/en/measure.json' with { type: 'json' }
import type { SweepWarning } from '../../contract/dto/bands'
import type { CacheProof, MeasureWarning, SpecChange } from '../../contract/dto/measure'
import { messagesOf } from '../../language/messages'
import { formatBandSize, formatCount, formatShare, threeDigits } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { formatRate, formatSize } from '../shape/sizes'

const words = { ...measureWords, ...sweepWords }
type WordKey = keyof typeof words

export const { say } = messagesOf('en', words)

/** How the figures of warnings are written: by their names, which say what they are. */
function figureText(name: string, value: number): string {
  if (name.endsWith('BytesPerSecond')) return formatRate(value)
  if (['kneeBytes', 'asked', 'counted', 'resident', 'pass'].includes(name)) return formatSize(value)
  if (name === 'from') return formatBandSize(value)
  if (name === 'ms') return formatDuration(value)
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
  const text = say(keyOf(code, op !== null, figures), figureTexts(figures))
  return op === null ? text : `${say(`op.${op}`)}: ${text}`
}

/** Where a sweep has no words of its own, those of a measurement hold for it too. */
export function sweepWarningText({ code, figures }: SweepWarning): string {
  const own = `sweep.warning.${code}`
  return say((own in words ? own : `warning.${code}`) as WordKey, figureTexts(figures))
}

function figureTexts(figures: MeasureWarning['figures']): Record<string, string> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, figureText(name, value)]))
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
