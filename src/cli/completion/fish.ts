import type { Context, Offer, Value } from './commandTree'

/** A script for fish 3 or later. */
export function fishCompletion(contexts: readonly Context[]): string {
  const actions = contexts.flatMap(({ name }) => (name.includes(' ') ? [quoted(name)] : []))
  return `# Completion of stowage in fish, written by "stowage completion fish".
function __stowage_in --argument-names wanted after
    set -l typed (commandline -opc)
    set -l context "$typed[2]"
    switch "$typed[2] $typed[3]"
        case ${actions.join(' ')}
            set context "$typed[2] $typed[3]"
    end
    test "$context" = "$wanted"; or return 1
    test -z "$after"; or test "$typed[-1]" = "$after"
end
complete -c stowage -f
${contexts.flatMap(contextLines).join('\n')}`
}

function contextLines({ name, words, flags, paths, after }: Context): string[] {
  const start = `complete -c stowage -n ${quoted(`__stowage_in ${quoted(name)}`)}`
  // Where paths cannot come before it, a word comes first.
  const first = `complete -c stowage -n ${quoted(`__stowage_in ${quoted(name)} ${quoted(name.split(' ').at(-1) ?? '')}`)}`
  const keys = [...after].filter(([word]) => !word.startsWith('--'))
  return [
    ...(paths === 'none' ? [] : [`${start} ${pathsText(paths)}`]),
    ...words.map(
      ([word, does]) => `${paths === 'none' ? first : start} -a ${quoted(word)}${description(does)}`,
    ),
    ...keys.map(([word, value]) => {
      const condition = quoted(`__stowage_in ${quoted(name)} ${quoted(word)}`)
      return `complete -c stowage -n ${condition} -a ${quoted(value.words.join(' '))}`
    }),
    ...flags.map((flag) => `${start} ${flagText(flag, after)}`),
  ]
}

function flagText([flag, does]: Offer, after: Context['after']): string {
  const value = after.get(flag)
  return `-l ${flag.slice('--'.length)}${value ? valueText(value) : ''}${description(does)}`
}

function valueText({ words, paths }: Value): string {
  if (paths !== 'none') return ` -r ${pathsText(paths)}`
  return words.length === 0 ? ' -x' : ` -x -a ${quoted(words.join(' '))}`
}

function pathsText(paths: Value['paths']): string {
  return paths === 'files' ? '-F' : "-a '(__fish_complete_directories)'"
}

const description = (does: string): string => (does === '' ? '' : ` -d ${quoted(does)}`)

/** In single quotes of fish, where a backslash and a single quote need a backslash. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
