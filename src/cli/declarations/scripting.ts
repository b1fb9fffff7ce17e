import { type CommandDeclaration, form } from './declaration'

/** The shells that there is a completion for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

export const COMPLETION = form(
  '',
  `stowage completion ${SHELLS.join('|')}`,
  {},
  Object.fromEntries(SHELLS.map((shell) => [shell, []])),
)

export const COMPLETION_COMMAND: CommandDeclaration = {
  does: 'Prints a script with which a shell completes commands, options and values at Tab.',
  forms: [COMPLETION],
  notes: [
    ['bash', 'source <(stowage completion bash), in ~/.bashrc'],
    ['zsh', 'source <(stowage completion zsh), in ~/.zshrc after compinit'],
    ['fish', 'stowage completion fish > ~/.config/fish/completions/stowage.fish'],
    ['powershell', 'stowage completion powershell | Out-String | Invoke-Expression, in $PROFILE'],
    ['nothing', 'is installed or changed by the command'],
  ],
}

export const SCHEMA = form('', 'stowage schema [NAME]', {}, 'documents')

export const SCHEMA_COMMAND: CommandDeclaration = {
  does: 'Prints the JSON Schema (2020-12) of a document that --json prints, or their names.',
  forms: [SCHEMA],
  notes: [
    ['NAME', 'is what the field "schema" of a document says, such as stowage.survey/1; survey means it too'],
    ['project files', 'have their own: stowage project schema'],
  ],
}
