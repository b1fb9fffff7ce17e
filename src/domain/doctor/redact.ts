/** Names that must not be in a text that a person gives away. */
export interface Private {
  readonly user: string
  readonly host: string
}

/** An absolute path, up to where a message goes on; a name may hold blanks. */
const PATH = /(?<![\p{L}\p{N}<])(?:[a-z]:[\\/]|\\\\|~?\/)[^\n"“”]*?(?=: |, |; | \(|["“”\n]|$)/giu
/** Words in quotes: names of projects, of patterns, of options' files. */
const QUOTED = /"[^"\n]*"|“[^”\n]*”/gu
/** A name with an ending, such as `IMG_2041.CR2`; version numbers have none. */
const FILE_NAME =
  /(?<![\p{L}\p{N}])[^\s/\\:;,()"]*[^\s/\\:;,()".]\.(?=[\p{L}\p{N}]*\p{L})[\p{L}\p{N}]{1,8}(?![\p{L}\p{N}])/gu

/** A line without names of persons, computers, folders and files. */
export function redact(line: string, { user, host }: Private): string {
  let redacted = line.replace(PATH, '<path>').replace(QUOTED, '<name>').replace(FILE_NAME, '<file>')
  for (const [name, sign] of [
    [user, '<user>'],
    [host, '<host>'],
  ] as const)
    if (name !== '') redacted = redacted.replace(wordOf(name), sign)
  return redacted
}

/** The name where it is a word of its own. */
function wordOf(name: string): RegExp {
  const text = name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${text}(?![\p{L}\p{N}_])`, 'giu')
}
