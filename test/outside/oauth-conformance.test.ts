import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRegistration } from '../oauth/support/flow.ts'
import { freePort } from '../support/program.ts'
import { startTestService, type TestService } from '../support/test-service.ts'
import { approver } from './support/connecting-client.ts'

let service: TestService
beforeAll(async () => {
  const port = await freePort()
  service = await startTestService({ port, apiRoot: `http://localhost:${port}` })
})
afterAll(() => service.stop())

const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
)

test.each(['/mcp', '/user-mcp'])(
  'the scenarios of the official suite for authorization servers pass for %s',
  async resource => {
    const port = await freePort()
    const callback = `http://127.0.0.1:${port}/callback`
    const { body } = await sendRegistration(service, {
      client_name: 'Conformance',
      redirect_uris: [callback],
    })
    const { apiRoot } = service.core.addresses
    const { owner, subdomain } = await service.createSpace()
    const approve = approver(owner.handle, undefined, subdomain)

    const child = spawn(process.execPath, [
      suite,
      'authorization',
      `--url=${apiRoot}/oauth`,
      `--resource=${apiRoot}${resource}`,
      `--client-id=${String(body.client_id)}`,
      `--port=${port}`,
    ])
    let output = ''
    let isAnswered = false
    const onText = (text: string) => {
      output += text
      const authorizationUrl = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(output)?.[1]
      if (authorizationUrl === undefined || isAnswered) return
      isAnswered = true
      // Approve the request and follow the redirect to the callback, which the suite waits for.
      void approve(new URL(authorizationUrl)).then(location => fetch(location))
    }
    child.stdout.setEncoding('utf8').on('data', onText)
    child.stderr.setEncoding('utf8').on('data', onText)
    const [code] = (await once(child, 'close')) as [number]

    expect(output).toMatch(/authorization-server-metadata-endpoint/)
    expect(output).toMatch(/authorization-code-grant/)
    expect(output).not.toMatch(/SKIPPED|WARNING|FAILURE/)
    expect({ code, isAnswered }).toEqual({ code: 0, isAnswered: true })
  },
)
