import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentFetcher } from '../../facades/oauth/fetch-document.ts'
import { clientDocuments } from '../../routers/credentials/oauth/client-documents.ts'
import { spaceOperations, toolsOf } from '../contract/operations.ts'
import { CERTIFICATE, documentHost } from '../oauth/support/document-host.ts'
import { freePort } from '../support/program.ts'
import { type Person, startTestService, type TestService } from '../support/test-service.ts'
import { approver, ConnectingClient } from './support/connecting-client.ts'
import { SDK_CLIENTS } from './support/sdk-clients.ts'

let service: TestService
let address: URL
beforeAll(async () => {
  const port = await freePort()
  service = await startTestService({ port, apiRoot: `http://localhost:${port}` })
  address = new URL(`http://localhost:${port}/user-mcp`)
})
afterAll(() => service.stop())

describe.each(Object.entries(SDK_CLIENTS))('%s', (_, connect) => {
  const connected = async (scopes?: string[]) => {
    const person = await service.signUp()
    const program = new ConnectingClient(approver(person.handle, scopes))
    return { person, program, connection: await connect(address, program) }
  }
  const grantOf = async (person: Person) => (await person.tokens.list()).find(({ client_id }) => client_id)!

  test('connects to /user-mcp knowing only its URL, and acts as the person who approved it', async () => {
    const { person, program, connection } = await connected(['posts', 'profile'])
    expect(await connection.tools()).toContain('create_post')
    expect(await connection.me()).toMatchObject({ handle: person.handle, scopes: ['posts', 'profile'] })
    expect(program.approvals).toBe(1)
    expect(program.redirectParams.get('state')).toBe('state-of-the-client')
    expect(await grantOf(person)).toMatchObject({ label: 'Automated client' })
    await connection.close()
  })

  test('connects to a space knowing only the URL of /mcp, and stops working when its key is revoked', async () => {
    const { owner, subdomain } = await service.createSpace()
    const program = new ConnectingClient(approver(owner.handle, ['pages', 'data'], subdomain))
    const connection = await connect(new URL('/mcp', address), program)
    expect(await connection.tools()).toHaveLength(toolsOf(spaceOperations).length)
    expect(await connection.space()).toMatchObject({ subdomain, scopes: ['pages', 'data'] })
    const key = (await owner.keys.list({ subdomain })).find(({ client_id }) => client_id)!
    expect(key).toMatchObject({ label: 'Automated client' })
    await owner.keys.revoke({ subdomain, key_id: key.id })
    await expect(connection.space()).rejects.toThrow(/Unauthorized/)
    expect(program.approvals).toBe(2)
    await connection.close()
  })

  test('connects with a metadata document, without registration', async () => {
    const host = await documentHost((req, res) => {
      const id = `https://${req.headers.host}${req.url}`
      res
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ...program.clientMetadata, client_id: id, client_name: 'Described client' }))
    })
    const local = { resolve: () => Promise.resolve(['127.0.0.1']), isAllowed: () => true, ca: CERTIFICATE }
    service.core.oauth.documents = clientDocuments(documentFetcher(local))
    const person = await service.signUp()
    const program = new ConnectingClient(approver(person.handle))
    program.clientMetadataUrl = `${host.origin}/client.json`
    const connection = await connect(address, program)
    expect(await connection.me()).toMatchObject({ handle: person.handle })
    expect(program.clientInformation()?.client_id).toBe(program.clientMetadataUrl)
    expect(await grantOf(person)).toMatchObject({
      label: 'Described client',
      client_id: program.clientMetadataUrl,
    })
    await connection.close()
    await host.close()
  })

  test('refreshes an expired token without asking the person', async () => {
    const { person, program, connection } = await connected()
    const before = program.tokens()!.access_token
    await service.core.database.orm.em
      .fork()
      .execute(`update user_tokens set expires_at = now() where client_id is not null`)
    expect(await connection.me()).toMatchObject({ handle: person.handle })
    expect(program.tokens()!.access_token).not.toBe(before)
    expect(program.approvals).toBe(1)
    await connection.close()
  })

  test('asks the person again after its grant is revoked', async () => {
    const { person, program, connection } = await connected()
    await connection.me()
    await person.tokens.revoke({ token_id: (await grantOf(person)).id })
    await expect(connection.me()).rejects.toThrow(/Unauthorized/)
    expect(program.approvals).toBe(2)
    await connection.close()
  })
})
