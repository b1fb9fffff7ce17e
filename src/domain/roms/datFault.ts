/** Why a DAT, a detector or an archive of them cannot be read, without the name of the file. */
export class DatFault extends Error {
  override readonly name = 'DatFault'
}
