import { chmod, cp, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findBinaries, linkLibraries, packageFolder } from '../../db/embedded/binaries.ts'
import { serviceUser } from '../../db/embedded/user.ts'
import { newFolder } from './folders.ts'

/** Copies the package without its symbolic links, as npm installs it. */
async function bareCopy(target: string) {
  await cp(packageFolder(), target, { recursive: true, verbatimSymlinks: true })
  for (const entry of await readdir(path.join(target, 'native', 'lib'), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(path.join(entry.parentPath, entry.name))
  }
}

test('linkLibraries creates the links to the libraries, even concurrently, and repairs a broken link', async () => {
  const native = path.join(await newFolder(), 'native')
  await mkdir(path.join(native, 'lib'), { recursive: true })
  await writeFile(path.join(native, 'lib', 'libx.so.1.2'), 'library')
  await symlink('gone', path.join(native, 'lib', 'libx.so.1'))
  const links = ['libx.so', 'libx.so.1'].map(name => ({
    source: 'native/lib/libx.so.1.2',
    target: `native/lib/${name}`,
  }))
  await writeFile(path.join(native, 'pg-symlinks.json'), JSON.stringify(links))
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => linkLibraries(native)))
  expect((await readdir(path.join(native, 'lib'))).sort()).toEqual(['libx.so', 'libx.so.1', 'libx.so.1.2'])
  expect(await readFile(path.join(native, 'lib', 'libx.so'), 'utf8')).toBe('library')
  expect(await readlink(path.join(native, 'lib', 'libx.so.1'))).toBe('libx.so.1.2')
})

test('findBinaries uses the programs in the package if possible', async () => {
  const folder = await newFolder()
  const source = path.join(folder, 'package')
  await bareCopy(source)
  await chmod(folder, 0o755)
  const { postgres, major } = await findBinaries(folder, await serviceUser(folder), source)
  expect(postgres).toBe(path.join(source, 'native', 'bin', 'postgres'))
  expect(major).toBe(18)
})

test('findBinaries uses a copy if the service user cannot read the package or if linking libraries fails', async () => {
  const folder = await newFolder()
  await chmod(folder, 0o755)
  const source = path.join(folder, 'closed', 'package')
  await mkdir(path.dirname(source))
  await bareCopy(source)
  // If root runs this test, PostgreSQL runs as another user, who cannot open the folder `closed`. If another user runs
  // this test, that user cannot add links to the folder `lib`.
  await chmod(path.join(folder, 'closed'), 0o700)
  await chmod(path.join(source, 'native', 'lib'), 0o555)
  onTestFinished(() => chmod(path.join(source, 'native', 'lib'), 0o755))

  const user = await serviceUser(path.join(folder, 'no-data-yet'))
  const both = await Promise.all([1, 2].map(() => findBinaries(folder, user, source)))
  expect(both.map(found => path.dirname(found.postgres))).toEqual([
    expect.stringMatching(`^${folder}/postgres-18[^/]*/bin$`),
    expect.stringMatching(`^${folder}/postgres-18[^/]*/bin$`),
  ])
  expect((await readdir(folder)).filter(name => name.startsWith('unfinished'))).toEqual([])
})

test('findBinaries names an incompatible C library as the reason', async () => {
  const folder = await newFolder()
  const bin = path.join(folder, 'native', 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(path.join(folder, 'native', 'pg-symlinks.json'), '[]')
  await writeFile(path.join(folder, 'package.json'), '{"version":"18.0.0"}')
  // A missing loader causes the same failure as a program that was built for another C library.
  await writeFile(path.join(bin, 'postgres'), '#!/lib/ld-not-here.so\n', { mode: 0o755 })
  const found = findBinaries(folder, undefined, folder)
  await expect(found).rejects.toThrow(process.platform === 'linux' ? /glibc.*DATABASE_URL/ : /DATABASE_URL/)
})
