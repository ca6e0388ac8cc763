import { errors } from '../../routers/api/errors.ts'
import { conventions } from '../openapi/conventions.ts'
import type { Description, ServiceInfo } from '../openapi/describe.ts'
import { documentedCodes } from '../openapi/error-codes.ts'
import { siteFacts } from '../shared/site-guide.ts'
import { formatting } from '../shared/template-guide.ts'

/** The guide as Markdown: the rules that both APIs share, and an explanation of every error. */
export const guideMarkdown = (
  descriptions: Description[],
  { apiRoot, callsPerMinute, contact }: ServiceInfo,
): string => `# Space Site: guide

All paths are relative to \`${apiRoot}/v1\`. Send \`Authorization: Bearer …\`; a credential of one API does not work in the other.

## Credentials and scopes

${descriptions.map(credentials).join('\n\n')}

## Building a site

${siteFacts.map(({ title, text }) => `- **${title}**: ${text}`).join('\n')}

## Dates, prices and scripts in templates

${formatting.map(([title, text]) => `- **${title}**: ${text}`).join('\n')}

## Conventions

${conventions(callsPerMinute)
  .map(({ title, text }) => `- **${title}**: ${text}`)
  .join('\n')}

## Errors

${documentedCodes(descriptions)
  .map(code => `- \`${code}\` (${errors[code].status}): ${errors[code].title}. ${errors[code].explanation}`)
  .join(
    '\n',
  )}${contact === undefined ? '' : `\n\n## Help\n\nPeople reach the operator of this service at ${contact}.`}
`

const credentials = ({ api }: Description): string => {
  const { noun, prefix, origin } = api.credential
  const scopes = Object.entries(api.scopes).map(([scope, words]) => `- \`${scope}\`: ${words}`)
  return `### ${api.title}\n\nA ${noun} starts with \`${prefix}\`. ${origin}\n\n${scopes.join('\n')}`
}
