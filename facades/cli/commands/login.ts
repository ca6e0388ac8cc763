import { type Command, print, shown } from '../commands.ts'
import { Failure } from '../failure.ts'
import { Disk } from '../folder/disk.ts'
import { parseAddress, parseInstance, type SpaceAddress } from '../service/address.ts'
import { loginInBrowser } from '../service/browser-login.ts'
import { type Credential, keyCredential } from '../service/credential.ts'
import { type Grant, revokeGrant } from '../service/grants.ts'
import { HttpSpace, spaceOf } from '../service/http-space.ts'
import { forgetCredential, storeCredential } from '../service/keys.ts'
import { findLinkedSite, findSite, SITE_FILE } from '../site.ts'
import type { Terminal } from '../terminal.ts'

const KEY = /^ss_sk_[\w-]+$/

export const login: Command = {
  name: 'login',
  usage: 'login [address] [--key]',
  summary: 'gives this computer access to a space',
  details: `Opens the browser, where you sign in and agree. The access is for one space, is stored in your configuration folder,
where only you can read it, and appears among the keys of the space, where you can end it. Takes the address of a space, or
of the service: then you choose the space in the browser, or create one, and a folder that has no space yet gets it.
Without an address, the space of the current folder is meant.

--key asks for a key instead, for a computer without a browser. Create it in the dashboard, at the address of the space
with /keys, with the scopes pages, data, files and files_write. In CI, set SPACE_URL to the address of the space and
SPACE_KEY to a key.`,
  examples: [
    'space login https://example.com',
    'space login https://example.com/admin/spaces/garden',
    'space login --key https://example.com/admin/spaces/garden',
  ],
  count: [0, 1],
  options: ['key'],
  run: async (terminal, [text], options) => {
    if (!terminal.isInteractive)
      throw new Failure('space login needs a person at a terminal; in CI set SPACE_URL and SPACE_KEY.', 2)
    const { at, name } = options.key ? await byKey(terminal, text) : await inBrowser(terminal, text)
    const isLinked = await link(terminal, at)
    print(terminal, options, { address: at.address }, [
      `This computer has access to ${shown(name)}, ${at.address}`,
      isLinked
        ? 'The folder belongs to it now; space push publishes it.'
        : `space clone ${at.address} copies it.`,
    ])
    return 0
  },
}

const byKey = async (terminal: Terminal, text: string | undefined) => {
  const at = text === undefined ? (await findLinkedSite(terminal)).at : parseAddress(text)
  terminal.note(`Create a key at ${at.address}/keys with the scopes pages, data, files and files_write.`)
  const key = (await terminal.ask('Key: ', true)).trim()
  if (!KEY.test(key)) throw new Failure('This is not a key of a space: those start with ss_sk_.')
  const { name } = await new HttpSpace(at, keyCredential(key, at.address), terminal.fetch).list()
  await replace(terminal, at, key)
  return { at, name }
}

/** Lets a person give access to a space in the browser, and stores it. @throws {Failure} */
export const inBrowser = async (terminal: Terminal, text: string | undefined) => {
  const { root, subdomain } = text === undefined ? (await findLinkedSite(terminal)).at : parseInstance(text)
  const grant = await loginInBrowser(terminal, root, subdomain)
  try {
    const { request, credential } = { request: terminal.fetch, credential: credentialOf(grant, root) }
    const chosen = await spaceOf(root, credential, request)
    if (subdomain !== null && chosen !== subdomain)
      throw new Failure(
        `You chose the space ${chosen} in the browser, not ${subdomain}; run space login again, or name the other one.`,
      )
    const at = parseAddress(`${root}/admin/spaces/${chosen}`)
    const { name } = await new HttpSpace(at, credential, request).list()
    await replace(terminal, at, grant)
    return { at, name }
  } catch (error) {
    await revokeGrant(terminal.fetch, root, grant).catch(() => {})
    throw error
  }
}

const credentialOf = ({ access_token }: Grant, root: string): Credential => keyCredential(access_token, root)

/** Stores a key or grant, and ends the grant that it replaces. */
const replace = async (terminal: Terminal, at: SpaceAddress, stored: string | Grant): Promise<void> => {
  const before = await storeCredential(terminal.env, at, stored)
  if (typeof before === 'object') await revokeGrant(terminal.fetch, at.root, before).catch(() => {})
}

/** Writes the address of the space into the current folder, if it is a site without one. @returns whether it is */
const link = async (terminal: Terminal, { address }: SpaceAddress): Promise<boolean> => {
  const site = await findSite(terminal).catch(() => null)
  if (!site || site.at !== null) return false
  const disk = new Disk(site.root, terminal.beforeStep)
  const text = (await disk.read(SITE_FILE))?.toString().replace('\uFEFF', '') ?? '{}'
  const fields = { ...(JSON.parse(text) as object), address }
  await disk.write(SITE_FILE, Buffer.from(`${JSON.stringify(fields, null, 2)}\n`))
  return true
}

export const logout: Command = {
  name: 'logout',
  usage: 'logout [address]',
  summary: 'ends the access of this computer to a space',
  details: `What you agreed to in the browser ends everywhere. A key is only deleted here; it works until it is revoked in the
dashboard.`,
  examples: ['space logout', 'space logout https://example.com/admin/spaces/garden'],
  count: [0, 1],
  options: [],
  run: async (terminal, [text], options) => {
    const at = text === undefined ? (await findLinkedSite(terminal)).at : parseAddress(text)
    const stored = await forgetCredential(terminal.env, at)
    let line = 'Nothing is stored for this space.'
    if (typeof stored === 'string')
      line = `The key is deleted here. To end it everywhere, revoke it at ${at.address}/keys`
    if (typeof stored === 'object') {
      const isEnded = await revokeGrant(terminal.fetch, at.root, stored).then(
        () => true,
        () => false,
      )
      line = isEnded
        ? 'The access has ended.'
        : `The access is deleted here, but the service cannot be reached; end it at ${at.address}/keys`
    }
    print(terminal, options, { address: at.address, existed: stored !== undefined }, [line])
    return 0
  },
}
