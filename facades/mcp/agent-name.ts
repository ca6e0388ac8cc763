import { isVisible } from '../../routers/api/shown-text.ts'
import { isObject, type Request } from './rpc.ts'
import { META } from './stateless.ts'

/** Maximum length of a stored name, in characters. */
const MAX_LENGTH = 60

/**
 * Returns the name of the client that sent a request: the name in the metadata of the stateless protocol, otherwise the
 * name with which the client connected, otherwise the product in its User-Agent header. Clients choose the name
 * themselves, so it is only displayed and nothing depends on it.
 *
 * @param connected the name in the latest handshake with the same credential; undefined for the stateless protocol
 */
export const agentName = (
  request: Request,
  connected: string | undefined,
  userAgent: string | undefined,
): string | undefined => nameInRequest(request) ?? connected ?? shown(userAgent?.split(/[/ ]/, 1)[0])

/** Returns the name in the metadata of the stateless protocol, or in `initialize`. */
export const nameInRequest = ({ method, params }: Request): string | undefined => {
  const info =
    method === 'initialize'
      ? params.clientInfo
      : isObject(params._meta)
        ? params._meta[`${META}clientInfo`]
        : undefined
  const given = isObject(info) ? (info.title ?? info.name) : undefined
  return typeof given === 'string' ? shown(given) : undefined
}

/**
 * Removes control characters: they cannot be displayed, and PostgreSQL cannot store U+0000. Returns undefined if
 * nothing visible is left.
 */
const shown = (name: string | undefined): string | undefined => {
  const text = name
    ?.replace(/\p{Cc}/gu, '')
    .slice(0, MAX_LENGTH)
    .toWellFormed()
  return text !== undefined && isVisible(text) ? text : undefined
}
