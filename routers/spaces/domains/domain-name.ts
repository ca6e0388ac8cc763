import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import type { Addresses } from '../../api/addresses.ts'
import { text } from '../../api/fields.ts'
import { limits } from '../../api/rules.ts'

/** A domain as people write it, perhaps copied from the address bar. Returned as DNS writes it. */
export const domainName = text({ min: 1, max: limits.domainName, trim: true })
  .transform(written => {
    const name = written
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '')
      .replace(/\.$/, '')
    return { written: name, name: domainToASCII(name) }
  })
  .superRefine(({ written, name }, context) => {
    const message = syntaxFault(written, name)
    if (message) context.addIssue({ code: 'custom', message })
  })
  .transform(({ name }) => name)
  .meta({ description: 'A domain, such as bakery.example' })

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

const syntaxFault = (written: string, name: string): string | undefined => {
  if (isIP(written.replace(/^\[(.*)\]$/, '$1')) !== 0 || isIP(name) !== 0)
    return 'is an IP address; use a domain such as bakery.example'
  if (/[/?#@:]/.test(written))
    return 'must be a domain alone, such as bakery.example, without a path, port or user'
  const labels = name.split('.')
  if (name === '' || name.length > limits.domainName || !labels.every(label => LABEL.test(label)))
    return 'must be a domain such as bakery.example'
  return undefined
}

/** Names that DNS does not have (RFC 6761 and its successors), or that no authority certifies. */
const SPECIAL = ['localhost', 'local', 'internal', 'invalid', 'onion', 'arpa', 'home', 'lan', 'alt']

const isWithin = (name: string, domain: string) => name === domain || name.endsWith(`.${domain}`)

/** The hosts of the service. */
const ownHosts = (addresses: Addresses): string[] => [
  new URL(addresses.apiRoot).hostname,
  ...[addresses.siteDomain, addresses.pagesDomain, addresses.filesDomain, addresses.postsDomain].map(domain =>
    domain.replace(/:\d+$/, ''),
  ),
]

/** Why a space cannot have one of these names, as the end of a sentence; undefined if it can have all of them. */
const nameFault = (
  addresses: Addresses,
  names: readonly string[],
  base: string,
  isPublicSuffix: boolean,
): string | undefined => {
  if (SPECIAL.some(domain => isWithin(base, domain)))
    return `ends in ${base.slice(base.lastIndexOf('.') + 1)}, which is not a domain of the internet`
  if (!base.includes('.')) return 'must be a domain such as bakery.example'
  const own = ownHosts(addresses).find(host => names.some(name => isWithin(name, host)))
  if (own) return `belongs to this service, like everything below ${own}`
  if (isPublicSuffix) return 'is a public suffix, below which many people have domains; use your own domain'
  return undefined
}

/** The names that are added together: a domain that can be registered and its `www.` name, or a name below it. */
interface Names {
  /** The name without `www.`. */
  base: string
  names: string[]
}

// The list of public suffixes is large, and many processes never need it.
const suffixes = () => import('tldts')

/** With the suffixes of companies below which many people have names, such as `github.io`. */
const WITH_PRIVATE = { allowPrivateDomains: true }

/** Whether a name is directly below a public suffix. */
export const canBeRegistered = async (name: string): Promise<boolean> =>
  (await suffixes()).getDomain(name, WITH_PRIVATE) === name

/**
 * Returns the names that a domain stands for.
 *
 * @returns also why a space cannot have them, as the end of a sentence; undefined if it can
 */
export const namesOf = async (
  addresses: Addresses,
  name: string,
): Promise<Names & { fault: string | undefined }> => {
  const { getPublicSuffix } = await suffixes()
  const withoutWww = name.replace(/^www\./, '')
  const isPaired = await canBeRegistered(withoutWww)
  const base = isPaired ? withoutWww : name
  const names = isPaired ? [base, `www.${base}`] : [base]
  const isSuffix = getPublicSuffix(base, WITH_PRIVATE) === base
  return { base, names, fault: nameFault(addresses, names, base, isSuffix) }
}

/**
 * Returns a name as people read it; null if it is the same. A name with letters outside ASCII can look like another one,
 * so both forms are shown.
 */
export const shownName = (name: string): string | null => {
  const shown = domainToUnicode(name)
  return shown === '' || shown === name ? null : shown
}
