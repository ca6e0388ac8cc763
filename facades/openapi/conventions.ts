import { limits } from '../../routers/api/rules.ts'
import { formatNumber } from './format.ts'

/** A rule that holds for every operation. Texts mark code with backticks. */
export interface Convention {
  title: string
  text: string
}

/**
 * The rules that all operations share, for the OpenAPI documents and the reference (contract: "General conventions").
 *
 * @param callsPerMinute the limit in force
 */
export const conventions = (callsPerMinute: number): Convention[] => [
  {
    title: 'Bodies',
    text: `A request body is a JSON object in UTF-8 with \`Content-Type: application/json\`, at most ${formatNumber(limits.body)} bytes unless the operation says otherwise. Responses are JSON too.`,
  },
  {
    title: 'Strict input',
    text: 'Unknown fields are rejected, so that a typo never goes unnoticed. All broken rules are reported together.',
  },
  {
    title: 'Lengths and sizes',
    text: 'Lengths count Unicode code points; sizes count bytes. Text is stored exactly as sent, except where a field says that something is removed first.',
  },
  {
    title: 'Identifiers',
    text: 'Ids have 16 characters from `2`–`9` and `a`–`z`. The service assigns them, and they never change, even when something is renamed.',
  },
  { title: 'Times', text: 'Times are UTC in ISO 8601 with milliseconds: `2026-04-01T09:30:00.000Z`.' },
  {
    title: 'Lists and deletions',
    text: 'Lists are complete, without paging, unless the operation says otherwise. A deletion returns 204 without a body.',
  },
  {
    title: 'Concurrent changes',
    text: 'Every response that returns a page, part, record, file, post, comment or account has its version as an `ETag`, also after a write. A change or deletion with that tag in `If-Match` takes effect only if nothing was written in between; otherwise it returns 412 and writes nothing. `If-None-Match: *` writes only if nothing exists yet. No write ignores these headers: one that has no version to compare, such as a creation or a like, returns 412. Without them, the last write wins.',
  },
  {
    title: 'Safe retries',
    text: `A POST with an \`Idempotency-Key\` header can be repeated after a timeout or a broken connection without a second effect: the first answer is kept for ${limits.keptAnswerHours} hours and returned again, with its status, its headers and \`Idempotency-Replayed: true\`. A repeated call counts as a call. Use a new random key of at most ${limits.idempotencyKey} characters for each new request, and the same key for each retry of it. The same key with another request returns 422 \`idempotency_key_reused\`. Refusals such as 404, 409 and 422 are kept too, so a request that you have corrected needs a new key; 401, 403, 429, 5xx, and answers to bodies that could not be read (400, 413, 415) are not kept. While the first call runs, a second one waits for it for up to 10 seconds and then returns 409 \`idempotency_in_progress\`. Keys belong to the credential; the last ${formatNumber(limits.keptAnswers)} answers of a credential are kept. The other methods need no key: repeating them leads to the same state.`,
  },
  {
    title: 'Created and saved items',
    text: 'A 201 names the address of the new page, part, file or post in `Location`. A page or part is saved even if it is not valid Liquid, or names a part that does not exist; if the body has a `render`, `include` or `layout`, the response then has `X-Template-Error: syntax` or `missing_part`.',
  },
  {
    title: 'Call limit',
    text: `Each credential can make ${formatNumber(callsPerMinute)} calls in a window of 60 seconds that starts with its first call. Every success reports the state of the window in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds until the window ends). A call over the limit returns 429 with \`Retry-After\` and is not counted.`,
  },
  {
    title: 'Errors',
    text: 'Errors are `application/problem+json` (RFC 9457). Rely on `code` and `status`; `title` and `detail` are for people. `type` links to the explanation. Every response, also of a success, has the reference of the call in `X-Request-Id`; name it if you report a problem. If you send an `X-Request-Id`, it is logged beside the reference.',
  },
  {
    title: 'Order of checks',
    text: 'The service checks a request in this order: path (404), method (405), credential (401), call limit (429), space and scope (403), content type (415), size (413), JSON (400), fields (422), existence (404), preconditions (412), conflicts (409). Nothing is written unless the request passes all checks.',
  },
  {
    title: 'Paths and methods',
    text: 'Paths have no trailing slash. `HEAD` works wherever `GET` does. A method that a path does not support returns 405 with `Allow`.',
  },
  {
    title: 'Servers only',
    text: 'CORS is not supported: call from a server, and keep credentials out of web pages.',
  },
]
