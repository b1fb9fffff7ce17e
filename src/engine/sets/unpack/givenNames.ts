/** Whether a program can be given a name as an argument: Node passes only Unicode, and lists need a line for each. */
export function canBeArgument(name: string): boolean {
  return !/[\ud800-\udfff]/u.test(name)
}

/** The deepest folder that all members are in and that programs can be given; empty for the top. */
export function commonFolder(members: ReadonlySet<string>): string {
  let common: string[] | null = null
  for (const member of members) {
    const folders = member.split('/').slice(0, -1)
    const same: number = (common ?? folders).findIndex((name, at) => name !== folders[at])
    common = same < 0 ? (common ?? folders) : (common ?? folders).slice(0, same)
  }
  const names = common ?? []
  const unfit = names.findIndex((name) => !canBeArgument(name))
  return (unfit < 0 ? names : names.slice(0, unfit)).join('/')
}
