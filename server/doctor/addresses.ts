import { randomBytes, randomUUID } from 'node:crypto'
import { lookup as systemLookup } from 'node:dns'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import { nothingHere } from '../../facades/site/documents/notices.ts'
import { ECHO, type Echo } from '../http/health.ts'
import { contentDomains, isHere, type Settings } from '../settings/settings.ts'
import { VERSION } from '../version.ts'
import { type Finding, fault, good, messageOf, warning } from './finding.ts'

/** How long to wait for a response, in ms. */
const PATIENCE = 10_000

/** The size of an upload that a proxy must let through, in bytes. */
const UPLOAD = 15_000_000

/** The usual {@link Network.uploadPatience}. */
const UPLOAD_PATIENCE = 5_000

/** A certificate that ends sooner than this is a warning, in days: it should have been renewed. */
const RENEWAL = 14

/** How to reach the addresses, for tests. */
export interface Network {
  lookup?: LookupFunction
  /** Certificates of authorities to trust, besides those that Node.js trusts. */
  ca?: string
  /** How long a proxy can take to pass on a request whose body has not arrived, in ms. */
  uploadPatience?: number
}

interface Answer {
  status: number
  body: string
  /** When the certificate ends; undefined without one. */
  validTo: Date | undefined
}

/**
 * Checks what visitors reach: that names resolve, that certificates are valid, that the proxy passes what the service
 * needs, and that random names below each content domain lead to the service.
 */
export const checkAddresses = async (settings: Settings, network: Network = {}): Promise<Finding[]> => {
  const findings = await checkMain(settings, network)
  // Without the service, the other addresses would only repeat the same fault.
  if (findings.some(({ state, check }) => state === 'fault' && check === 'main site')) return findings
  const domains = Object.entries(contentDomains(settings))
  const others = domains.map(([name, domain]) => checkDomain(name, domain, settings, network))
  return [...findings, ...(await Promise.all(others)).flat()]
}

const checkMain = async (settings: Settings, network: Network): Promise<Finding[]> => {
  const check = 'main site'
  const id = randomUUID()
  const url = new URL(`${settings.apiRoot}${ECHO}?id=${id}`)
  try {
    const answer = await send(url, network)
    const echo = echoOf(answer)
    if (!echo)
      return [
        fault(
          check,
          `${url.origin} answers with ${answer.status}, but not as this service.`,
          'Start the service, or correct the proxy or the DNS record.',
        ),
      ]
    return [
      good(check, `${url.origin} leads to the service.`),
      ...proxyFindings(settings, url, id, echo),
      ...(await uploadFindings(url, network)),
      ...certificateFindings(url, answer),
    ]
  } catch (error) {
    return [unreachable(check, url, error)]
  }
}

const echoOf = ({ status, body }: Answer): Echo | undefined => {
  if (status !== 200) return undefined
  try {
    const echo = JSON.parse(body) as Partial<Echo>
    return echo.service === 'space-site' ? (echo as Echo) : undefined
  } catch {
    return undefined
  }
}

/** Compares how the request arrived with how it was sent. */
const proxyFindings = (settings: Settings, url: URL, id: string, echo: Echo): Finding[] => {
  const findings: Finding[] = []
  const check = 'proxy'
  const isPublic = !isHere(url.hostname)
  if (echo.id !== id)
    findings.push(
      fault(
        check,
        'It returns a response from its cache.',
        'Turn caching off: the service caches by itself.',
      ),
    )
  if (echo.host !== url.hostname)
    findings.push(
      fault(
        check,
        `It passes the host name "${echo.host}" instead of "${url.hostname}".`,
        'Pass the Host header on.',
      ),
    )
  if (`${echo.scheme}:` !== url.protocol)
    findings.push(
      fault(
        check,
        `The service takes requests for ${echo.scheme} requests.`,
        'Send X-Forwarded-Proto, and name the proxy in TRUSTED_PROXIES.',
      ),
    )
  if (echo.forwarded && !echo.isTrusted)
    findings.push(
      fault(
        check,
        `All visitors share the limits of the proxy, ${echo.address}.`,
        `Add it to TRUSTED_PROXIES, which is "${settings.trustedProxies.join(',')}".`,
      ),
    )
  else if (isPublic && !echo.forwarded && isHere(echo.address))
    findings.push(fault(check, 'It does not pass the address of the visitor.', 'Send X-Forwarded-For.'))
  if (echo.version !== VERSION)
    findings.push(
      warning('version', `${echo.version} runs, and ${VERSION} is installed.`, 'Restart the service.'),
    )
  if (isPublic && url.protocol === 'http:')
    findings.push(
      fault('scheme', 'API_ROOT is http: passwords and cookies are sent in the clear.', 'Use https.'),
    )
  return findings.length > 0 ? findings : [good(check, 'Host name, scheme and address arrive.')]
}

