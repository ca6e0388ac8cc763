import { randomUUID } from 'node:crypto'
import { readFile, rename, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from './error.ts'

/**
 * Makes the library links that the package lists instead of containing them (npm packs no symbolic links).
 * Many processes may do so at once. Where the folder can't be written nothing happens: whoever tries the
 * programs out will see.
 * @param native the folder with `bin`, `lib` and `share`
 */
export async function linkLibraries(native: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of list as { source: string; target: string }[]) {
    // The names start with "native/", wherever that folder is now.
    const link = path.join(native, target.replace(/^native\//, ''))
    const library = path.posix.relative(`/${path.posix.dirname(target)}`, `/${source}`)
    if (await stat(link).catch(() => undefined)) continue
    try {
      // Renaming puts the link into its place in one step, over a broken one too.
      const fresh = `${link}.${randomUUID()}`
      await symlink(library, fresh)
      await rename(fresh, link)
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error
      return
    }
  }
}
