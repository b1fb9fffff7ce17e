import type { CommandDeclaration } from './declarations/declaration'
import { DECLARATIONS } from './declarations/every'
import { CATALOG_PLACE, COMMON_ENTRIES, type Entry, exitEntries, optionEntries } from './help'
import { WIDTH, wrapped } from './shape/wrapped'

/** The page `docs/guide/cli.md`, from the same declarations as `help`. */
export function cliPage(): string {
  const commands: readonly (readonly [string, CommandDeclaration])[] = Object.entries(DECLARATIONS)
  return [
    '# The command line',
    '',
    '<!-- Written by `node scripts/writeCliPage.mjs` from src/cli/declarations. Do not edit. -->',
    '',
    ...paragraph('In the repository, run a command as `npm run -s stowage -- <command>`.'),
    '',
    ...paragraph(
      'Sizes take a unit: `700MB` is 700,000,000 bytes, `700MiB` is 734,003,200. Results go to stdout; ' +
        'progress and warnings go to stderr.',
    ),
    ...commands.flatMap(([name, command]) => commandLines(name, command)),
    '',
    '## Options of every command',
    ...section(COMMON_ENTRIES),
    '',
    '## Exit codes',
    ...section(exitEntries()),
    '',
    ...paragraph(CATALOG_PLACE),
    '',
  ].join('\n')
}

function commandLines(name: string, { does, forms, notes = [] }: CommandDeclaration): string[] {
  const usage = forms.map((form) => form.usage)
  const head = ['', `## ${name}`, '', ...paragraph(does), '', '```text', ...usage, '```']
  return [...head, ...section(optionEntries({ does, forms })), ...section(notes, '**')]
}

function section(entries: readonly Entry[], before = '`', after = before): string[] {
  if (entries.length === 0) return []
  return [
    '',
    ...entries.flatMap(([name, text]) =>
      wrapped(`- ${before}${name}${after}: ${escaped(text)}`, '  ', 2, WIDTH),
    ),
  ]
}

const paragraph = (text: string): string[] => wrapped(escaped(text), '', 0, WIDTH)

/** Markdown would take `<folder>` for a tag and a pair of stars for emphasis. */
function escaped(text: string): string {
  return text.replaceAll(/(?<!`[^`]*)([<*])(?![^`]*`)/g, String.raw`\$1`)
}
