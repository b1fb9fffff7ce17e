/** An optical drive of Windows; see native/src/platform/windows/opticalDrives.h. */
export interface SystemDrive {
  readonly device: string
  readonly hasDisc: boolean
  readonly fileSystem: string
  readonly label: string
  readonly bytes: number
}

export interface RawDrives {
  /** Windows only. */
  opticalDrives?(): Promise<SystemDrive[]>
}
