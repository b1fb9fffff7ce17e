/** The beginning of the line that names the version of an index, before the number. */
export const VERSION_HEAD = '# version\t'

/**
 * The fields of a line. `mode` is octal, `mtime_ns` nanoseconds since 1970; `of` is the whole file
 * of a part, or the first name of a file with several; `offset` is where a part begins in the
 * whole, whose digest is `whole_sha256`; `target` is that of a symbolic link; `holes` is `holes`
 * for a file that occupied less than its size. In a packed set `method` names the recipe of an
 * archive or another container, `in` is the path of the one that holds a file, and `member` the
 * file's name in it where that is not its path. Of an archive that is made after the index, `bytes`
 * and `sha256` are empty. `uid` and `gid` are the owners' numbers, `user` and `group` their names
 * on the source's system. `attributes` are extended attributes, with a space between two: the name,
 * in which a space and `=` are escaped too, `=0x`, and the value in hex. `sector` is the first
 * sector of 2,048 bytes of a file or a part in its volume's image, where Stowage makes the image: a
 * file can be read from a disc whose folders cannot. Older versions wrote the first six columns,
 * those before `uid`, or those before `sector`.
 */
export const INDEX_COLUMNS = [
  'volume',
  'label',
  'kind',
  'bytes',
  'sha256',
  'path',
  'mode',
  'mtime_ns',
  'of',
  'offset',
  'whole_sha256',
  'target',
  'holes',
  'in',
  'member',
  'method',
  'uid',
  'gid',
  'user',
  'group',
  'attributes',
  'sector',
] as const
