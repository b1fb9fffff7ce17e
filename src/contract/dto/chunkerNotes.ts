/** Limits of a chunker's figures that their range does not include; by permanent name. */
export const CHUNKER_NOTES: Readonly<Record<string, string>> = {
  casync:
    'casync cuts one stream of all files and their metadata, so its chunks span files. Here each file is cut alone, so small files give more and shorter chunks.',
}
