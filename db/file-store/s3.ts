import { Readable } from 'node:stream'
import type { S3Client as Client } from '@aws-sdk/client-s3'
import type { ObjectStore } from './objects.ts'

/** How to reach a bucket. */
export interface S3Location {
  /** Address of the bucket; a path after the bucket's name becomes a prefix of all object names. */
  url: string
  region: string
  /** If undefined, the client looks for credentials where the AWS command-line tools do. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Time limits in ms, including all attempts. */
const LIMITS = { connect: 2_000, probe: 4_000, delete: 8_000, read: 10_000, put: 30_000 }

/** Number of attempts for a request that fails with an error worth retrying. */
const ATTEMPTS = 3

/** What a refused probe means, by status. */
const REASONS: Record<number, string> = {
  403: 'The file store refuses the access key, or the key has no permission to list the bucket.',
  404: 'The file store has no such bucket.',
}

/** Number of connections to the store. */
const CONNECTIONS = 64

/**
 * Connects to a bucket of an S3-compatible store. The client library is loaded only here, because most
 * installations don't use it. Connects lazily: if the store is unreachable, the first call fails.
 */
export const connectS3 = async ({ url, region, credentials }: S3Location): Promise<ObjectStore> => {
  const {
    DeleteObjectCommand,
    GetObjectCommand,
    HeadBucketCommand,
    NoSuchKey,
    PutObjectCommand,
    S3Client,
    S3ServiceException,
  } = await import('@aws-sdk/client-s3')
  const { origin, pathname } = new URL(url)
  const [bucket = '', ...prefix] = pathname.slice(1).split('/')
  const client: Client = new S3Client({
    endpoint: origin,
    region,
    forcePathStyle: true,
    maxAttempts: ATTEMPTS,
    // Stores other than Amazon's may not know the newer checksums. Signatures already cover a SHA-256 of the bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: LIMITS.connect,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    },
    ...(credentials && { credentials }),
  })
  const target = (key: string) => ({ Bucket: bucket, Key: [...prefix, key].join('/') })
  /**
   * Turns an error into a response: without a body if the object does not exist, with an empty body if the object ends
   * before the range.
   */
  const absent = (error: unknown): { Body?: AsyncIterable<Buffer> & Destroyable } => {
    if (error instanceof NoSuchKey) return {}
    if (error instanceof Error && error.name === 'InvalidRange') return { Body: Readable.from([]) }
    throw error
  }
  const within = (limit: number, signal?: AbortSignal) => ({
    abortSignal: AbortSignal.any([AbortSignal.timeout(limit), ...(signal ? [signal] : [])]),
  })

  return {
    put: async (key, bytes, digest, signal) => {
      const command = new PutObjectCommand({
        ...target(key),
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: 'application/octet-stream',
      })
      // Because of this header, the client does not compute the digest again, and the store verifies the bytes that it
      // receives.
      command.middlewareStack.add(
        next => args => {
          const request = args.request as { headers: Record<string, string> }
          request.headers['x-amz-content-sha256'] = Buffer.from(digest).toString('hex')
          return next(args)
        },
        { step: 'build' },
      )
      await client.send(command, within(LIMITS.put, signal))
    },
    read: async (key, start, end, signal) => {
      const limits = within(LIMITS.read, signal)
      const input = { ...target(key), Range: `bytes=${start}-${end}` }
      for (let attempt = 1; ; attempt++) {
        const { Body: body } = await client.send(new GetObjectCommand(input), limits).catch(absent)
        // The client does not repeat a request whose response breaks off.
        try {
          return body && (await collect(body as AsyncIterable<Buffer> & Destroyable, limits.abortSignal))
        } catch (error) {
          if (attempt === ATTEMPTS || limits.abortSignal.aborted) throw error
        }
      }
    },
    delete: async (key, signal) => {
      await client.send(new DeleteObjectCommand(target(key)), within(LIMITS.delete, signal))
    },
    probe: async () => {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }), within(LIMITS.probe))
      } catch (error) {
        // The response to a HEAD request has no body that could explain the error.
        const reason = error instanceof S3ServiceException && REASONS[error.$metadata.httpStatusCode ?? 0]
        throw reason ? new Error(reason, { cause: error }) : error
      }
    },
    close: () => client.destroy(),
  }
}

interface Destroyable {
  destroy(): void
}

/** Reads a body to its end. Rejects if the signal aborts. */
const collect = async (body: AsyncIterable<Buffer> & Destroyable, signal: AbortSignal): Promise<Buffer> => {
  signal.throwIfAborted()
  const onAbort = () => body.destroy()
  signal.addEventListener('abort', onAbort)
  try {
    const pieces: Buffer[] = []
    for await (const piece of body) pieces.push(piece)
    signal.throwIfAborted()
    return Buffer.concat(pieces)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
