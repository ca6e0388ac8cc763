import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describe, expect, test } from 'vitest'
import { descriptions } from './descriptions.ts'

const run = promisify(execFile)

/** Returns the errors and warnings of Redocly's recommended rules. */
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
  // This rule is too strict: it accepts only OAuth scopes in `security`, but OpenAPI 3.1 also allows roles of other
  // schemes. The rule also checks that the schemes exist, but Redocly checks that too.
  rules: { 'oas3-operation-security-defined': 'off' },
})

describe.each(descriptions)('the document of the $api.title', ({ document }) => {
  test("passes Redocly's recommended rules", async () => {
    expect(await redocly(document)).toEqual([])
  })

  test("passes Spectral's recommended rules", async () => {
    expect(await spectralRules.run(JSON.parse(JSON.stringify(document)) as Record<string, unknown>)).toEqual(
      [],
    )
  })
})

describe('the linters', () => {
  const broken = structuredClone(descriptions[0]!.document)
  broken.paths['/spaces/{subdomain}']!.get!.operationId = 'listPages'

  test('report a duplicate operationId, which shows that they really run', async () => {
    expect(await redocly(broken)).not.toEqual([])
    expect(
      await spectralRules.run(JSON.parse(JSON.stringify(broken)) as Record<string, unknown>),
    ).not.toEqual([])
  })
})
