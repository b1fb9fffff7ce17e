import { useWorkFolder } from '../engine/files/workFolder'

/** The folder for temporary files of this command; null for the system's. */
let chosen: () => string | null = () => null

/** Sets the folder for temporary files. @param folder is asked for when an engine is opened */
export function workIn(folder: () => string | null): void {
  chosen = folder
}

/** @throws AppError for a folder that cannot be used */
export function takeWorkFolder(): void {
  useWorkFolder(chosen())
}
