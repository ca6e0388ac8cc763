import type { Addresses } from '../../api/addresses.ts'

/** Replaces the addresses of files in a body. */
export type Replace = (body: string) => string

/** How to replace the addresses of the exported files with the addresses of the imported files. */
interface Replacement {
  /** The domain of the addresses in the archive, with its port: letters, digits, dots, hyphens and a colon. */
  from: string
  /** The ids of the imported files, by their id in the archive. */
  ids: ReadonlyMap<string, string>
  to: Pick<Addresses, 'scheme' | 'filesDomain'>
}

/**
 * Returns a function that replaces the addresses of files in a body. Addresses of other files stay the same, and so do
 * addresses that a template puts together from several strings.
 */
export const fileAddressReplacer = ({ from, ids, to }: Replacement): Replace => {
  const address = new RegExp(
    String.raw`(https?:)?//([2-9a-z]{16})\.${from.replaceAll('.', '\\.')}(?![\w-]|\.[\w-]|:\d)`,
    'g',
  )
  const isMoved = from !== to.filesDomain
  return body =>
    // Most bodies have no such address, and searching for the domain alone is faster.
    body.includes(`.${from}`)
      ? body.replaceAll(address, (found: string, scheme: string | undefined, archived: string) => {
          const id = ids.get(archived)
          if (id === undefined) return found
          return `${scheme && isMoved ? `${to.scheme}:` : (scheme ?? '')}//${id}.${to.filesDomain}`
        })
      : body
}
