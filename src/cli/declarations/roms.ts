import { LAYOUT_OPTION } from './datOptions'
import { type CommandDeclaration, form } from './declaration'
import { OPTION_FOR } from './options'
import { NO_DEFAULT_RULES, RULE_OPTIONS } from './ruleOptions'

/** The tables of `stowage roms` by their names. */
export const ROMS_TABLE_NAMES = ['sets', 'missing', 'files', 'dats', 'excluded', 'seed'] as const

export const ROMS = form('', 'stowage roms <path>... --dat FILE... [options]', {
  dat: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    text: 'a DAT: XML as of No-Intro, Redump, TOSEC and "mame -listxml", a text of ClrMamePro, or a zip of them; may be repeated',
  },
  detector: {
    type: 'string',
    multiple: true,
    value: 'FILE|NAME',
    text: "recognise copier headers by this detector, a file in clrmamepro's XML or a built-in one (such as SMC), in addition to the one that a DAT names; may be repeated",
  },
  layout: LAYOUT_OPTION,
  'write-have': {
    type: 'string',
    value: 'FILE',
    text: 'write a DAT (XML) of the complete ROM sets to a new file outside of the folders',
  },
  'write-missing': {
    type: 'string',
    value: 'FILE',
    text: 'write a DAT of all other ROM sets, each with the files that are missing',
  },
  'option-for': { ...OPTION_FOR, text: `for --table seed, list this option too: ${OPTION_FOR.text}` },
  ...RULE_OPTIONS,
  ...NO_DEFAULT_RULES,
  table: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    words: ROMS_TABLE_NAMES,
    text:
      'print one table in full: sets, missing, files, dats or excluded (what rules left out); may be repeated; or ' +
      'seed, which surveys the files and prints size, share and time of every reduction, as "options --table ' +
      'reductions" does',
  },
})

export const ROMS_COMMAND: CommandDeclaration = {
  does: 'Compares files with DATs: which ROM sets are complete, and which files are right.',
  forms: [ROMS],
  notes: [
    [
      'ROM sets',
      'are complete where the content of each of their files was found, under any name; files that nobody has dumped are not needed',
    ],
    [
      'files',
      'are right in their place, renamed, duplicate or unneeded; a bad dump has the name, or alone the size, of a file that it is not',
    ],
    [
      'what is read',
      'files of a size that a DAT has; members of zip and 7z archives are known by the CRC-32 and size that the archive states, those of tar archives (also .gz, .xz, .zst and .bz2) are read; archives inside of archives and other kinds are not opened',
    ],
    ['exit code', '3 where a file could not be read; ROM sets may be missing all the same'],
    ['--json', 'prints the comparison (stowage.roms/1)'],
  ],
}
