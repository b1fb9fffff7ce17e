/** The number of a volume as it stands in file names: two digits, more when the plan has a hundred volumes or more. */
export function volumeNumber(index: number, volumes: number): string {
  return String(index).padStart(Math.max(2, String(volumes).length), '0')
}

/** Where things of a volume stand below the folder of an exported plan. */
export function volumePlaces(index: number, volumes: number) {
  const number = volumeNumber(index, volumes)
  return {
    number,
    directory: `volumes/${number}`,
    entries: `volumes/${number}/entries.jsonl`,
    list: `volumes/${number}/files.xorriso`,
    sums: `volumes/${number}/SHA256SUMS`,
    payload: `volumes/${number}/payload`,
    image: `images/${number}.iso`,
    folder: `folders/${number}`,
  } as const
}
