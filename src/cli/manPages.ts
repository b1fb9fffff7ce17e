import { APP_VERSION } from '../contract/version'
import type { CommandDeclaration } from './declarations/declaration'
import { DECLARATIONS } from './declarations/every'
import { CATALOG_PLACE, COMMON_ENTRIES, type Entry, exitEntries, optionEntries } from './help'

/**
 * The man pages by their file names: `stowage.1`, and one for each command, from the same
 * declarations as `help`.
 * @param date of the release, such as `2026-11-30`
 */
export function manPages(date: string): Map<string, string> {
  const commands: readonly (readonly [string, CommandDeclaration])[] = Object.entries(DECLARATIONS)
  const page = (name: string, ...parts: readonly string[]): readonly [string, string] => [
    `${name}.1`,
    [`.TH "${name.toUpperCase()}" 1 "${date}" "Stowage ${APP_VERSION}" "User Commands"`, ...parts, ''].join(
      '\n',
    ),
  ]
  const all = commands.map(([name]) => `\\fBstowage\\-${name}\\fR(1)`).join(',\n')
  return new Map([
    page(
      'stowage',
      '.SH NAME\nstowage \\- plan archives from measurements',
      '.SH SYNOPSIS\n\\fBstowage\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR]...',
      section(
        'COMMANDS',
        commands.map(([name, { does }]): Entry => [name, does]),
      ),
      section('OPTIONS', [...COMMON_ENTRIES, ['--version', 'show the version']]),
      section('EXIT STATUS', exitEntries()),
      `.SH ENVIRONMENT\n${plain(CATALOG_PLACE)}`,
      `.SH SEE ALSO\n${all}`,
    ),
    ...commands.map(([name, declared]) =>
      page(
        `stowage-${name}`,
        `.SH NAME\nstowage\\-${name} \\- ${plain(nameLine(declared))}`,
        `.SH SYNOPSIS\n${declared.forms.map(({ usage }) => plain(usage)).join('\n.br\n')}`,
        `.SH DESCRIPTION\n${plain(declared.does)}`,
        section('OPTIONS', [...optionEntries(declared), ...COMMON_ENTRIES]),
        ...(declared.notes ? [section('NOTES', declared.notes)] : []),
        section('EXIT STATUS', exitEntries()),
        '.SH SEE ALSO\n\\fBstowage\\fR(1)',
      ),
    ),
  ])
}

function nameLine({ does }: CommandDeclaration): string {
  return (does.charAt(0).toLowerCase() + does.slice(1)).replace(/\.$/, '')
}

function section(heading: string, entries: readonly Entry[]): string {
  const entry = ([name, text]: Entry): string => `.TP\n\\fB${plain(name)}\\fR\n${plain(text)}`
  return [`.SH ${heading}`, ...entries.map(entry)].join('\n')
}

/** A text as it is: no character of it means something to roff, and none is beyond ASCII. */
function plain(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/^(?=[.'])/gm, String.raw`\&`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll(/[^\n -~]/gu, (character) => {
      const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
      return String.raw`\[u${code}]`
    })
}
