import type { Context, Offer } from './commandTree'

/** A script for PowerShell 5.1 or later, which completes paths where the script offers nothing. */
export function powershellCompletion(contexts: readonly Context[]): string {
  const values = contexts.flatMap(({ name, after }) =>
    [...after].map(([word, { words }]) => `    ${quoted(`${name} ${word}`)} = @(${list(words)})`),
  )
  return `# Completion of stowage in PowerShell, written by "stowage completion powershell".
Register-ArgumentCompleter -Native -CommandName 'stowage', 'stowage.cmd' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${contexts.map(({ name, words }) => table(name, words)).join('\n')}
  }
  $flags = @{
${contexts.map(({ name, flags }) => table(name, flags)).join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.ToString() })
  $context = if ($typed.Count -gt 1) { $typed[1] } else { '' }
  if ($typed.Count -gt 2 -and $words.ContainsKey("$context $($typed[2])")) { $context += " $($typed[2])" }
  if (-not $words.ContainsKey($context)) { return }
  $before = ''
  $start = $wordToComplete
  $key = "$context $(if ($typed.Count -gt 0) { $typed[-1] })"
  if ($wordToComplete -match '^(--[^=]+=)(.*)$') {
    $before = $Matches[1]
    $start = $Matches[2]
    $key = "$context $($before.TrimEnd('='))"
  }
  $offers = @(if ($values.ContainsKey($key)) {
    $values[$key] | ForEach-Object { ,@($_, '') }
  } elseif ($start.StartsWith('-')) {
    $flags[$context]
  } else {
    $words[$context]
  })
  foreach ($offer in $offers) {
    if (-not $offer[0].StartsWith($start)) { continue }
    $tip = if ($offer[1]) { $offer[1] } else { $offer[0] }
    [System.Management.Automation.CompletionResult]::new("$before$($offer[0])", $offer[0], 'ParameterValue', $tip)
  }
}`
}

function table(name: string, offers: readonly Offer[]): string {
  const rows = offers.map(([word, does]) => `      ,@(${list([word, does])})`)
  return `    ${quoted(name)} = @(\n${rows.join('\n')}\n    )`
}

const list = (words: readonly string[]): string => words.map(quoted).join(', ')

/** In single quotes of PowerShell, where a quote is written twice; curly ones are quotes too. */
const quoted = (text: string): string => `'${text.replaceAll(/['\u2018-\u201B]/g, '$&$&')}'`
