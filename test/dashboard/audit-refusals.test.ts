import { describe, expect, test } from 'vitest'
import { rateLimiter } from '../../routers/api/rate-limit.ts'
import { limits, rules } from '../../routers/api/rules.ts'
import { toolClient } from '../mcp/support/tool-client.ts'
import { copyCredential } from '../support/copies.ts'
import { withoutHistory } from '../support/history.ts'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'
import { useAuditedSpace } from './support/audited-space.ts'
import { authenticator } from './support/authenticator.ts'
import { signUp } from './support/passkeys.ts'

const service = useTestService()
const { space } = useAuditedSpace(service)

/** The refusals in the audit logs of the space and of its owner's account. */
const refusals = async () => {
  await service.core.countedEvents.flush()
  const ofSpace = await space.owner.audit.ofSpace({ subdomain: space.subdomain, topic: 'refusals' })
  const ofAccount = await space.owner.audit.ofAccount({ topic: 'refusals' })
  return { ofSpace: ofSpace.events, ofAccount: ofAccount.events }
}

describe('the audit logs of the space and of the person’s account', () => {
  test('list a refused attempt to issue a key above the limit', async () => {
    const issue = () =>
      space.owner.keys.issue({ subdomain: space.subdomain, label: 'deploy', scopes: ['pages'] })
    const { id } = await issue()
    await copyCredential(service, 'space_keys', id, limits.keys)
    expect(await errorCodeOf(issue())).toBe('too_many_keys')
    const event = { code: 'too_many_keys', handle: space.owner.handle, actor_label: null, count: 1 }
    expect(await refusals()).toMatchObject({ ofSpace: [event], ofAccount: [event] })
  })

  test('list a refused attempt to create an invitation above the limit', async () => {
    for (let n = 0; n < limits.openInvites; n++)
      await space.owner.invites.create({ subdomain: space.subdomain })
    expect(await errorCodeOf(space.owner.invites.create({ subdomain: space.subdomain }))).toBe(
      'too_many_invites',
    )
    const event = { code: 'too_many_invites', handle: space.owner.handle, count: 1 }
    expect(await refusals()).toMatchObject({ ofSpace: [event], ofAccount: [event] })
  })
})

test('the audit log of the account lists a refused attempt to register a passkey above the limit', async () => {
  const { api, handle } = await signUp(service)
  for (let n = 0; n < limits.passkeys; n++) {
    const response = authenticator().register(await api.passkeys.startRegistration.mutate())
    await api.passkeys.register.mutate({ response })
  }
  await api.passkeys.startRegistration.mutate().catch(() => {})
  await service.core.countedEvents.flush()
  expect((await api.audit.ofAccount.query({ topic: 'refusals' })).events).toMatchObject([
    { code: 'too_many_passkeys', handle, count: 1 },
  ])
})

describe('a refused upload to an upload link', () => {
  const fill = async () => {
    const file = { subdomain: space.subdomain, name: 'a.txt', encoding: 'text', content: 'x' } as const
    const { id } = await space.owner.files.create(file)
    const size = rules.file.quota_bytes
    await withoutHistory(service.core.database, db =>
      db.updateTable('files').set({ size }).where('id', '=', id).execute(),
    )
  }
  /** Sends a file to the link, and returns the status of the response. */
  const send = async (url: string) => {
    const response = await fetch(service.root + new URL(url).pathname, { method: 'PUT', body: 'bytes' })
    await response.body?.cancel()
    return response.status
  }
  /** Uses a key to create an upload link, and returns its URL. */
  const linkOfKey = async () => {
    const client = toolClient(service, '/mcp/studio', await space.key('files_write'), '2026-07-28')
    const { structuredContent } = await client.call('create_upload_link', { name: 'logo.png' })
    return (structuredContent as unknown as { url: string }).url
  }

  test('is in the audit log of the space, but not of the account, if a key created the link', async () => {
    await fill()
    expect(await send(await linkOfKey())).toBe(409)
    const event = {
      code: 'storage_quota_exceeded',
      handle: space.owner.handle,
      actor_label: 'test',
      count: 1,
    }
    expect(await refusals()).toMatchObject({ ofSpace: [event], ofAccount: [] })
  })

  test('is in the audit logs of the space and of the account, if a person created the link', async () => {
    await fill()
    const { url } = await space.owner.uploadLinks.create({ subdomain: space.subdomain, name: 'logo.png' })
    expect(await send(url)).toBe(409)
    const event = { code: 'storage_quota_exceeded', handle: space.owner.handle, actor_label: null, count: 1 }
    expect(await refusals()).toMatchObject({ ofSpace: [event], ofAccount: [event] })
  })

  test('is in the audit log of the space if the cause is the rate limit of the key that created the link', async () => {
    const url = await linkOfKey()
    const { core } = service
    const usual = core.calls
    core.calls = rateLimiter('test-calls', 0, 60, null)
    try {
      expect(await send(url)).toBe(429)
    } finally {
      core.calls = usual
    }
    expect(await refusals()).toMatchObject({
      ofSpace: [{ code: 'rate_limited', handle: space.owner.handle, actor_label: 'test', count: 1 }],
    })
  })
})
