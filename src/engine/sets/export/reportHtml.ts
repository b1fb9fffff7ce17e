import { burnText } from '../../../contract/burnText'
import type {
  BurnTimes,
  PlanDocument,
  PlanPacking,
  PlanVolume,
  VolumeTimes,
} from '../../../contract/dto/plan'
import { excludedText } from '../../../domain/survey/rules/excludedText'
import { ruleText } from '../../../domain/survey/rules/rules'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatBandSize, formatCount, formatSize } from '../../../primitives/quantity'
import { formatForecast, formatSpan } from '../../../primitives/spokenTime'
import { volumeNumber } from '../volume/plannedVolume'
import { gigabytes, sizeText } from './sizeText'

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

const EXACT = '<span class="p" title="exact: counted, not estimated">■</span>'
const exactNumber = (value: number): string => `${formatCount(value)} ${EXACT}`

/** The plan for reading and printing: one self-contained page without scripts, light and dark. */
export function reportHtml(plan: PlanDocument): string {
  const { totals, medium } = plan
  const date = new Date(plan.createdWallMs).toISOString().slice(0, 16).replace('T', ' ')
  const facts: [string, string][] = [
    ...projectFact(plan),
    ['Archived', plan.roots.map(escapeHtml).join('<br>')],
    ...exclusionFacts(plan),
    [
      'Medium',
      `${escapeHtml(medium.name)}, ${sizeText(medium.capacityBytes)} (${escapeHtml(medium.source)})`,
    ],
    [
      'Volumes',
      `${exactNumber(totals.volumes)}; no plan needs fewer than ${formatCount(totals.lowerBoundVolumes)}`,
    ],
    ['Files', exactNumber(totals.files)],
    ['Folders', exactNumber(totals.folders)],
    ['Symbolic links', exactNumber(totals.symlinks)],
    ['Files split over volumes', exactNumber(totals.splitFiles)],
    ['Size of the files', `${sizeText(totals.bytes)} ${EXACT}`],
    ...(plan.packing ? [packingFact(plan.packing)] : []),
    ['Made', `${date} UTC with ${escapeHtml(plan.mastering.tool)} ${escapeHtml(plan.mastering.version)}`],
    ['Plan', `<code>${escapeHtml(plan.id)}</code>`],
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Plan ${escapeHtml(plan.id)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${formatCount(totals.volumes)} ${totals.volumes === 1 ? 'volume' : 'volumes'}, ${escapeHtml(medium.name)}</h1>
<dl>
${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}
</dl>
<h2>Volumes</h2>
<table>
<thead><tr><th>No.</th><th>Label</th><th>Files</th><th>Bytes</th><th>GB</th><th>GiB</th><th>Sectors</th><th>Free sectors</th><th>Filled</th></tr></thead>
<tbody>
${plan.volumes.map((volume) => volumeRow(volume, plan)).join('\n')}
</tbody>
</table>
<p class="note">${EXACT} exact: counted, or computed by ${escapeHtml(plan.mastering.tool)} for exactly these files. A sector has ${formatCount(medium.sectorBytes)} bytes. 1 GB = 1,000,000,000 bytes, 1 GiB = 1,073,741,824 bytes.</p>
${timesTable(plan)}
<h2>Contents</h2>
${plan.volumes.map(sharesTable).join('\n')}
${problems(plan)}
</body>
</html>
`
}

function projectFact({ project }: PlanDocument): [string, string][] {
  if (!project) return []
  return [['Project', `${escapeHtml(project.name)} <code>${escapeHtml(project.id)}</code>`]]
}

/** The sums of what rules left out, and the rules, each on a line. */
function exclusionFacts({ excluded }: PlanDocument): [string, string][] {
  if (!excluded) return []
  const rules = excluded.rules.map((rule) => `<code>${escapeHtml(ruleText(rule))}</code>`)
  return [
    ['Left out', escapeHtml(excludedText(excluded))],
    ['Rules', rules.join('<br>')],
  ]
}

function packingFact({ recipe, arrangement, encryption, bytes, image }: PlanPacking): [string, string] {
  const range = `${sizeText(bytes.low)} to ${sizeText(bytes.high)}`
  const how = arrangement === 'joined' ? 'one archive across all volumes' : 'each volume restores alone'
  const guarded = encryption === 'none' ? '' : `, encrypted (${encryption.toUpperCase()})`
  if (image) {
    const bands = image.bandBytes === null ? '' : `, bands of ${formatBandSize(image.bandBytes)}`
    return [
      'Disk image',
      `<code>${escapeHtml(recipe)}</code>${guarded}, a disk of ${sizeText(image.bytes)}${bands}: ${range} (${bytes.provenance}); build-on-mac.sh makes it on a Mac`,
    ]
  }
  const note = 'volumes are planned for the upper end; building settles what lies where'
  return [
    'Packed as',
    `<code>${escapeHtml(recipe)}</code>${guarded}: ${range} (${bytes.provenance}); ${how}; ${note}`,
  ]
}

function volumeRow(volume: PlanVolume, { volumes, packing }: PlanDocument): string {
  const { gb, gib } = gigabytes(volume.bytes)
  const part = volume.capacitySectors === 0 ? 0 : volume.sectors / volume.capacitySectors
  const cells = [
    volumeNumber(volume.index, volumes.length),
    escapeHtml(volume.label),
    exactNumber(volume.files),
    exactNumber(volume.bytes),
    gb,
    gib,
    packing ? formatCount(volume.sectors) : exactNumber(volume.sectors),
    formatCount(volume.capacitySectors - volume.sectors),
    `<meter min="0" max="1" value="${part.toFixed(4)}"></meter> ${(part * 100).toFixed(2)} %`,
  ]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}

function timesTable({ times, volumes }: PlanDocument): string {
  if (!times) return ''
  const row = (name: string, { pack, build, write, verify, restore }: VolumeTimes): string => {
    const cells = [pack, build, write, verify, restore].map((time) =>
      time === null
        ? ''
        : `<span title="${escapeHtml(`${time.provenance}: ${time.basis}`)}">${escapeHtml(formatSpan(time))}</span>`,
    )
    return `<tr><td class="name">${escapeHtml(name)}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  }
  const rows = volumes.map(({ label }, at) => row(label, times.volumes[at] as VolumeTimes))
  return `<h2>Times</h2>
<table><thead><tr><th class="name">Volume</th><th>Pack</th><th>Build</th><th>Write</th><th>Verify</th><th>Restore</th></tr></thead>
<tbody>${[...rows, row('all', times.total)].join('\n')}</tbody></table>
<p class="note">Ranges that hold 95 of 100 times; the source of each is shown when the pointer rests on it.</p>${times.burn ? burnTable(times.burn) : ''}`
}

/** A table of burn times: with and without the buffer, and with small files first or last. */
function burnTable(burn: BurnTimes): string {
  const { disc, bufferBytes } = burn
  const buffer = formatSize(bufferBytes, 'binary')
  const rows = [
    [`files in order, buffer of ${buffer}`, disc.seconds],
    ['files in order, only a pipe of 64 KiB', disc.unbufferedSeconds],
    [`small files first, buffer of ${buffer}`, disc.smallFirstSeconds],
    [`small files last, buffer of ${buffer}`, disc.smallLastSeconds],
  ] as const
  const cells = rows.map(
    ([name, seconds]) => `<tr><td class="name">${name}</td><td>${formatForecast(seconds)}</td></tr>`,
  )
  return `
<p>${escapeHtml(burnText(burn))}</p>
<table><thead><tr><th class="name">Disc ${disc.index}, without lead-in, closing and changing</th><th>Time</th></tr></thead>
<tbody>${cells.join('\n')}</tbody></table>`
}

function sharesTable(volume: PlanVolume): string {
  const rows = volume.shares.map(
    ({ path, files, bytes }) =>
      `<tr><td class="name">${path === '' ? 'everything else' : escapeHtml(path)}</td><td>${formatCount(files)}</td><td>${formatCount(bytes)}</td></tr>`,
  )
  return `<h3>${escapeHtml(volume.label)}</h3>
<table><thead><tr><th class="name">Folder</th><th>Files</th><th>Bytes</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`
}

function problems(plan: PlanDocument): string {
  if (plan.problems.length === 0) return ''
  const items = plan.problems.map(({ message }) => `<li>${escapeHtml(message)}</li>`)
  return `<h2>To know</h2>\n<ul>\n${items.join('\n')}\n</ul>`
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
@media print { body { margin: 0; max-width: none; font-size: 11px; } tr, h3 { break-inside: avoid; } h3 { break-after: avoid; } }
`
