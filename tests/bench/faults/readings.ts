import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What differs from run to run although the same was made: identifiers and times. */
export function steady(text: string): string {
  return (
    text
      .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID')
      .replace(/\b([a-z]+)-[0-9a-f]{8,12}\b/g, '$1-ID')
      .replace(/\b1[78]\d{11}(\.\d+)?\b/g, 'WALL')
      .replace(/\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?)?( UTC)?/g, 'DATE')
      .replace(/\b20\d{12,14}\b/g, 'DATE')
      .replace(/(=|\bmade\t)1[78]\d{8}\b/g, '$1DATE')
      // What the machine's pace makes of a plan's forecast, and of the report that shows it.
      .replace(/^ {2}"times": \{\n[^]*?^ {2}\},?\n/m, '')
      // Digests of text that has such things in it.
      .replace(
        /\b[0-9a-f]{64}(?= {2}STOWAGE\/(README\.txt|IMAGE\.tsv|INDEX\.tsv))|(?<=": ")[0-9a-f]{64}(?=")/g,
        'DIGEST',
      )
      .replace(/(?<="path": "report\.html",\n\s+"sha256": "DIGEST",\n\s+"bytes": )\d+/, 'SIZE')
  )
}

/** A file's content as a digest, `steady` if it is text; '-' for none. */
export function fileReading(path: string | Buffer, isText = false): string {
  if (!existsSync(path)) return '-'
  const content = readFileSync(path)
  // It shows the times of the plan.
  if (isText && path.toString('latin1').endsWith('report.html'))
    return content.toString('latin1').endsWith('</html>\n') ? 'a whole report' : `${content.length} bytes`
  return digestOf(isText ? steady(content.toString('latin1')) : content)
}

/** A name with its kind, content, permissions and time; '-' for none. */
export function nameReading(path: Buffer): string {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (facts === undefined) return '-'
  if (facts.isSymbolicLink()) return `-> ${readlinkSync(path, 'latin1')}`
  if (facts.isDirectory()) return `folder ${facts.mode} ${facts.mtimeNs}`
  return `${fileReading(path)} ${facts.mode} ${facts.mtimeNs}`
}

/** Parses a JSON file and leaves out keys that differ from run to run; '-' for none. */
export function jsonReading(path: string, without: readonly string[]): string {
  return existsSync(path) ? jsonTextReading(readFileSync(path, 'utf8'), without) : '-'
}

export function jsonTextReading(text: string, without: readonly string[]): string {
  try {
    const value: unknown = JSON.parse(text)
    return digestOf(JSON.stringify(value, (key, each: unknown) => (without.includes(key) ? undefined : each)))
  } catch {
    return `no JSON, ${text.length} bytes`
  }
}

export interface TreeRules {
  /** Text whose identifiers and times do not count. */
  readonly text?: RegExp
  /** Names below the folder that do not count. */
  readonly without?: RegExp
  readonly withTimes?: boolean
  /** Only names and whether there is something in them. */
  readonly namesOnly?: boolean
}

/** All that is below a folder, as one line for each name; '-' for none. */
export function treeReading(folder: string, rules: TreeRules = {}): string {
  if (!existsSync(folder)) return '-'
  const lines = namesBelow(folder)
    .filter((name) => rules.without?.test(name) !== true)
    .map((name) => {
      const path = bytesOf(join(folder, name))
      const facts = lstatSync(path, { bigint: true })
      const times = rules.withTimes ? ` ${facts.mode} ${facts.mtimeNs}` : ''
      if (facts.isSymbolicLink()) return `${name} -> ${readlinkSync(path, 'latin1')}`
      if (facts.isDirectory()) return `${steady(name)}/${times}`
      if (rules.namesOnly) return `${steady(name)} ${facts.size > 0n}`
      return `${steady(name)} ${fileReading(path, rules.text?.test(name))}${times}`
    })
  return [...new Set(lines)].join('\n')
}

/** Every name below a folder, sorted, as the bytes of latin1: not every name is UTF-8. */
export function namesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names: string[] = []
  const add = (inside: string): void => {
    for (const entry of readdirSync(bytesOf(join(folder, inside)), {
      withFileTypes: true,
      encoding: 'latin1',
    })) {
      const name = inside === '' ? entry.name : `${inside}/${entry.name}`
      names.push(name)
      if (entry.isDirectory()) add(name)
    }
  }
  add('')
  return names.toSorted()
}

/** A path whose part after a folder came from `namesBelow`, as the file system has it. */
export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** The length of a file, or that it is a folder; '-' for none. */
export function sizeOf(path: string): string {
  try {
    return String(readFileSync(path).length)
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EISDIR' ? 'folder' : '-'
  }
}
