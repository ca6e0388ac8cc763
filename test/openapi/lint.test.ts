import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describe, expect, test } from 'vitest'
import { descriptions } from './described.ts'

const run = promisify(execFile)

/** What Redocly's recommended rules object to, warnings included. */
const redocly = async (document: unknown): Promise<unknown[]> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-openapi-'))
  try {
    await writeFile(path.join(folder, 'openapi.json'), JSON.stringify(document))
    const { stdout } = await run(
      path.resolve('node_modules/.bin/redocly'),
      ['lint', 'openapi.json', '--extends=recommended', '--format=json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    ).catch((error: { stdout: string }) => error)
    return (JSON.parse(stdout) as { problems: { ruleId: string; message: string; location: unknown }[] })
      .problems
  } finally {
    await rm(folder, { recursive: true })
  }
}

const spectralRules = new spectral.Spectral()
spectralRules.setRuleset({
  extends: [rulesets.oas as RulesetDefinition],
  // The rule knows scopes of OAuth flows only; OpenAPI 3.1 lets other schemes name roles in the same place.
  // That the schemes are there is among Redocly's rules.
  rules: { 'oas3-operation-security-defined': 'off' },
})

describe.each(descriptions)('the document of the $api.title', ({ document }) => {
  test("gives Redocly's recommended rules nothing to object to", async () => {
    expect(await redocly(document)).toEqual([])
  })

  test("gives Spectral's recommended rules nothing to object to", async () => {
    expect(await spectralRules.run(JSON.parse(JSON.stringify(document)) as Record<string, unknown>)).toEqual(
      [],
    )
  })
})

describe('the linters', () => {
  const broken = structuredClone(descriptions[0]!.document)
  broken.paths['/spaces/{subdomain}']!.get!.operationId = 'listPages'

  test('object to a document with a mistake, or the tests above would prove nothing', async () => {
    expect(await redocly(broken)).not.toEqual([])
    expect(
      await spectralRules.run(JSON.parse(JSON.stringify(broken)) as Record<string, unknown>),
    ).not.toEqual([])
  })
})
