import { z } from 'zod'
import { databaseAddress, storeAddress, type Variables, whole, yesOrNo } from './schemas.ts'

/** Where the content is stored and backed up. */
export const storageVariables = {
  DATABASE_URL: {
    schema: databaseAddress,
    fallback: '',
    purpose: 'PostgreSQL database to use, version 15 or newer. If not set, the service starts its own.',
  },
  DATABASE_POOL: {
    ...whole(2, 1000, 10),
    purpose: 'Maximum number of connections from one process to the database.',
  },
  DATABASE_PREPARED_STATEMENTS: {
    ...yesOrNo('1'),
    purpose:
      'Set to `0` behind a connection pooler in transaction mode that does not support prepared statements, such as PgBouncer before 1.21.',
  },
  FILE_STORE_URL: {
    schema: storeAddress,
    fallback: '',
    purpose:
      'Address of a bucket in an S3-compatible store, such as `https://s3.example.org/bucket`. The store keeps the bytes of files. If a path follows the name of the bucket, the names of all objects begin with this path. If not set, the database keeps the bytes of files.',
  },
  FILE_STORE_REGION: {
    schema: z.string().min(1),
    fallback: 'us-east-1',
    purpose: 'Region of the file store.',
  },
  FILE_STORE_KEY_ID: {
    schema: z.string().min(1),
    fallback: '',
    purpose:
      'Id of the access key of the file store. If not set, the credentials are found as in the AWS command-line tools.',
  },
  FILE_STORE_SECRET: {
    schema: z.string().min(1),
    fallback: '',
    purpose: 'Secret of the access key of the file store.',
    isSecret: true,
  },
  FILE_STORE_NEW_FILES: {
    ...yesOrNo('1'),
    purpose: 'Set to `0` to write new files to the database, and use the file store only for reading.',
  },
  FILE_STORE_KEEP_DAYS: {
    ...whole(1, 3_650, 7),
    purpose:
      'Days for which the file store keeps the bytes of files that are no longer in the history. Restore only backups of the database that are younger than this.',
  },
  MIN_FREE_DISK_MIB: {
    ...whole(0, 1_000_000_000, 512),
    purpose:
      'Minimum free disk space, in MiB. While the disk of `DATA_DIR` has less, writes get a 503. While the disk of `TMPDIR` has less, exports and imports get a 503.',
  },
  BACKUP_HOURS: {
    ...whole(0, 8_760, 24),
    purpose: 'Hours between two backups of the embedded database. `0` means none.',
  },
  BACKUP_KEEP: {
    ...whole(1, 1_000, 7),
    purpose: 'Number of backups of the embedded database to keep. Older backups are deleted.',
  },
} as const satisfies Variables
