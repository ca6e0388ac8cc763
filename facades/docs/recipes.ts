import { html, type Markup } from '../../routers/api/html.ts'
import { limits } from '../../routers/api/rules.ts'
import { samples } from './samples.ts'

/** The code of the section about safe retries: how to repeat a call without a second effect. */
const retries = (apiRoot: string) => ({
  curl: `curl --retry 5 --retry-all-errors ${apiRoot}/v1/spaces/garden/pages \\
  -H "Authorization: Bearer $KEY" \\
  -H "Idempotency-Key: $(openssl rand -hex 16)" \\
  -H 'Content-Type: application/json' \\
  -d '{"slug": "retried", "html": "<h1>Hello</h1>"}'`,
  javascript: `const create = async (url, body) => {
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
}
const response = await create('${apiRoot}/v1/spaces/garden/pages', { slug: 'retried', html: '<h1>Hello</h1>' })
console.log(response.status)`,
  python: `import json, os, time, urllib.error, urllib.request, uuid

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
        time.sleep(wait)

print(create("${apiRoot}/v1/spaces/garden/pages", {"slug": "retried", "html": "<h1>Hello</h1>"}))`,
  client: `import { createClient } from 'space-site'

// Repeats calls by itself, a POST with an Idempotency-Key.
const client = createClient({ url: '${apiRoot}', space: 'garden', key: process.env.KEY })
console.log(await client.createPage({ slug: 'retried', html: '<h1>Hello</h1>' }))`,
})

/** The code of the section about syncing: a program that can be stopped and started again at any time. */
const sync = (apiRoot: string) => ({
  curl: `for file in data/*.json; do
  curl -X PUT "${apiRoot}/v1/spaces/garden/data/$(basename "$file" .json)" \\
    -H "Authorization: Bearer $KEY" \\
    -H 'Content-Type: application/json' \\
    -d "{\\"value\\": $(cat "$file")}"
done`,
  javascript: `import { readdir, readFile } from 'node:fs/promises'

const call = async (method, path, body, headers = {}) => {
  const response = await fetch(\`${apiRoot}/v1/spaces/garden\${path}\`, {
    method,
    headers: { Authorization: \`Bearer \${process.env.KEY}\`, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(await response.text())
  return { ...(await response.json()), tag: response.headers.get('ETag') }
}

const { data: pages } = await call('GET', '/pages')
for (const file of await readdir('pages')) {
  const slug = file.replace(/\\.html$/, '')
  const html = (await readFile(\`pages/\${file}\`, 'utf8')).trim()
  const known = pages.find(page => page.slug === slug)
  if (!known) {
    await call('POST', '/pages', { slug, html })
    continue
  }
  const page = await call('GET', \`/pages/\${known.id}\`)
  if (page.html !== html) await call('PATCH', \`/pages/\${page.id}\`, { html }, { 'If-Match': page.tag })
}`,
  python: `import json, os, pathlib
from urllib.request import Request, urlopen

def call(method, path, body=None, headers={}):
    request = Request(
        "${apiRoot}/v1/spaces/garden" + path,
        method=method,
        headers={"Authorization": f"Bearer {os.environ['KEY']}", "Content-Type": "application/json", **headers},
        data=body and json.dumps(body).encode(),
    )
    with urlopen(request) as response:
        return json.load(response), response.headers["ETag"]

pages, _ = call("GET", "/pages")
ids = {page["slug"]: page["id"] for page in pages["data"]}
for file in pathlib.Path("pages").glob("*.html"):
    html = file.read_text(encoding="utf-8").strip()
    if file.stem not in ids:
        call("POST", "/pages", {"slug": file.stem, "html": html})
        continue
    path = f"/pages/{ids[file.stem]}"
    page, tag = call("GET", path)
    if page["html"] != html:
        call("PATCH", path, {"html": html}, {"If-Match": tag})`,
  client: `import { readdir, readFile } from 'node:fs/promises'
import { createClient } from 'space-site'

const client = createClient({ url: '${apiRoot}', space: 'garden', key: process.env.KEY })
const { data: pages } = await client.listPages()
for (const file of await readdir('pages')) {
  const slug = file.replace(/\\.html$/, '')
  const html = (await readFile(\`pages/\${file}\`, 'utf8')).trim()
  const known = pages.find(page => page.slug === slug)
  if (!known) {
    await client.createPage({ slug, html })
    continue
  }
  const page = await client.getPage({ page_id: known.id })
  if (page.html !== html) await client.updatePage({ page_id: page.id, html }, { ifMatch: page })
}`,
})

/** The sections of the guide with programs to start from. */
export const recipes = (apiRoot: string): Markup => html`
<section id="safe-retries" aria-labelledby="safe-retries-title"><h2 id="safe-retries-title">Safe retries</h2>
<p>If the connection breaks during a POST, you cannot know whether the page, file or post exists. Send the call with an <code>Idempotency-Key</code>, and repeat it with the same key until you get an answer: it takes effect once, and every further call gets the answer to the first one. Make a new random key for each request, and keep it together with the request for as long as you may repeat it, at most ${limits.keptAnswerHours} hours.</p>
${samples('Repeat a call', retries(apiRoot))}
<p>An answer with <code>Idempotency-Replayed: true</code> is the answer to an earlier call. After a 409 <a href="#error-idempotency_in_progress"><code>idempotency_in_progress</code></a>, send the same call again later. After a 422 <a href="#error-idempotency_key_reused"><code>idempotency_key_reused</code></a>, your program has used a key for two requests. PUT, PATCH and DELETE need no key: repeat them as they are, with <code>If-Match</code> or <code>version</code> if others write too.</p>
</section>

<section id="sync" aria-labelledby="sync-title"><h2 id="sync-title">Sync from another source</h2>
<p>A program that copies content into a space should be able to stop anywhere and start again. Give everything a name that follows from its source: a slug, a part’s name, a record’s key. List what exists, create what is missing, and change only what differs, with <code>If-Match</code>, so that you overwrite nothing that somebody wrote in between. A record needs no list: a PUT creates or replaces it. Page and part bodies are stored without surrounding white space, so compare them without it. Files can have equal names, so keep their ids.</p>
${samples('Copy a folder into a space, any number of times', sync(apiRoot))}
<p>For whole sites, <a href="#computer">the command <code>space</code></a> does this, in both directions.</p>
</section>`
