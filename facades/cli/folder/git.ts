import { spawn } from 'node:child_process'
import { Failure } from '../failure.ts'

/** A file in a commit. */
export interface CommittedFile {
  /** Its path in the folder. */
  file: string
  bytes: Buffer
}

/** What `actions/checkout` and others pass as the commit before the first push of a branch. */
const NO_COMMIT = /^0{40}(?:0{24})?$/

/**
 * Reads the files that a folder had in a commit, with git itself.
 *
 * @param paths the files and folders to read, relative to the folder
 * @throws {Failure} if there is no git, no repository, or no such commit
 */
export async function* filesOfCommit(
  root: string,
  commit: string,
  paths: readonly string[],
): AsyncGenerator<CommittedFile> {
  if (NO_COMMIT.test(commit)) return
  const git = (args: readonly string[], input = '') => gitOutput(root, args, input)
  const prefix = (await textOf(git(['rev-parse', '--show-prefix']))).replace(/\/?\n$/, '')
  const id = await textOf(git(['rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`])).catch(
    (error: unknown) => {
      if (!(error instanceof GitError)) throw error
      throw new Failure(
        `git has no commit "${commit}" here. If it exists, fetch it first: in GitHub Actions with "fetch-depth: 0", otherwise with git fetch --unshallow.`,
      )
    },
  )
  const folder = `${id.trim()}:${prefix}`
  // The folder may be newer than the commit.
  const tree = await textOf(git(['rev-parse', '--verify', '--quiet', folder])).catch(() => null)
  if (tree === null) return
  const list = await textOf(git(['ls-tree', '-r', '-z', '--full-tree', tree.trim(), ...paths]))
  const entries = list.split('\0').flatMap(line => {
    // Symbolic links and submodules have other modes.
    const [, blob, file] = /^100(?:644|755) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? []
    return blob !== undefined && file !== undefined ? [{ blob, file }] : []
  })
  if (entries.length === 0) return
  const output = git(['cat-file', '--batch'], entries.map(({ blob }) => `${blob}\n`).join(''))
  yield* blobsIn(output, entries)
}

/** Takes the answer of `git cat-file --batch` apart: for each blob a line that ends with its size, and its bytes. */
async function* blobsIn(
  output: AsyncIterable<Buffer>,
  entries: readonly { file: string }[],
): AsyncGenerator<CommittedFile> {
  let chunks: Buffer[] = []
  let size: number | null = null
  let index = 0
  let length = 0
  for await (const chunk of output) {
    chunks.push(chunk)
    length += chunk.length
    while (size === null || length > size) {
      if (size === null || chunks.length > 1) chunks = [Buffer.concat(chunks)]
      const rest = chunks[0]!
      if (size === null) {
        const end = rest.indexOf('\n')
        if (end < 0) break
        size = Number(rest.subarray(0, end).toString().split(' ').at(-1))
        if (!Number.isSafeInteger(size)) throw new Failure('git could not read a file of the commit.')
        chunks = [rest.subarray(end + 1)]
      } else {
        yield { file: entries[index++]!.file, bytes: rest.subarray(0, size) }
        // A line break follows.
        chunks = [rest.subarray(size + 1)]
        size = null
      }
      length = chunks[0]!.length
    }
  }
  if (index < entries.length) throw new Failure('git could not read all files of the commit.')
}

class GitError extends Failure {}

async function* gitOutput(root: string, args: readonly string[], input: string): AsyncGenerator<Buffer> {
  const git = spawn('git', args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] })
  let errors = ''
  git.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < 10_000) errors += chunk.toString()
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    git.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Failure('--base needs git, which is not installed here.') : error),
    )
    git.once('close', resolve)
  })
  ended.catch(() => {})
  // git may end before it has read everything.
  git.stdin.on('error', () => {})
  git.stdin.end(input)
  try {
    yield* git.stdout as AsyncIterable<Buffer>
    if ((await ended) !== 0) {
      if (/not a git repository/i.test(errors))
        throw new Failure('--base needs a git repository, and this folder is in none.')
      throw new GitError(`git: ${errors.trim().split('\n')[0] ?? 'failed without a reason'}`)
    }
  } finally {
    git.kill()
  }
}

const textOf = async (output: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of output) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
