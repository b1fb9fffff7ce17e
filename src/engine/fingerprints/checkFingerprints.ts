import { type CompleteNote, completeNoteSchema, FOOTER_KEY } from '../../domain/fingerprints/completeNote'
import {
  FINGERPRINT_CHECK_SCHEMA,
  type FingerprintCheck,
  unitedSchemes,
} from '../../domain/fingerprints/fingerprintCheck'
import { said } from '../../primitives/said'
import { partName, TABLE_COLUMNS, type TableName } from './fingerprintTables'
import {
  type CheckedTables,
  type Following,
  openAllTables,
  openTableNotes,
  openTables,
  type TableKind,
} from './tableFolders'

/** One survey's fingerprints, whole. */
export type CheckedFingerprints = CheckedTables<CompleteNote>

const FINGERPRINTS: TableKind<CompleteNote> = {
  folderKey: 'survey',
  footerKey: FOOTER_KEY,
  schema: completeNoteSchema,
  idOf: ({ survey }) => survey,
  partsOf(note) {
    const { schemes, format, survey, key } = note
    const part = (table: TableName, name?: string) =>
      [
        partName(table, name),
        {
          columns: TABLE_COLUMNS[table],
          footer: { format, survey, key, table, scheme: schemes.find((scheme) => scheme.name === name) },
        },
      ] as const
    return new Map([
      ...schemes.map(({ table, name }) => part(table, name)),
      ...schemes.flatMap(({ table, name }) => (table === 'blocks' ? [part('zeros', name)] : [])),
      part('contents'),
      part('files'),
    ])
  },
  words: {
    noneThere: () => said`there are no fingerprints in it`,
    alienFolder: () => said`it is not the folder of a survey`,
    notItsNote: () => said`it is damaged, or no note of fingerprints`,
    otherId: (id) => said`it holds survey ${id}`,
    otherParts: () => said`its parts are not those of its schemes`,
    alienFile: () => said`it is not one of the survey's parts`,
    givenTwice: (id, one, other) => said`survey ${id} is given twice: ${one} and ${other}`,
  },
}

/**
 * Reads every part of the fingerprints in these folders, which hold those of many surveys or of
 * one, and compares them with the notes of their surveys.
 * @throws AppError `bad-input` that names the file, for what is unfinished, truncated, changed,
 *   foreign, missing, of another version or there twice, and for surveys of different keys;
 *   `usage` for a survey that is given twice; or why something cannot be read
 */
export async function checkFingerprints(folders: readonly string[]): Promise<FingerprintCheck> {
  const checked = await openAllFingerprints(folders)
  const notes = checked.map(({ note }) => note)
  return {
    schema: FINGERPRINT_CHECK_SCHEMA,
    surveys: checked.map(({ folder, note: { survey, createdWallMs, totals, paths, parts } }) => ({
      id: survey,
      folder,
      createdWallMs,
      files: totals.files,
      bytes: totals.bytes,
      skipped: totals.skipped,
      paths,
      rows: parts.reduce((sum, { rows }) => sum + rows, 0),
      tableBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    })),
    key: notes[0]?.key ?? null,
    schemes: unitedSchemes(notes),
  }
}

/**
 * Reads and checks every part, and gives the notes in the order of the folders; those of one folder
 * by their IDs.
 * @throws AppError as `checkFingerprints`, `cancelled`
 */
export function openAllFingerprints(
  folders: readonly string[],
  following: Following = {},
): Promise<CheckedFingerprints[]> {
  return openAllTables(FINGERPRINTS, folders, following)
}

/**
 * The notes of the surveys in these folders, whose parts are not looked at.
 * @throws AppError as `checkFingerprints`, but for what only the parts show
 */
export function openNotes(folders: readonly string[]): Promise<CheckedFingerprints[]> {
  return openTableNotes(FINGERPRINTS, folders)
}

/**
 * The fingerprints of one survey among those in a folder, checked; null where they are not there.
 * @throws AppError as `checkFingerprints`
 */
export function openFingerprints(folder: string, surveyId: string): Promise<CheckedFingerprints | null> {
  return openTables(FINGERPRINTS, folder, surveyId)
}
