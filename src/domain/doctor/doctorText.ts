import { formatSize } from '../../primitives/quantity'
import type { DoctorCheck, DoctorDocument, DoctorFolder } from './doctorDocument'

const SIGNS = { ok: 'ok     ', warning: 'warning', problem: 'problem' } as const
const INDENT = '  '

/** The document as plain text, one fact a line. */
export function doctorText(document: DoctorDocument): string[] {
  const { system, processor, runtime, memory, catalog, checks } = document
  return [
    conclusion(document),
    '',
    ...checks.flatMap(checkLines),
    '',
    `Stowage ${document.version}, Node ${runtime.node}${runtime.electron === null ? '' : `, Electron ${runtime.electron}`}`,
    `System: ${system.platform} ${system.release}, ${system.arch}`,
    `Processor: ${processor.model ?? 'unknown'}, ${processor.cores} cores, form ${processor.form ?? 'unknown'}`,
    `Memory: ${formatSize(memory.totalBytes)}, ${formatSize(memory.freeBytes)} free`,
    ...document.folders.map(folderText),
    catalog.bytes === null
      ? 'Catalog: none yet'
      : `Catalog: ${formatSize(catalog.bytes)}, schema ${catalog.version ?? 'unknown'} of ${catalog.newestVersion}`,
    ...listed(
      'Settings that differ from the defaults',
      document.settings,
      ({ key, value }) => `${key}: ${value}`,
    ),
    ...listed(
      'External programs',
      document.tools,
      ({ name, version }) => `${name}: ${version ?? 'not found'}`,
    ),
    ...(document.drives === null
      ? ['Optical drives: no program to ask them']
      : listed('Optical drives', document.drives, ({ name, medium }) => `${name}: ${medium ?? 'no disc'}`)),
    ...listed('Last failures in the log', document.failures, (line) => line),
  ]
}

/** The finding, and below it the next thing to do. */
function checkLines({ name, state, found, cure }: DoctorCheck): string[] {
  const line = `${INDENT}${SIGNS[state]}  ${name}: ${found}`
  return cure === null ? [line] : [line, `${INDENT}${' '.repeat(9)}${cure}`]
}

function conclusion({ state, checks }: DoctorDocument): string {
  if (state === 'ok') return `All ${checks.length} checks are ok.`
  const counts = (['problem', 'warning'] as const).flatMap((each) => {
    const count = checks.filter((check) => check.state === each).length
    return count === 0 ? [] : [`${count} ${each}${count === 1 ? '' : 's'}`]
  })
  return `${counts.join(' and ')} in ${checks.length} checks.`
}

function folderText({ use, fileSystem, totalBytes, freeBytes }: DoctorFolder): string {
  const size = totalBytes === null || freeBytes === null ? 'size unknown' : sizeText(totalBytes, freeBytes)
  return `Disk for ${use === 'catalog' ? 'the catalog' : use}: ${fileSystem ?? 'unknown file system'}, ${size}`
}

function sizeText(totalBytes: number, freeBytes: number): string {
  return `${formatSize(freeBytes)} free of ${formatSize(totalBytes)}`
}

function listed<T>(title: string, items: readonly T[], words: (item: T) => string): string[] {
  if (items.length === 0) return [`${title}: none`]
  return [`${title}:`, ...items.map((item) => `${INDENT}${words(item)}`)]
}
