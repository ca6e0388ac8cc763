import { html, type Markup } from '../../routers/api/html.ts'
import { limits } from '../../routers/api/rules.ts'
import { block } from './prose.ts'

/** The section of the guide about repeating calls without a second effect. */
export const safeRetries = (apiRoot: string): Markup => html`
<section id="safe-retries" aria-labelledby="safe-retries-title"><h2 id="safe-retries-title">Safe retries</h2>
<p>If the connection breaks during a POST, you cannot know whether the page, file or post exists. Send the call with an <code>Idempotency-Key</code>, and repeat it with the same key until you get an answer: it takes effect once, and every further call gets the answer to the first one. Make a new random key for each request, and keep it together with the request for as long as you may repeat it, at most ${limits.keptAnswerHours} hours.</p>
<div class="examples">
${block(
  'Repeat with curl',
  `curl --retry 5 --retry-all-errors ${apiRoot}/v1/spaces/garden/pages \\\n  -H "Authorization: Bearer $KEY" \\\n  -H "Idempotency-Key: $(uuidgen)" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"slug": "hello", "html": "<h1>Hello</h1>"}'`,
)}
${block(
  'Repeat in JavaScript',
  `const create = async (url, body) => {
  const headers = {
    Authorization: \`Bearer \${process.env.KEY}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  }
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null)
    const isFinal = response && response.status < 500 && response.status !== 429
    if (isFinal || attempt === 5) return response
    const seconds = Number(response?.headers.get('Retry-After') ?? 2 ** attempt)
    await new Promise(resolve => setTimeout(resolve, seconds * 1000))
  }
}`,
)}
${block(
  'Repeat in Python',
  `import json, os, time, urllib.error, urllib.request, uuid

def create(url, body):
    headers = {
        "Authorization": f"Bearer {os.environ['KEY']}",
        "Content-Type": "application/json",
        "Idempotency-Key": str(uuid.uuid4()),
    }
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    for attempt in range(1, 6):
        wait = 2 ** attempt
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if attempt == 5 or error.code < 500 and error.code != 429:
                raise
            wait = int(error.headers.get("Retry-After", wait))
        except OSError:
            if attempt == 5:
                raise
        time.sleep(wait)`,
)}
</div>
<p>An answer with <code>Idempotency-Replayed: true</code> is the answer to an earlier call. After a 409 <a href="#error-idempotency_in_progress"><code>idempotency_in_progress</code></a>, send the same call again later. After a 422 <a href="#error-idempotency_key_reused"><code>idempotency_key_reused</code></a>, your program has used a key for two requests. PUT, PATCH and DELETE need no key: repeat them as they are, with <code>If-Match</code> or <code>version</code> if others write too.</p>
</section>
`
