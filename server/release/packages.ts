import { constants, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { linkLibraries, packageFolder } from '../../db/embedded/binaries.ts'

const project = path.join(import.meta.dirname, '../..')

/** An installed package that a release contains. */
export interface Package {
  name: string
  version: string
  /** Its folder, relative to the project's folder. */
  folder: string
}

interface Manifest {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(project, folder, 'package.json'), 'utf8')) as Manifest

const describe = (folder: string): Package => {
  const { name, version } = manifestOf(folder)
  return { name, version, folder }
}

/** Returns the folder of the package that an import of `name` in `from` finds; undefined if it is not installed. */
const find = (name: string, from: string): string | undefined => {
  const folder = path.join(from, 'node_modules', name)
  if (existsSync(path.join(project, folder, 'package.json'))) return folder
  return from === '' ? undefined : find(name, path.dirname(from) === '.' ? '' : path.dirname(from))
}

/**
 * Returns packages with everything that they need, by folder. Leaves out optional packages that are not installed, such
 * as those for other platforms.
 *
 * @throws when a package is missing
 */
export const withDependencies = (names: readonly string[]): Package[] => {
  const found = new Map<string, Package>()
  const add = (name: string, from: string, isOptional: boolean) => {
    const folder = find(name, from)
    if (folder === undefined && !isOptional) throw new Error(`${name} is not installed.`)
    if (folder === undefined || found.has(folder)) return
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
    found.set(folder, describe(folder))
    for (const other of Object.keys(dependencies)) add(other, folder, other in optionalDependencies)
    for (const other of Object.keys(optionalDependencies)) add(other, folder, true)
  }
  for (const name of names) add(name, '', false)
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** The package with Node.js. It is in the lockfile, so every build of a commit contains the same, verified one. */
export const nodePackage = (): Package =>
  describe(
    path.relative(project, path.join(realpathSync(path.join(project, 'node_modules/.bin/node')), '../..')),
  )

/** The package with PostgreSQL. */
export const postgresPackage = (): Package => describe(path.relative(project, packageFolder()))

/** Copies a package without what only matters to people who write code with it. */
export const copyPackage = async ({ folder }: Package, to: string): Promise<void> => {
  const nested = path.join(project, folder, 'node_modules')
  await cp(path.join(project, folder), path.join(to, folder), {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    filter: file => file !== nested && !/\.(map|[cm]?ts)$/.test(file),
  })
}

/** Copies Node.js without its headers and manuals. */
export const copyNode = async ({ folder }: Package, to: string): Promise<void> => {
  for (const name of ['LICENSE', 'package.json', 'bin/node'])
    await cp(path.join(project, folder, name), path.join(to, folder, name), {
      mode: constants.COPYFILE_FICLONE,
    })
}

/** Copies PostgreSQL without what only compilers need, with the links that the first start creates in a checkout. */
export const copyPostgres = async ({ folder }: Package, to: string): Promise<void> => {
  const native = path.join(to, folder, 'native')
  for (const name of ['LICENSE.md', 'package.json', 'dist', 'native'])
    await cp(path.join(project, folder, name), path.join(to, folder, name), {
      recursive: true,
      // Otherwise, the links that the first start has created would lead to the checkout.
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: file => !/\.a$|\/(pkgconfig|pgxs)$/.test(file),
    })
  await linkLibraries(native)
}

/** Returns the text of a package's license, or of the part of its description that names it. */
export const licenseOf = ({ folder }: Pick<Package, 'folder'>): string | undefined => {
  const names = readdirSync(path.join(project, folder)).sort()
  const read = (name: string) => readFileSync(path.join(project, folder, name), 'utf8').trim()
  const files = names.filter(name => /^(licen[cs]e|copying|notice|third-party)/i.test(name))
  if (files.length > 0) return files.map(read).join('\n\n')
  const readme = names.find(name => /^readme/i.test(name))
  return readme && /^#* *licen[cs]e.*/ims.exec(read(readme))?.[0]
}
