/**
 * Part of `npm run lint`: checks the imports between folders, including type-only imports. oxlint's patterns cannot
 * express an order of folders, and its cycle check ignores type-only imports. `.oxlintrc.json` says what the dashboard
 * may import.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The layers from bottom to top. A file may import only from its own layer and from the layers before it. */
const LAYERS = ['db', 'routers', 'facades', 'server']
/** Maximum number of entries in `routers`, so that a newcomer can remember what each is for. */
const MAX_FOLDERS = 10
/** The entries of `routers` from bottom to top. An entry may import only from itself and from the entries before it. */
const FOLDERS = [
  'api',
  'rendering',
  'content',
  'credentials',
  'spaces',
  'social',
  'accounts',
  'delivery',
  'visits',
  'index.ts',
]

/** The folders of `facades` whose code the others share. They import from no other folder of `facades`. */
const SHARED_FOLDERS = ['http', 'operations', 'shared']
/** The facades that describe other facades, and so import from them. */
const DESCRIBED: Readonly<Record<string, readonly string[]>> = {
  docs: ['openapi'],
  llms: ['openapi', 'mcp'],
}

/** The part of the command `space` that serves a folder with the code that delivers sites. */
const DEV = 'facades/cli/dev/'
const DELIVERY_FACADE = 'site'

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']*)'/g

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter(file => LAYERS.includes(file.split('/')[0]!))

const importsOf = new Map(
  files.map(file => [
    file,
    [...readFileSync(file, 'utf8').matchAll(SPECIFIER)].map(([, specifier]) =>
      path.normalize(path.join(path.dirname(file), specifier!)),
    ),
  ]),
)

const findings: string[] = []

if (FOLDERS.length > MAX_FOLDERS) findings.push(`routers has more than ${MAX_FOLDERS} entries`)
for (const file of files) {
  const [layer, folder] = file.split('/') as [string, string]
  if (layer === 'routers' && !FOLDERS.includes(folder))
    findings.push(`routers/${folder} is missing from the order of folders in ${import.meta.filename}`)
}

for (const [file, imports] of importsOf)
  for (const target of imports) {
    const [layer, folder] = file.split('/') as [string, string]
    const [targetLayer, targetFolder] = target.split('/') as [string, string]
    // Folders that are not layers, such as `test`, are not allowed either.
    if (!LAYERS.slice(0, LAYERS.indexOf(layer) + 1).includes(targetLayer))
      findings.push(`${file} imports ${target}: ${layer} must not import from ${targetLayer}`)
    if (layer === 'facades' && targetLayer === 'facades' && folder !== targetFolder) {
      const allowed = SHARED_FOLDERS.includes(folder) ? [] : [...SHARED_FOLDERS, ...(DESCRIBED[folder] ?? [])]
      if (file.startsWith(DEV)) allowed.push(DELIVERY_FACADE)
      if (!allowed.includes(targetFolder))
        findings.push(
          `${file} imports ${target}: facades/${folder} must not import from facades/${targetFolder}`,
        )
    }
    if (layer !== 'routers' || targetLayer !== 'routers') continue
    if (FOLDERS.indexOf(targetFolder) > FOLDERS.indexOf(folder))
      findings.push(
        `${file} imports ${target}: routers/${folder} must not import from routers/${targetFolder}`,
      )
  }

/** Files whose imports have been searched. They are not searched again, so that each cycle is reported only once. */
const settled = new Set<string>()
const visit = (file: string, trail: string[]): void => {
  if (settled.has(file)) return
  const start = trail.indexOf(file)
  if (start !== -1) {
    findings.push(`import cycle: ${[...trail.slice(start), file].join(' → ')}`)
    return
  }
  for (const target of importsOf.get(file) ?? []) visit(target, [...trail, file])
  settled.add(file)
}
for (const file of files) visit(file, [])

for (const finding of new Set(findings)) process.stderr.write(`${finding}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
