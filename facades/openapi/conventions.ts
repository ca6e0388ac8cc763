import { limits } from '../../routers/core/rules.ts'
import { number } from './words.ts'

/** Something that holds for every operation. Texts mark code with backticks. */
export interface Convention {
  title: string
  text: string
}

/**
 * What callers should know once, for the documents and the reference alike (contract: "General conventions").
 *
 * @param callsPerMinute the limit that is enforced
 */
export const conventions = (callsPerMinute: number): Convention[] => [
  {
    title: 'Bodies',
    text: `Requests carry a JSON object in UTF-8 with \`Content-Type: application/json\`, of at most ${number(limits.body)} bytes unless the operation says otherwise. Answers are JSON too.`,
  },
  {
    title: 'Strict input',
    text: 'A field that the operation does not list is refused, so that a typing error never goes unnoticed. All broken rules are reported at once.',
  },
  {
    title: 'Lengths and sizes',
    text: 'Characters are Unicode code points; sizes are bytes. Text is kept exactly as it was sent, save where a field says that something is removed first.',
  },
  {
    title: 'Identifiers',
    text: 'Ids have 16 characters out of `2`–`9` and `a`–`z`. The service gives them, and they never change, whatever is renamed.',
  },
  { title: 'Times', text: 'Times are UTC in ISO 8601 with milliseconds: `2026-04-01T09:30:00.000Z`.' },
  {
    title: 'Lists and deletions',
    text: 'Lists come whole, not in pages, unless the operation says otherwise. A deletion answers 204 without a body, and cannot be undone.',
  },
  {
    title: 'Call limit',
    text: `Each credential has ${number(callsPerMinute)} calls in a window of 60 seconds that begins with its first call. Every success tells what is left in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds until the window ends); a call too many answers 429 with \`Retry-After\` and does not count.`,
  },
  {
    title: 'Failures',
    text: 'Failures are `application/problem+json` (RFC 9457). Rely on `code` and `status`; titles and details are for people. `type` is the address of the explanation.',
  },
  {
    title: 'Order of checks',
    text: 'Path (404), method (405), credential (401), call limit (429), space and scope (403), content type (415), size (413), JSON (400), fields (422), existence (404), conflicts (409). Nothing is written unless all of them pass.',
  },
  {
    title: 'Paths and methods',
    text: 'Paths have no trailing slash. `HEAD` works wherever `GET` does; a method that a path does not take answers 405 with `Allow`.',
  },
  {
    title: 'Servers only',
    text: 'There is no CORS: call from a server, and keep credentials out of web pages.',
  },
]
