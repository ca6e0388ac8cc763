import type { IncomingMessage, RequestListener } from 'node:http'
import type { VerifiedDomains } from '../../routers/api/context.ts'
import type { IsTrusted } from './forwarded.ts'

/** The path at which a proxy asks whether a name may get a certificate, as Caddy's `ask` does. */
const PATH = '/_ask'

/** Headers with which a proxy passes on the request of someone else. */
const FORWARDING = /^(?:x-forwarded-|x-real-ip$|forwarded$|via$)/

/** Whether a request is for {@link PATH}. */
export const isAsk = ({ url = '/' }: IncomingMessage): boolean =>
  url.startsWith(PATH) && (url.length === PATH.length || url[PATH.length] === '?')

/**
 * Answers 200 for a name that may get a certificate, and 404 for any other. Answers from memory, so that strangers who
 * connect with made-up names cost nothing, and so that known names keep their certificates while the database is away.
 *
 * Only a trusted proxy gets an answer, and only to a question of its own: nobody else needs to know which names are
 * here.
 */
export const answerAsk =
  (
    { mayHaveCertificate }: Pick<VerifiedDomains, 'mayHaveCertificate'>,
    isTrusted: IsTrusted,
  ): RequestListener =>
  (req, res) => {
    const send = (status: number, text: string) =>
      void res
        .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
        .end(`${text}\n`)
    const isForwarded = Object.keys(req.headers).some(name => FORWARDING.test(name))
    if (isForwarded || !isTrusted(req.socket.remoteAddress ?? '', 0))
      return send(403, 'Only a proxy that TRUSTED_PROXIES names may ask, and only directly')
    const name = new URLSearchParams(req.url!.slice(PATH.length)).get('domain') ?? ''
    return mayHaveCertificate(name.toLowerCase())
      ? send(200, 'This domain may have a certificate')
      : send(404, 'No space has verified this domain')
  }
