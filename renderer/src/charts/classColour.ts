import type { FileClass } from '../../../src/contract/dto/survey'

/** The token of each class's colour: one class, one colour, in every picture. */
const TOKEN: Record<FileClass, string> = {
  text: '--class-text',
  image: '--class-image',
  audio: '--class-audio',
  video: '--class-video',
  archive: '--class-archive',
  executable: '--class-executable',
  discImage: '--class-disc-image',
  other: '--class-other',
}

/** A class's colour as CSS takes it. */
export function classColour(fileClass: FileClass): string {
  return `var(${TOKEN[fileClass]})`
}
