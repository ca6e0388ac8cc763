/**
 * `npm run release`: builds `release/space-site-<version>-<platform>.tar.gz` and its checksum, for the platform on which it
 * runs. The release runs without npm, without other programs and without the network. It is a checkout without sources
 * and with only the packages that the bundles do not contain, so all paths in it are those of a checkout.
 *
 * Each build of a commit results in the same bytes: the packages are those of the lockfile, which names their checksums,
 * and all times are that of the commit. Needs GNU tar.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { BUILDS, isCurrent } from '../../routers/api/builds.mjs'
import { VERSION } from '../version.ts'
import { billOf, type Contents, licensesOf } from './bill.ts'
import {
  copyNode,
  copyPackage,
  copyPostgres,
  nodePackage,
  postgresPackage,
  withDependencies,
} from './packages.ts'

const project = path.join(import.meta.dirname, '../..')
const folder = path.join(project, 'release')
const name = `space-site-${VERSION}-${process.platform}-${process.arch}`

/** Packages that the program reads, besides those that it imports. */
const READ = ['@fontsource-variable/figtree']

/** Files of the built program, without those of earlier builds. */
const builtFiles = (): string[] => {
  const manifest = JSON.parse(
    readFileSync(path.join(project, 'server/dist/manifest.json'), 'utf8'),
  ) as Record<string, { file: string }>
  return [
    ...Object.values(manifest).map(({ file }) => `server/dist/${file}`),
    BUILDS.worker.built,
    BUILDS.cli.built,
    ...globSync('facades/admin/dist/{index.html,assets/*}', { cwd: project }),
  ]
}

/** Files other than code that the program reads, and those for operators. */
const otherFiles = (): string[] =>
  globSync('{db,facades,routers,server}/**/*.*', { cwd: project, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(project, path.join(entry.parentPath, entry.name)))
    .filter(
      file => !/\.tsx?$|\/dist\/|^facades\/admin\/|^server\/(release|install)|snapshot\.json$/.test(file),
    )

const gather = async (to: string): Promise<Contents> => {
  const names = JSON.parse(readFileSync(path.join(project, 'server/dist/packages.json'), 'utf8')) as string[]
  const contents = {
    node: nodePackage(),
    postgres: postgresPackage(),
    installed: withDependencies([...names, ...READ]),
    date: dateOfCommit(),
  }
  for (const file of new Set([...builtFiles(), ...otherFiles(), 'space-site', 'CHANGELOG.md', 'docs']))
    await cp(path.join(project, file), path.join(to, file), { recursive: true })
  await cp(path.join(import.meta.dirname, 'README.md'), path.join(to, 'README.md'))
  const { version, type } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as Record<
    string,
    string
  >
  await writeFile(path.join(to, 'package.json'), `${JSON.stringify({ name: 'space-site', version, type })}\n`)
  for (const item of contents.installed) await copyPackage(item, to)
  await copyNode(contents.node, to)
  await copyPostgres(contents.postgres, to)
  await mkdir(path.join(to, 'node_modules/.bin'))
  await symlink(`../${path.basename(contents.node.folder)}/bin/node`, path.join(to, 'node_modules/.bin/node'))
  return contents
}

const dateOfCommit = (): number =>
  Number(
    process.env.SOURCE_DATE_EPOCH ??
      execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: project, encoding: 'utf8' }),
  )

/** Packs a folder. Sorts the files, and leaves out who owns them here and when they were written. */
const pack = async (parent: string, date: number, archive: string): Promise<void> => {
  const options = ['--format=gnu', '--sort=name', `--mtime=@${date}`, '--mode=u=rwX,go=rX']
  const owner = ['--owner=0', '--group=0', '--numeric-owner']
  const tar = spawn('tar', [...options, ...owner, '-C', parent, '-c', name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await pipeline(tar.stdout, createGzip(), createWriteStream(archive))
  if (tar.exitCode !== 0) throw new Error('tar failed: is it GNU tar?')
}

for (const build of Object.values(BUILDS))
  if (!isCurrent(build) || !existsSync(path.join(project, path.dirname(build.built), 'licenses.json')))
    execFileSync(process.execPath, [build.script, '--force'], { cwd: project, stdio: 'inherit' })

const unfinished = path.join(folder, `unfinished-${process.pid}`)
try {
  const root = path.join(unfinished, name)
  await mkdir(root, { recursive: true })
  const contents = await gather(root)
  await writeFile(path.join(root, 'LICENSES.txt'), licensesOf(contents))
  await writeFile(path.join(root, 'sbom.cdx.json'), billOf(contents))
  const archive = path.join(unfinished, `${name}.tar.gz`)
  await pack(unfinished, contents.date, archive)
  const hash = createHash('sha256')
  await pipeline(createReadStream(archive), hash)
  await writeFile(`${archive}.sha256`, `${hash.digest('hex')}  ${name}.tar.gz\n`)
  for (const file of [`${name}.tar.gz`, `${name}.tar.gz.sha256`])
    await rename(path.join(unfinished, file), path.join(folder, file))
  process.stdout.write(`release/${await readFile(path.join(folder, `${name}.tar.gz.sha256`), 'utf8')}`)
} finally {
  await rm(unfinished, { recursive: true, force: true })
}
