/** Attack: requests for the lists of a site with many pages, and for the complete list of its pages in the API. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

const paths = ['/', '/articles', '/articles.atom', '/sitemap.xml']

runAttack(async ({ port, from, scale, headers, subdomain, facts }) =>
  tally(
    await repeat(60 * scale, 10, n =>
      n % 5 === 4
        ? call(port, { path: `/v1/spaces/${subdomain}/pages`, headers, from })
        : call(port, { path: paths[n % 5]!, headers: { host: facts.host! }, from }),
    ),
  ),
)
