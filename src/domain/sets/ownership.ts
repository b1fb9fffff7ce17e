/** Whose a file is: numbers as its system had them, and names where that system had some. */
export interface Owner {
  uid: number
  gid: number
  user?: string | undefined
  group?: string | undefined
}

/** An extended attribute: its name in lossless text form, its value in hex. */
export interface ExtendedAttribute {
  name: string
  value: string
}

/** What restoring puts back of a file, a folder or a link where the target can hold it. Plans of older versions do not have it. */
export interface Ownership {
  owner?: Owner | undefined
  /** None are left out. */
  attributes?: ExtendedAttribute[] | undefined
}
