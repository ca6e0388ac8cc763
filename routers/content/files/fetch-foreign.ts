import type { z } from 'zod'
import type { Core } from '../../api/context.ts'
import type { FairQueueLimits } from '../../api/fair-queue.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { rules } from '../../api/rules.ts'
import { EMPTY_FILE } from './content.ts'
import { type FileFromUrl, fileName } from './schema.ts'

/**
 * Limits on concurrent and waiting fetches, in total and per account. Each running fetch can hold a file of the maximum
 * size in memory.
 */
export const FETCHES: FairQueueLimits = {
  running: 4,
  runningPerAccount: 1,
  waiting: 32,
  waitingPerAccount: 4,
}

/**
 * Fetches a file from the public internet for an account. The file gets the given name, otherwise the last part of the URL's path.
 *
 * @throws `validation_failed` if the file cannot be fetched or stored, `rate_limited` and `unavailable` if too many
 * fetches are waiting
 */
export const fetchForeign = async (
  { fetchFile, fetchQueue }: Core,
  accountId: string,
  { url, name }: z.output<typeof FileFromUrl>,
): Promise<{ name: string; bytes: Buffer }> => {
  const fetched = await fetchQueue
    .run(accountId, 1, () => fetchFile(new URL(url), rules.file.max_bytes))
    .catch((error: unknown) => {
      if (error instanceof Problem) throw error
      throw invalid('url', `could not be fetched: ${error instanceof Error ? error.message : String(error)}`)
    })
  if (fetched.bytes.length === 0) throw invalid('url', EMPTY_FILE)
  return { name: name ?? nameIn(fetched.url), bytes: fetched.bytes }
}

/** Returns the last part of a path. @throws `validation_failed` if it is not a valid file name */
const nameIn = ({ pathname }: URL): string => {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  const { data } = fileName.safeParse(decoded(last))
  if (data === undefined) throw invalid('name', 'is required, because the address has no file name')
  return data
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
