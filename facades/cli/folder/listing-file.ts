import type { KnownListing } from '../service/http-space.ts'
import { type Disk, MEMORY_FOLDER } from './disk.ts'

const FILE = `${MEMORY_FOLDER}/listing.json`

/** Returns the last listing that the folder got of a space, which the service then need not send again. */
export const readListing = async (disk: Disk, address: string): Promise<KnownListing | undefined> => {
  try {
    const kept = JSON.parse((await disk.read(FILE))!.toString()) as KnownListing & { address: string }
    return kept.address === address && Array.isArray(kept.listing.items) ? kept : undefined
  } catch {
    // It is only a copy.
    return undefined
  }
}

/** Keeps a listing for the next command. */
export const writeListing = (disk: Disk, address: string, { etag, listing }: KnownListing): Promise<void> =>
  disk.write(FILE, Buffer.from(JSON.stringify({ address, etag, listing })))
