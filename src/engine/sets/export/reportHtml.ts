import germanBurn from '../../../../assets/copy/de/burn.json' with { type: 'json' }
import germanCost from '../../../../assets/copy/de/cost.json' with { type: 'json' }
import german from '../../../../assets/copy/de/report.json' with { type: 'json' }
import englishBurn from '../../../../assets/copy/en/burn.json' with { type: 'json' }
import englishCost from '../../../../assets/copy/en/cost.json' with { type: 'json' }
import english from '../../../../assets/copy/en/report.json' with { type: 'json' }
import { burnText } from '../../../contract/burnText'
import { costText } from '../../../contract/costText'
import type {
  BurnTimes,
  PlanDocument,
  PlanPacking,
  PlanVolume,
  VolumeTimes,
} from '../../../contract/dto/plan'
import { TIME_STEPS } from '../../../contract/tables/planTables'
import { recipeText } from '../../../domain/options/recipes/byFolder'
import { mediaOf } from '../../../domain/sets/mixedMedia'
import { ruleText } from '../../../domain/survey/rules/rules'
import { type Messages, messagesPerLanguage } from '../../../language/messages'
import { spokenNumber, withFigures } from '../../../primitives/figureLanguage'
import type { Language } from '../../../primitives/languages'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatBandSize, formatCount, formatSize } from '../../../primitives/quantity'
import { formatForecast, formatSpan, isoMinute } from '../../../primitives/spokenTime'
import { volumeNumber } from '../volume/planned/plannedVolume'
import { excludedText } from './excludedText'
import { gigabytes, sizeText } from './sizeText'

type Say = Messages<keyof typeof english | keyof typeof englishBurn | keyof typeof englishCost>['say']

/** Their values are HTML; in their own text nothing has to be escaped. */
const MESSAGES = messagesPerLanguage({
  en: { ...english, ...englishBurn, ...englishCost },
  de: { ...german, ...germanBurn, ...germanCost },
})

/**
 * A name or text as HTML: safe between tags and in quoted attributes, control characters made
 * visible.
 */
