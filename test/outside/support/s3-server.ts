import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { freePort } from '../../support/program.ts'

const SCRIPT = fileURLToPath(new URL('s3-server.py', import.meta.url))

const BUCKET = 'files'

/** The key that the server accepts. */
export const S3_KEY = { accessKeyId: 'test:tester', secretAccessKey: 'testing' }

/** A server with an S3 API and one bucket. */
export interface S3Server {
  port: number
  start(): Promise<void>
  /** Ends the server. Its data is kept. */
  kill(): Promise<void>
  /** Makes the server stop responding, or respond again. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** The names of all objects whose names begin with a prefix. */
  objects(prefix?: string): Promise<string[]>
  /** Replaces the bytes of an object. */
  overwrite(name: string, bytes: string): Promise<void>
  delete(name: string): Promise<void>
  /** Ends the server and deletes its data. */
  remove(): Promise<void>
}

/** Starts OpenStack Swift (Debian's package `python3-swift`), which checks signatures as other S3 stores do. */
export const startS3Server = async (): Promise<S3Server> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-s3-'))
  const port = await freePort()
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: S3_KEY,
  })
  let server: ChildProcess | undefined

  const start = async () => {
    // Use Debian's Python, because a different Python in `PATH` would not have Debian's packages.
    server = spawn('/usr/bin/python3', [SCRIPT, folder, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await Promise.race([
      once(server.stdout!, 'data'),
      once(server, 'exit').then(() => Promise.reject(new Error('The S3 server has ended'))),
    ])
  }
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }
  await start()
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  return {
    port,
    start,
    kill,
    signal: signal => void server?.kill(signal),
    objects: async prefix => {
      const names: string[] = []
      let token: string | undefined
      do {
        const list = await client.send(
          new ListObjectsV2Command({ Bucket: BUCKET, Prefix: prefix, ContinuationToken: token }),
        )
        names.push(...(list.Contents ?? []).map(({ Key: key }) => key!))
        token = list.NextContinuationToken
      } while (token !== undefined)
      return names
    },
    overwrite: async (name, bytes) => {
      await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: name, Body: bytes }))
    },
    delete: async name => {
      await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: name }))
    },
    remove: async () => {
      await kill()
      client.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Settings for a service that keeps files in the bucket of the server. */
export const fileStoreAt = (
  port: number,
  { prefix = 'live', takesNew = true, credentials = S3_KEY } = {},
) => ({
  fileStore: {
    url: `http://127.0.0.1:${port}/${BUCKET}/${prefix}`,
    region: 'us-east-1',
    credentials,
    takesNew,
    keepDays: 7,
  },
})
