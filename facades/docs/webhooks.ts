import { html, type Markup } from '../../routers/api/html.ts'
import { limits } from '../../routers/api/rules.ts'
import { block, json } from './prose.ts'

/** A program that receives webhooks. A test runs it as it is. */
export const RECEIVER = `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks' // npm install standardwebhooks

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const seen = new Set() // keep these ids in a database

createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  try {
    const { type, data } = webhook.verify(body, request.headers)
    const id = request.headers['webhook-id']
    if (type === 'content.changed' && !seen.has(id))
      for (const { action, kind, name } of data.changes) console.log(action, kind, name)
    seen.add(id)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(process.env.PORT ?? 3000)`

const DELIVERY = {
  type: 'content.changed',
  timestamp: '2026-11-28T09:30:00.000Z',
  data: {
    space: 'garden',
    changes: [
      {
        kind: 'page',
        id: 'k3v9x2m7q4t8w5z6',
        name: 'opening-hours',
        action: 'changed',
        at: '2026-11-28T09:29:59.120Z',
        revision: 214,
        by: { kind: 'key', handle: 'robin', label: 'Publish', agent: 'Claude Code' },
      },
    ],
    continues: false,
    missed: null,
  },
}

/** The section of the guide about webhooks. */
export const webhooks = (): Markup => html`
<section id="webhooks" aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks</h2>
<p>A space can tell up to ${limits.webhooks} addresses what changes in it: pages, parts, records and files that were created, changed or deleted. Participants add them in the settings of the space, at most ${limits.webhooksOfAccount} each in all spaces together; no key or token can. An address must be https, and on the public internet. Nothing but tests is sent to it until it has answered one with a status from 200 to 299.</p>
${block('A delivery', json(DELIVERY))}
<p>What one caller writes at once arrives together, with at most ${limits.webhookChanges} changes in a delivery; <code>continues</code> says that the next one has more of the same write. While an address is slow, a delivery can have several writes. <code>action</code> is <code>created</code>, <code>changed</code> or <code>deleted</code>. <code>by</code> says who: its <code>kind</code> is <code>person</code>, <code>key</code> or <code>token</code>, and <code>handle</code> is null once the account was deleted. Bodies are not sent: read them with the API. A test has the <code>type</code> <code>test</code>; ignore types that you do not know.</p>
<p>Messages are signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> describes, for which there are libraries in many languages: <code>webhook-signature</code> is made with the secret of the webhook from <code>webhook-id</code>, <code>webhook-timestamp</code> and the body. After a rotation, for ${limits.webhookOverlapHours} hours, there are two signatures, one by each secret.</p>
${block('A receiver in JavaScript', RECEIVER)}
<p>Put a proxy in front of it that adds https. Answer within ${limits.webhookSeconds} seconds, and do long work afterwards. Redirects are not followed. Every change is delivered at least once, and in order: the next delivery follows when you have accepted the one before. If you did not, it is sent again with the same <code>webhook-id</code>, first after ${limits.webhookRetries.firstPause} seconds, then less and less often. After ${limits.webhookRetries.days} days, or at once if you answer 410, the webhook is switched off, and the participants of the space are notified. Switched on again, it goes on where it stopped. If the history of the space no longer has some of the changes, <code>missed</code> names the revisions among which they are: <code>{"after": 180, "until": 197}</code>. Then read the space again.</p>
</section>
`
