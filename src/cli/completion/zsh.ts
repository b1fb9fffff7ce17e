import { shellQuote } from '../../engine/tools/shellQuote'
import type { Context, Offer } from './commandTree'

/** A script for zsh, to be sourced after `compinit` or put in a folder of `fpath` as `_stowage`. */
export function zshCompletion(contexts: readonly Context[]): string {
  const actions = contexts.flatMap(({ name }) => (name.includes(' ') ? [shellQuote(name)] : []))
  return `#compdef stowage
# Completion of stowage in zsh, written by "stowage completion zsh".
_stowage() {
  local context='' prev="\${words[CURRENT-1]}" paths=none found=1
  local -a offers flags
  (( CURRENT > 2 )) && context="\${words[2]}"
  (( CURRENT > 3 )) && case "$context \${words[3]}" in
    ${actions.join(' | ')}) context="$context \${words[3]}" ;;
  esac
  if [[ $PREFIX == --*=* ]]; then
    prev="\${PREFIX%%=*}"
    compset -P 1 '*='
  fi
  case "$context" in
${contexts.map(contextCase).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    offers=("\${flags[@]}") paths=none
  elif (( ! $#offers )) && [[ $paths == none ]]; then
    offers=("\${flags[@]}")
  fi
  (( $#offers )) && _describe -t values stowage offers && found=0
  case "$paths" in
    files) _files && found=0 ;;
    folders) _files -/ && found=0 ;;
  esac
  return found
}
if [[ $funcstack[1] == _stowage ]]; then
  _stowage "$@"
else
  compdef _stowage stowage
fi`
}

function contextCase({ name, words, flags, paths, after }: Context): string {
  const values = [...after].map(([word, value]) => {
    const offers = list(value.words.map((each) => [each, '']))
    return `    ${shellQuote(word)}) offers=(${offers}) paths=${value.paths} ;;`
  })
  return `  ${shellQuote(name)}) case "$prev" in
${[...values, `    *) offers=(${list(words)}) flags=(${list(flags)}) paths=${paths} ;;`].join('\n')}
  esac ;;`
}

/** As `_describe` takes them: a colon parts the word from its description. */
function list(offers: readonly Offer[]): string {
  return offers
    .map(([word, does]) => shellQuote(`${escaped(word)}${does === '' ? '' : `:${escaped(does)}`}`))
    .join(' ')
}

const escaped = (text: string): string => text.replaceAll(/[\\:]/g, String.raw`\$&`)
