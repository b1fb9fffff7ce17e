import type { RomsDocument } from '../../src/contract/dto/roms'

/** The state of each file and member by its path below the source: `FOLDER/FILE: MEMBER`. */
export function romStates({ files }: RomsDocument, source: string): Record<string, string> {
  return Object.fromEntries(
    files.map(({ path, member, state, by }) => [
      `${path.slice(source.length + 1)}${member === null ? '' : `: ${member}`}`,
      by === null ? state : `${state} by ${by}`,
    ]),
  )
}
