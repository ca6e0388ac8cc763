import type { Settings } from '../folder/content.ts'

/** An item in the listing of a space. */
export interface RemoteItem {
  path: string
  /** Changes if and only if the bytes or the settings change. */
  version: string
  /** SHA-256 of the bytes, in hexadecimal. */
  digest: string
  /** Size in bytes; absent for texts. */
  size?: number
  settings: Settings
}

/** The listing of a space. */
export interface Listing {
  subdomain: string
  name: string
  /** The address of the site. */
  address: string
  files_domain: string
  items: RemoteItem[]
}

/** What a push changes. */
export interface Push {
  /** The bytes of the items that are written, by path. */
  contents: ReadonlyMap<string, Uint8Array>
  settings: ReadonlyMap<string, Settings>
  /** The version that each written or deleted item is based on; null for a new one. */
  changes: Readonly<Record<string, string | null>>
}

/** The result of a push. */
export interface Pushed {
  /** The id of the change in the history; null if nothing changed. */
  operation: string | null
  /** The new state of what was written. */
  items: RemoteItem[]
}

/** Thrown by a push if items have changed in the space since the versions that it is based on. Nothing was written. */
export class ChangedMeanwhile extends Error {
  readonly paths: readonly string[]

  constructor(paths: readonly string[]) {
    super(`These items have changed in the space: ${paths.join(', ')}`)
    this.paths = paths
  }
}

/** A space, as the commands use it. */
export interface Space {
  /** Called with what is done next. */
  onProgress?: ((step: string) => void) | undefined
  list(): Promise<Listing>
  /** Returns the bytes of items; those that are no longer there are left out. */
  read(paths: readonly string[]): Promise<Map<string, Uint8Array>>
  /** Writes all changes or none. @throws {ChangedMeanwhile} */
  write(push: Push): Promise<Pushed>
}
