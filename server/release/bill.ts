import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BUILDS } from '../../routers/api/builds.mjs'
import { licenseOf, type Package } from './packages.ts'

const project = path.join(import.meta.dirname, '../..')

/**
 * The libraries that come with PostgreSQL, by the beginning of their file names. Their licenses are in
 * `postgresql-licenses.txt`.
 */
const POSTGRES_LIBRARIES: Readonly<Record<string, { name: string; version: string; license: string }>> = {
  libcrypto: { name: 'openssl', version: '1.1.1', license: 'OpenSSL' },
  libssl: { name: 'openssl', version: '1.1.1', license: 'OpenSSL' },
  libicu: { name: 'icu', version: '60.2', license: 'Unicode-3.0' },
  liblzma: { name: 'xz', version: '5.2.2', license: 'LicenseRef-public-domain' },
  'libossp-uuid': { name: 'ossp-uuid', version: '1.6.2', license: 'ISC' },
  libxml2: { name: 'libxml2', version: '2.9.4', license: 'MIT' },
  libxslt: { name: 'libxslt', version: '1.1.29', license: 'MIT' },
  libz: { name: 'zlib', version: '1.2.11', license: 'Zlib' },
}

/** Libraries of PostgreSQL itself. */
const OWN_LIBRARIES = /^lib(pq|ecpg|pgtypes)/

/** A component that is not a package of npm. */
interface Program {
  name: string
  version: string
  license: string
}

const librariesOf = (postgres: Package): Program[] => {
  const names = readdirSync(path.join(project, postgres.folder, 'native/lib'))
  const libraries = names
    .filter(name => /\.(so|dylib)\b/.test(name) && !OWN_LIBRARIES.test(name))
    .map(name => {
      const entry = Object.entries(POSTGRES_LIBRARIES).find(([start]) => name.startsWith(start))
      if (!entry)
        throw new Error(`PostgreSQL comes with ${name}, of which server/release/bill.ts knows nothing.`)
      return entry[1]
    })
  return [...new Set(libraries)]
}

/** What a release consists of. */
export interface Contents {
  node: Package
  postgres: Package
  /** Packages in `node_modules`. */
  installed: readonly Package[]
  /** Time of the commit, in seconds. */
  date: number
}

interface BundledLicense {
  name: string
  version: string
  identifier?: string
  text?: string
}

/** The packages whose code is in a bundle. */
const bundled = (): BundledLicense[] =>
  Object.values(BUILDS).flatMap(
    ({ built }) =>
      JSON.parse(
        readFileSync(path.join(project, path.dirname(built), 'licenses.json'), 'utf8'),
      ) as BundledLicense[],
  )

const idOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`

const section = (title: string, text: string) => `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`

/**
 * Returns the licenses of everything in a release.
 *
 * @throws when the license of a package is unknown
 */
export const licensesOf = ({ node, installed }: Contents): string => {
  const texts = new Map<string, string>()
  for (const { text, identifier, ...item } of bundled()) {
    const found = text ?? licenseOf({ folder: `node_modules/${item.name}` }) ?? identifier
    if (found === undefined) throw new Error(`The license of ${item.name} is unknown.`)
    texts.set(idOf(item), found)
  }
  for (const item of installed) {
    const { license } = JSON.parse(readFileSync(path.join(project, item.folder, 'package.json'), 'utf8')) as {
      license?: string
    }
    const found = licenseOf(item) ?? license
    if (found === undefined) throw new Error(`The license of ${item.name} is unknown.`)
    texts.set(idOf(item), found)
  }
  const packages = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    'Space Site: all rights reserved. It contains the programs and packages below.\n',
    section(`Node.js ${node.version}`, licenseOf(node)!),
    readFileSync(path.join(import.meta.dirname, 'postgresql-licenses.txt'), 'utf8'),
    ...packages.map(([id, text]) => section(id, text)),
  ].join('\n')
}

interface CycloneDx {
  serialNumber?: string
  metadata: { timestamp: string; component: { name: string; type: string } }
  components: { 'bom-ref': string; scope?: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Returns the bill of materials in the format of CycloneDX. npm writes it for all packages of the lockfile; the release
 * contains fewer of them, and Node.js and PostgreSQL.
 */
export const billOf = ({ node, postgres, installed, date }: Contents): string => {
  const bill = JSON.parse(
    execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx'], {
      cwd: project,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    }),
  ) as CycloneDx
  const programs: Program[] = [
    { name: 'node', version: node.version, license: 'MIT' },
    { name: 'postgresql', version: postgres.version.replace(/-.*/, ''), license: 'PostgreSQL' },
    ...librariesOf(postgres),
  ]
  const ids = new Set([node, postgres, ...installed, ...bundled()].map(idOf))
  const known = bill.components.filter(component => ids.has(component['bom-ref']))
  const missing = [...ids].filter(id => !known.some(component => component['bom-ref'] === id))
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}.`)
  const own = programs.map(({ name, version, license }) => ({
    'bom-ref': `pkg:generic/${name}@${version}`,
    type: 'application',
    name,
    version,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: license.startsWith('LicenseRef') ? { name: license } : { id: license } }],
  }))
  // A number of its own for each build would make builds differ.
  const { serialNumber: _, ...rest } = bill
  const refs = new Set([...ids, ...own.map(item => item['bom-ref'])])
  const result = {
    ...rest,
    metadata: {
      ...bill.metadata,
      timestamp: new Date(date * 1_000).toISOString(),
      component: { ...bill.metadata.component, name: 'space-site', type: 'application' },
    },
    components: [...known.map(({ scope: _, ...component }) => component), ...own],
    dependencies: bill.dependencies
      .filter(({ ref }) => ids.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(id => refs.has(id)) })),
  }
  return `${JSON.stringify(result, null, 2)}\n`
}
