import { randomUUID } from 'node:crypto'
import { readFile, rename, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from './error.ts'

/**
 * Creates the symbolic links between libraries. The package contains only a list of the links, because npm cannot pack
 * links. Safe to call from many processes at once. Does nothing in a read-only folder; if links are missing there,
 * starting the programs will fail.
 * @param native the folder with `bin`, `lib` and `share`
 */
export async function linkLibraries(native: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of list as { source: string; target: string }[]) {
    // The listed names start with "native/", whatever the folder's real path.
    const link = path.join(native, target.replace(/^native\//, ''))
    const library = path.posix.relative(`/${path.posix.dirname(target)}`, `/${source}`)
    if (await stat(link).catch(() => undefined)) continue
    try {
      // A rename is atomic, and replaces a broken link.
      const fresh = `${link}.${randomUUID()}`
      await symlink(library, fresh)
      await rename(fresh, link)
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error
      return
    }
  }
}