export function escapeHtml(text: string): string {
  return pathForDisplay(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** A report in the making: the words and the mark of exact figures in its language. */
interface Writing {
  readonly language: Language
  readonly say: Say
  readonly mark: string
}

function exactNumber({ mark }: Writing, value: number): string {
  return `${formatCount(value)} ${mark}`
}

/** The plan for reading and printing: one self-contained page without scripts, light and dark. */
export function reportHtml(plan: PlanDocument, language: Language): string {
  const { say } = MESSAGES[language]
  const mark = `<span class="p" title="${say('report.exact')}">■</span>`
  return withFigures(language, () => pageOf(plan, { language, say, mark }))
}

function pageOf(plan: PlanDocument, writing: Writing): string {
  const { totals, medium } = plan
  const { language, say, mark } = writing
  const facts: [string, string][] = [
    ...projectFact(plan, say),
    [say('report.archived'), plan.roots.map(escapeHtml).join('<br>')],
    ...exclusionFacts(plan, writing),
    ...mediaOf(plan).map(({ medium: one }): [string, string] => [
      say('report.medium'),
      say('report.medium.value', {
        name: escapeHtml(one.name),
        size: sizeText(one.capacityBytes),
        source: escapeHtml(one.source),
      }),
    ]),
    [
      say('report.volumes'),
      say('report.volumes.value', {
        count: exactNumber(writing, totals.volumes),
        least: totals.lowerBoundVolumes,
      }),
    ],
    [say('report.files'), exactNumber(writing, totals.files)],
    [say('report.folders'), exactNumber(writing, totals.folders)],
    [say('report.symlinks'), exactNumber(writing, totals.symlinks)],
    [say('report.splitFiles'), exactNumber(writing, totals.splitFiles)],
    [say('report.size'), `${sizeText(totals.bytes)} ${mark}`],
    ...(plan.packing ? [packingFact(plan.packing, say)] : []),
    ...recoveryFact(plan, say),
    ...parityFact(plan, say),
    ...costFact(plan, say),
    [
      say('report.made'),
      say('report.made.value', {
        date: isoMinute(plan.createdWallMs),
        tool: escapeHtml(plan.mastering.tool),
        version: escapeHtml(plan.mastering.version),
      }),
    ],
    [say('report.plan'), `<code>${escapeHtml(plan.id)}</code>`],
  ]
  const columns = [
    say('report.column.number'),
    say('report.column.label'),
    say('report.column.files'),
    say('report.column.bytes'),
    'GB',
    'GiB',
    say('report.column.sectors'),
    say('report.column.free'),
    say('report.column.filled'),
  ]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${say('report.title', { id: escapeHtml(plan.id) })}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${say('report.heading', {
    volumes: totals.volumes,
    medium: mediaOf(plan)
      .map(({ medium: one }) => escapeHtml(one.name))
      .join(' + '),
  })}</h1>
<dl>
${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}
</dl>
<h2>${say('report.volumes')}</h2>
<table>
<thead><tr>${columns.map((column) => `<th>${column}</th>`).join('')}</tr></thead>
<tbody>
${plan.volumes.map((volume) => volumeRow(volume, plan, writing)).join('\n')}
</tbody>
</table>
<p class="note">${say('report.note', { mark, tool: escapeHtml(plan.mastering.tool), sector: medium.sectorBytes })}</p>
${timesTable(plan, say)}
<h2>${say('report.contents')}</h2>
${plan.volumes.map((volume) => sharesTable(volume, say)).join('\n')}
${problems(plan, say)}
</body>
</html>
`
}

function projectFact({ project }: PlanDocument, say: Say): [string, string][] {
  if (!project) return []
  return [[say('report.project'), `${escapeHtml(project.name)} <code>${escapeHtml(project.id)}</code>`]]
}

/** The sums of what rules left out, and the rules, each on a line. */
function exclusionFacts({ excluded }: PlanDocument, { language, say }: Writing): [string, string][] {
  if (!excluded) return []
  const rules = excluded.rules.map((rule) => `<code>${escapeHtml(ruleText(rule))}</code>`)
  return [
    [say('report.leftOut'), escapeHtml(excludedText(excluded, language))],
    [say('report.rules'), rules.join('<br>')],
  ]
}

function packingFact(
  { recipe, arrangement, encryption, bytes, image }: PlanPacking,
  say: Say,
): [string, string] {
  const values = {
    recipe: `<code>${escapeHtml(recipeText(recipe))}</code>`,
    encryption,
    cipher: encryption.toUpperCase(),
    low: sizeText(bytes.low),
    high: sizeText(bytes.high),
    provenance: bytes.provenance,
  }
  if (!image) return [say('report.packed'), say('report.packed.value', { ...values, arrangement })]
  const bands = image.bandBytes === null ? '' : formatBandSize(image.bandBytes)
  return [
    say('report.image'),
    say('report.image.value', {
      ...values,
      size: sizeText(image.bytes),
      isBanded: bands === '' ? 'no' : 'yes',
      bands,
    }),
  ]
}

/** The scratch that recovery data survives, and the volumes without any; nothing for folders. */
function recoveryFact({ protection, volumes, medium }: PlanDocument, say: Say): [string, string][] {
  if (medium.kind !== 'image') return []
  const kept = volumes.flatMap((volume) => volume.protection ?? [])
  const without = volumes.filter((volume) => volume.protection === undefined)
  const value = say('report.recovery.value', {
    asked: protection === undefined ? 'none' : kept.length === 0 ? 'no' : 'yes',
    size: sizeText(kept.reduce((sum, { bytes }) => sum + bytes, 0)),
    scratch: sizeText(Math.min(...kept.map(({ scratchBytes }) => scratchBytes))),
    cost: protection === 'fill' ? 'fill' : 'share',
    without: without.length,
  })
  return [[say('report.recovery'), value]]
}

/** The parity discs, and how many discs may be lost with them; nothing without any. */
function parityFact({ parity }: PlanDocument, say: Say): [string, string][] {
  const [first] = parity ?? []
  if (!parity || !first) return []
  const labels = parity.map(({ label }) => escapeHtml(label)).join(', ')
  const size = sizeText(SECTOR * first.sectors)
  return [[say('report.parity'), say('report.parity.value', { labels, size, discs: parity.length })]]
}

function costFact(plan: PlanDocument, say: Say): [string, string][] {
  const text = costText(plan, say)
  return text === null ? [] : [[say('cost.label'), escapeHtml(text)]]
}

function volumeRow(volume: PlanVolume, { volumes, packing }: PlanDocument, writing: Writing): string {
  const { gb, gib } = gigabytes(volume.bytes)
  const part = volume.capacitySectors === 0 ? 0 : volume.sectors / volume.capacitySectors
  const cells = [
    volumeNumber(volume.index, volumes.length),
    escapeHtml(volume.label),
    exactNumber(writing, volume.files),
    exactNumber(writing, volume.bytes),
    gb,
    gib,
    packing ? formatCount(volume.sectors) : exactNumber(writing, volume.sectors),
    formatCount(volume.capacitySectors - volume.sectors),
    `<meter min="0" max="1" value="${part.toFixed(4)}"></meter> ${spokenNumber((part * 100).toFixed(2))} %`,
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

/** Bytes of a disc's sector. */
const SECTOR = 2048

function timesTable({ times, volumes, parity = [] }: PlanDocument, say: Say): string {
  if (!times) return ''
  const row = (name: string, all: VolumeTimes): string => {
    const cells = TIME_STEPS.map((step) => {
      const time = all[step]
      if (time === null) return ''
      const from = say('report.times.basis', { provenance: time.provenance, basis: time.basis })
      return `<span title="${escapeHtml(from)}">${escapeHtml(formatSpan(time))}</span>`
    })
    return `<tr><td class="name">${escapeHtml(name)}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  }
  const rows = [...volumes, ...parity].flatMap(({ label }, at) => {
    const time = times.volumes[at]
    return time ? [row(label, time)] : []
  })
  const columns = TIME_STEPS.map((step) => `<th>${say(`report.times.${step}`)}</th>`)
  return `<h2>${say('report.times')}</h2>
<table><thead><tr><th class="name">${say('report.times.volume')}</th>${columns.join('')}</tr></thead>
<tbody>${[...rows, row(say('report.times.all'), times.total)].join('\n')}</tbody></table>
<p class="note">${say('report.times.note')}</p>${times.burn ? burnTable(times.burn, say) : ''}`
}

/** A table of burn times: with and without the buffer, and with small files first or last. */
function burnTable(burn: BurnTimes, say: Say): string {
  const { disc, bufferBytes } = burn
  const buffer = formatSize(bufferBytes, 'binary')
  const rows = [
    [say('report.burn.inOrder', { buffer }), disc.seconds],
    [say('report.burn.unbuffered'), disc.unbufferedSeconds],
    [say('report.burn.smallFirst', { buffer }), disc.smallFirstSeconds],
    [say('report.burn.smallLast', { buffer }), disc.smallLastSeconds],
  ] as const
  const cells = rows.map(
    ([name, seconds]) =>
      `<tr><td class="name">${name}</td><td>${escapeHtml(formatForecast(seconds))}</td></tr>`,
  )
  return `
<p>${escapeHtml(burnText(burn, say))}</p>
<table><thead><tr><th class="name">${say('report.burn.disc', { disc: disc.index })}</th><th>${say('report.burn.time')}</th></tr></thead>
<tbody>${cells.join('\n')}</tbody></table>`
}

function sharesTable(volume: PlanVolume, say: Say): string {
  const rows = volume.shares.map(
    ({ path, files, bytes }) =>
      `<tr><td class="name">${path === '' ? say('report.contents.rest') : escapeHtml(path)}</td><td>${formatCount(files)}</td><td>${formatCount(bytes)}</td></tr>`,
  )
  return `<h3>${escapeHtml(volume.label)}</h3>
<table><thead><tr><th class="name">${say('report.contents.folder')}</th><th>${say('report.column.files')}</th><th>${say('report.column.bytes')}</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`
}

function problems(plan: PlanDocument, say: Say): string {
  if (plan.problems.length === 0) return ''
  const items = plan.problems.map(({ message }) => `<li>${escapeHtml(message)}</li>`)
  return `<h2>${say('report.problems')}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}

const STYLE = `
:root { color-scheme: light dark; --line: #8886; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; margin-bottom: .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.5rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
th:nth-child(2), td:nth-child(2) { text-align: left; }
th.name, td.name { text-align: left; overflow-wrap: anywhere; }
td.name ~ td:nth-child(2), th.name ~ th:nth-child(2) { text-align: right; }
.p { font-size: .7em; opacity: .6; } .note { opacity: .7; }
meter { width: 5rem; vertical-align: middle; }
@media print { :root { color-scheme: light; } body { margin: 0; max-width: none; font-size: 11px; } tr, h3 { break-inside: avoid; } h3 { break-after: avoid; } }
`
