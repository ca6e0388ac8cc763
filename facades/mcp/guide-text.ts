import { vocabulary } from '../../routers/rendering/vocabulary.ts'
import { siteFacts } from '../shared/site-guide.ts'
import {
  deviations,
  formatting,
  printing,
  removedMarkup,
  sharing,
  variables,
} from '../shared/template-guide.ts'

type Row = readonly [title: string, text: string]

const list = (rows: readonly Row[]) => rows.map(([title, text]) => `- **${title}**: ${text}`).join('\n')

/**
 * Returns the guide to building a site, in Markdown.
 *
 * @param heading the Markdown characters before each chapter heading
 * @param furtherFacts facts to add to the first chapter
 */
export const guideText = (heading: '#' | '##', furtherFacts: readonly Row[] = []): string =>
  `${heading} Building a site

${list([...siteFacts.map(({ title, text }) => [title, text] as const), ...furtherFacts])}

${heading} Templates

The bodies of pages and parts are Liquid templates, evaluated at every visit: Shopify’s Liquid with layouts and with filters from Jekyll.

${heading}# Variables

${list(variables)}

${heading}# Sharing templates

${list(sharing)}

${heading}# Lists and errors

${list(printing)}

${heading}# Dates, prices and scripts

${list(formatting)}

${heading}# Tags

${vocabulary.tags.join(', ')}

${heading}# Filters

${vocabulary.filters.join(', ')}

${heading}# Differences from Shopify’s Liquid

${list(deviations)}

${heading}# Removed from static pages

${list(removedMarkup)}
`
