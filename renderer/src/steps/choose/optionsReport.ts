import {
  OPTION_FIGURES,
  type Option,
  type OptionFigure,
  type OptionsDocument,
} from '../../../../src/contract/dto/options'
import { formatCount, formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatMoment } from '../../../../src/primitives/spokenTime'
import { t } from '../../copy'
import { titleOfRoots } from '../../format/paths'
import { readsWords } from './candidates/candidateWords'
import {
  beatenWords,
  figureExactly,
  figureRange,
  formatFigure,
  nameOnMedium,
  sentence,
  standingWord,
} from './optionWords'

const MARKS = { exact: '■', measured: '●', modelled: '◐', assumed: '○' } as const

const STYLE = `body{font:13px/1.45 system-ui,sans-serif;margin:32px;color:#1b1d1f;background:#fff}
h1{font-size:20px}h2{font-size:15px;margin-top:24px}p{max-width:70ch}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #e2e3e0;padding:3px 10px 3px 0;text-align:left;vertical-align:baseline}
th{color:#5c6167;font-weight:400}td.n,th.n{text-align:right;white-space:nowrap}small{color:#5c6167}
@media print{body{margin:0;font-size:9px}thead{display:table-header-group}tr{break-inside:avoid}}`

/**
 * Every option with its figures, ranges and marks as a page of its own, to be kept or printed. It
 * loads nothing.
 */
export function optionsReport(document: OptionsDocument, units: Units): string {
  const { source, request, chosen, impossible } = document
  const title = t('report.title', { source: titleOfRoots(source.roots) })
  const best = document.options.find(({ id }) => id === chosen?.id)
  const says = [
    t('report.made', {
      moment: formatMoment(document.createdWallMs),
      files: formatCount(source.files),
      bytes: formatSize(source.bytes, units),
    }),
    t('report.goal', { goal: t(`goal.${request.goal}`) }),
    ...(best && chosen ? [`${t('report.chosen', { name: nameOnMedium(best) })}. ${chosen.because}`] : []),
    ...(impossible ? [impossible.because, ...impossible.relax.map(({ text }) => text)].map(sentence) : []),
    ...document.advice.map(({ text }) => text),
    t('report.marks'),
  ]
  const heads = [
    `<th>${safe(t('column.option'))}</th><th>${safe(t('column.onMedium'))}</th>`,
    ...OPTION_FIGURES.map((figure) => `<th class="n">${safe(t(`option.${figure}`))}</th>`),
    `<th>${safe(t('candidate.readers'))}</th><th>${safe(t('column.standing'))}</th>`,
  ]
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${safe(title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${safe(title)}</h1>`,
    ...says.map((text) => `<p>${safe(text)}</p>`),
    `<h2>${safe(t('options.title'))}</h2><table><thead><tr>${heads.join('')}</tr></thead><tbody>`,
    ...document.options.map((option) => row(option, document, units)),
    '</tbody></table></body></html>',
    '',
  ].join('\n')
}

function row(option: Option, document: OptionsDocument, units: Units): string {
  const standing = option.breaks.length > 0 ? null : beatenWords(option, document)
  return [
    `<tr><td>${safe(option.name)}</td><td>${safe(option.mediumName)}</td>`,
    ...OPTION_FIGURES.map((figure) => cell(option, figure, units)),
    `<td>${safe(readsWords(option))}</td>`,
    `<td>${safe(standing ?? standingWord(option))}</td></tr>`,
  ].join('')
}

function cell(option: Option, figure: OptionFigure, units: Units): string {
  const estimate = option.estimate[figure]
  const range = figureRange(figure, estimate, units)
  const value = `${safe(formatFigure(figure, estimate.value, units))} ${MARKS[estimate.provenance]}`
  const title = safe(`${figureExactly(figure, estimate.value)}. ${estimate.basis}`)
  return `<td class="n" title="${title}">${value}${range === undefined ? '' : `<br><small>${safe(range)}</small>`}</td>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Text for a page: what others named cannot become markup, and what cannot be seen is not written.
 */
function safe(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '').replace(/[^\P{Cc}\n\t]/gu, '�')
}
