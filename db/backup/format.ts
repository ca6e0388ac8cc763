import { z } from 'zod'

/**
 * A backup has three parts: a first line of text, a zstd stream of frames, and a last line with the SHA-256 of
 * everything before it. A frame consists of its type (one byte), the length of its payload (four bytes) and the
 * payload. Data frames contain the output of `COPY … (format binary)`. JSON frames describe the data frames.
 */
export const FORMAT = 1

/** The beginning of the first line, before the number of the format. */
export const MAGIC = 'space-site backup '

/** Returns the last line of a backup. */
export const checksumLine = (sha256: string) => `sha256 ${sha256}\n`

/** Length of the last line in bytes. */
export const CHECKSUM_LENGTH = checksumLine('0'.repeat(64)).length

export const FRAME = { json: 1, data: 2 } as const

/** Size of the beginning of a frame, in bytes: one for the type, and four for the length of the payload. */
export const FRAME_HEAD = 5

/** Maximum size of a payload in bytes. Only a damaged file has a larger one. */
export const MAX_PAYLOAD = 1_048_576

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The first frame. */
export const Header = z.object({
  kind: z.literal('header'),
  created_at: z.string(),
  /** Names of the applied migrations, oldest first. */
  migrations: z.array(z.string()).min(1),
  /** Sorted so that rows refer only to tables earlier in the list. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
})

/** The frame that begins the data of a table. */
export const TableStart = z.object({ kind: z.literal('table'), name: z.string() })

/** The frame that ends the data of a table. */
export const TableEnd = z.object({
  kind: z.literal('table_end'),
  name: z.string(),
  rows: z.int(),
  /** Length of the data in bytes. */
  bytes: z.int(),
  /** Checksum of the data. */
  sha256: Sha256,
})

/** The last frame. */
export const Manifest = z.object({
  kind: z.literal('manifest'),
  tables: z.array(TableEnd.omit({ kind: true })),
  /** The current value of each sequence, and whether the sequence has returned that value already. */
  sequences: z.array(
    z.object({ table: z.string(), column: z.string(), value: z.string(), is_called: z.boolean() }),
  ),
})

export const JsonFrame = z.discriminatedUnion('kind', [Header, TableStart, TableEnd, Manifest])

export type Header = z.output<typeof Header>
export type Manifest = z.output<typeof Manifest>

/** Progress of a backup, a restore, or a command that moves or checks files. */
export interface Progress {
  phase: 'writing' | 'verifying' | 'restoring' | 'moving' | 'checking'
  /** Name of the table in progress. */
  table: string | undefined
  /** Bytes processed so far, and in total. While a backup is written, the total is an estimate. */
  done: number
  total: number
}

export type OnProgress = (progress: Progress) => void
