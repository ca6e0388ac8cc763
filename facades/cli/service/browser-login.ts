import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { CLIENT_ID, exchangeCode, type Grant } from './grants.ts'

/** How long a person has to decide in the browser, in ms. */
const PATIENCE = 600_000

const SCOPES = 'pages data files files_write'

const answerPage = (text: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>space</title><body style="font-family:system-ui;max-width:30rem;margin:15vh auto;padding:0 1rem"><p>${text}</p></body></html>`

/**
 * Lets a person grant access to one space in the browser. The browser brings the answer to a port of this computer (RFC
 * 8252), and PKCE makes it worthless to any other program.
 *
 * @param subdomain the space to suggest
 * @throws {Failure} if the person does not agree
 */
export const loginInBrowser = async (
  terminal: Terminal,
  root: string,
  subdomain: string | null,
): Promise<Grant> => {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const answer = Promise.withResolvers<URLSearchParams>()
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://127.0.0.1')
    const isAnswer = req.method === 'GET' && url.pathname === '/' && url.searchParams.get('state') === state
    const text = url.searchParams.has('code')
      ? 'This computer has access now. You can close this page and go back to the terminal.'
      : 'This computer has no access. You can close this page.'
    res.writeHead(isAnswer ? 200 : 404, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    res.end(isAnswer ? answerPage(text) : answerPage('Nothing is here.'))
    if (isAnswer) answer.resolve(url.searchParams)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const timer = setTimeout(
    () =>
      answer.reject(
        new Failure('Nobody has agreed in the browser within ten minutes; run space login again.'),
      ),
    PATIENCE,
  )
  try {
    const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state,
      scope: SCOPES,
      resource: `${root}/transfer`,
      ...(subdomain === null ? {} : { space: subdomain }),
    })
    const page = `${root}/oauth/authorize?${query.toString()}`
    terminal.note(`Agree in the browser. If it does not open, open this address on this computer:\n${page}`)
    terminal.browse(page)
    const found = await answer.promise
    const code = found.get('code')
    if (code === null || found.get('iss') !== `${root}/oauth`)
      throw new Failure(
        found.get('error') === 'access_denied'
          ? 'You did not agree in the browser, so nothing has changed.'
          : `The browser brought no access: ${found.get('error_description') ?? 'the answer is not from the service'}.`,
      )
    return await exchangeCode(terminal.fetch, root, { code, verifier, redirectUri })
  } finally {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
  }
}