/** Begins a large upload. The service answers before it has arrived, so the proxy should neither refuse nor collect it. */
const uploadFindings = async (url: URL, network: Network): Promise<Finding[]> => {
  const check = 'uploads'
  try {
    const headers = { 'Content-Length': UPLOAD }
    const { uploadPatience = UPLOAD_PATIENCE } = network
    const answer = await send(url, network, { method: 'POST', headers }, uploadPatience)
    return echoOf(answer)
      ? [good(check, 'The proxy passes large ones on at once.')]
      : [refused(check, answer.status)]
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'AbortError'
    if (!isLate) return [refused(check, messageOf(error))]
    return [
      warning(
        check,
        'The proxy collects a body before it passes the request on.',
        'Turn the buffering of requests off: the service refuses at once what it will not take.',
      ),
    ]
  }
}

const refused = (check: string, answer: number | string): Finding =>
  fault(
    check,
    `The proxy refuses a body of ${UPLOAD / 1e6} MB: ${answer}.`,
    'Raise its limit: the service has limits of its own.',
  )

/** Checks a random name below a content domain. */
const checkDomain = async (
  variable: string,
  domain: string,
  settings: Settings,
  network: Network,
): Promise<Finding[]> => {
  const check = variable
  const url = new URL(`${settings.scheme}://doctor-${randomBytes(6).toString('hex')}.${domain}/`)
  try {
    const answer = await send(url, network)
    if (answer.status !== 404 || answer.body !== nothingHere())
      return [
        fault(
          check,
          `${url.host} does not lead to this service, or not under its own name: it answers with ${answer.status}.`,
          `Let *.${domain} lead to the proxy, and the proxy pass the Host header on.`,
        ),
      ]
    return [good(check, `*.${domain} leads to the service.`), ...certificateFindings(url, answer)]
  } catch (error) {
    return [unreachable(check, url, error)]
  }
}

const unreachable = (check: string, url: URL, error: unknown): Finding => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA')
    return fault(
      check,
      `${url.hostname} does not resolve (${code}).`,
      check === 'main site'
        ? 'Add an A or AAAA record for it.'
        : `Add an A or AAAA record for *.${url.hostname.replace(/^[^.]+\./, '')}.`,
    )
  if (/CERT|SIGNATURE|ISSUER|TLS|SSL/.test(code))
    return fault(
      check,
      `The certificate of ${url.hostname} is not valid: ${messageOf(error)}`,
      'Get a certificate that includes this name; names below a domain need a wildcard certificate.',
    )
  return fault(
    check,
    `${url.origin} cannot be reached: ${messageOf(error)}`,
    'Start the service and the proxy.',
  )
}

const certificateFindings = ({ hostname }: URL, { validTo }: Answer): Finding[] => {
  if (!validTo) return []
  const days = Math.floor((validTo.getTime() - Date.now()) / 86_400_000)
  const check = `certificate of ${hostname}`
  const found = `It is valid for ${days} more days.`
  return [days < RENEWAL ? warning(check, found, 'Check why it is not renewed.') : good(check, found)]
}

/** Names under `localhost` lead to this machine, even if its resolver does not know them. */
const lookupHere: LookupFunction = (hostname, options, callback) =>
  isHere(hostname)
    ? callback(null, options.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4)
    : systemLookup(hostname, options, callback)

/** Sends a request. Of a body, it sends only the first byte. */
const send = async (
  url: URL,
  { lookup = lookupHere, ca }: Network,
  request: Pick<RequestOptions, 'method' | 'headers'> = {},
  patience = PATIENCE,
): Promise<Answer> => {
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = {
    ...request,
    agent: false,
    lookup,
    ...(ca && { ca }),
    signal: AbortSignal.timeout(patience),
  }
  // A browser does not send the name of an IP address.
  const servername = isIP(url.hostname) ? {} : { servername: url.hostname }
  const req = start(url, { ...options, ...servername }, resolve).on('error', reject)
  if (request.method === 'POST') req.write('x')
  else req.end()
  const response = await promise
  const { socket, statusCode = 0 } = response
  const validTo = socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : undefined
  const answer = { status: statusCode, body: await text(response), validTo }
  req.destroy()
  return answer
}
