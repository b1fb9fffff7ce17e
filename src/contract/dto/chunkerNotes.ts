/** What a person must know of a chunker's figures that their range does not hold; by permanent name. */
export const CHUNKER_NOTES: Readonly<Record<string, string>> = {
  casync:
    'casync cuts one stream of all files and their metadata, so that its chunks span files; here each file is cut by itself, which makes more and shorter chunks of small files.',
}
