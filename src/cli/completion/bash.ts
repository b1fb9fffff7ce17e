import { shellQuote } from '../../engine/tools/shellQuote'
import type { Context, Value } from './commandTree'

/**
 * A script for bash 3.2 or later, as macOS has it. Paths are left to bash itself, which quotes
 * them.
 */
export function bashCompletion(contexts: readonly Context[]): string {
  return `# Completion of stowage in bash, written by "stowage completion bash".
_stowage() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}"
  local context='' paths=none word words flags
  words=() flags=()
  # bash makes three words of "--option=value".
  if [[ $cur == = ]]; then
    cur=''
  elif [[ $prev == = ]]; then
    prev="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  ((COMP_CWORD > 1)) && context="\${COMP_WORDS[1]}"
  ((COMP_CWORD > 2)) && case "$context \${COMP_WORDS[2]}" in
    ${actions(contexts)}) context="$context \${COMP_WORDS[2]}" ;;
  esac
  case "$context" in
${contexts.map(contextCase).join('\n')}
  esac
  [[ $cur == -* || \${#words[@]} -eq 0 && $paths == none ]] && words=("\${flags[@]}")
  COMPREPLY=()
  for word in "\${words[@]}"; do
    [[ $word == "$cur"* && ( -n $cur || $paths == none ) ]] && COMPREPLY+=("$word")
  done
  case "$paths" in
    none) compopt +o default 2>/dev/null ;;
    folders) compopt +o default -o dirnames 2>/dev/null ;;
  esac
  return 0
}
complete -o default -F _stowage stowage`
}

/** The contexts of a command with its action, as one pattern of `case`. */
function actions(contexts: readonly Context[]): string {
  return contexts
    .filter(({ name }) => name.includes(' '))
    .map(({ name }) => shellQuote(name))
    .join(' | ')
}

function contextCase({ name, words, flags, paths, after }: Context): string {
  const list = (all: readonly (readonly [string, string])[]): string => quoted(all.map(([word]) => word))
  const values = [...after].map(([word, value]) => `    ${shellQuote(word)}) ${valueText(value)} ;;`)
  return `  ${shellQuote(name)}) case "$prev" in
${[...values, `    *) words=(${list(words)}) flags=(${list(flags)}) paths=${paths} ;;`].join('\n')}
  esac ;;`
}

const valueText = ({ words, paths }: Value): string => `words=(${quoted(words)}) paths=${paths}`

const quoted = (words: readonly string[]): string => words.map(shellQuote).join(' ')
