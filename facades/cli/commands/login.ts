import { type Command, print, shown } from '../commands.ts'
import { Failure } from '../failure.ts'
import { parseAddress } from '../service/address.ts'
import { HttpSpace } from '../service/http-space.ts'
import { forgetKey, storeKey } from '../service/keys.ts'
import { findLinkedSite } from '../site.ts'
import type { Terminal } from '../terminal.ts'

const addressOf = async (terminal: Terminal, text: string | undefined) =>
  text === undefined ? (await findLinkedSite(terminal)).at : parseAddress(text)

const KEY = /^ss_sk_[\w-]+$/

export const login: Command = {
  name: 'login',
  usage: 'login [address]',
  summary: 'stores a key of a space on this computer',
  details: `Asks for the key, checks it and stores it in your configuration folder, where only you can read it. It is sent to the
service of this space only. Create the key in the dashboard, at the address of the space with /keys, with the scopes
pages, data, files and files_write. Without an address, the space of the current folder is meant.

In CI, set SPACE_URL to the address of the space and SPACE_KEY to the key instead.`,
  examples: ['space login https://example.com/admin/spaces/garden'],
  count: [0, 1],
  options: [],
  run: async (terminal, [text], options) => {
    const at = await addressOf(terminal, text)
    if (!terminal.isInteractive)
      throw new Failure(
        'space login asks for a key, so it needs a terminal; in CI set SPACE_URL and SPACE_KEY.',
        2,
      )
    terminal.note(`Create a key at ${at.address}/keys with the scopes pages, data, files and files_write.`)
    const key = (await terminal.ask('Key: ', true)).trim()
    if (!KEY.test(key)) throw new Failure('This is not a key of a space: those start with ss_sk_.')
    const { name } = await new HttpSpace(at, key, terminal.fetch).list()
    await storeKey(terminal.env, at, key)
    print(terminal, options, { address: at.address }, [`The key for ${shown(name)} works and is stored.`])
    return 0
  },
}

export const logout: Command = {
  name: 'logout',
  usage: 'logout [address]',
  summary: 'deletes the stored key of a space',
  details: 'The key still works until it is revoked in the dashboard.',
  examples: ['space logout', 'space logout https://example.com/admin/spaces/garden'],
  count: [0, 1],
  options: [],
  run: async (terminal, [text], options) => {
    const at = await addressOf(terminal, text)
    const existed = await forgetKey(terminal.env, at)
    const line = existed
      ? `The key is deleted here. To end it everywhere, revoke it at ${at.address}/keys`
      : 'No key is stored for this space.'
    print(terminal, options, { address: at.address, existed }, [line])
    return 0
  },
}
