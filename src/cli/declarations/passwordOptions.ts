import type { OptionTable } from './declaration'

/** The password options of every command that opens something encrypted. */
export const PASSWORD_OPTIONS = {
  'password-file': {
    type: 'string',
    value: 'FILE',
    text: 'read the password from the first line of FILE; without this the terminal asks for it',
  },
  'password-stdin': {
    type: 'boolean',
    default: false,
    text: 'read the password from the first line of stdin, a new password from the second line',
  },
} as const satisfies OptionTable

/** The password options of commands that need no second password. */
export const SET_PASSWORD_OPTIONS = {
  'password-file': {
    type: 'string',
    value: 'FILE',
    text: 'read the encryption password from the first line of FILE',
  },
  'password-stdin': {
    type: 'boolean',
    default: false,
    text: 'read the encryption password from the first line of stdin',
  },
} as const satisfies OptionTable
