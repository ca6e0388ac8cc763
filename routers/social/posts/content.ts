import type { PostContent } from '../../../db/queries/posts.ts'
import type { Core } from '../../core/context.ts'
import { invalid } from '../../core/problem.ts'
import type { PostFields } from './schema.ts'

/**
 * Converts a post's fields to the content to store. Markdown is converted to HTML, and normally only the HTML is stored
 * (contract: "Post body", rule 2). If `keepsMarkdown` is set, the Markdown is stored too, so that the author can edit
 * the post in the dashboard. No API returns the Markdown.
 *
 * @throws `validation_failed` if converting `markdown` takes too long, and the errors of `MarkdownConverter.convert`
 */
export const contentFrom = async (
  { format, html, markdown, url, text }: PostFields,
  { core, accountId }: { core: Pick<Core, 'markdown'>; accountId: string },
  { keepsMarkdown = false } = {},
): Promise<PostContent> => {
  if (format === 'html') return { format, html: html!, markdown: null, url: null, text: null }
  if (format === 'reblog') return { format, html: null, markdown: null, url: url!, text: text || null }
  const converted = await core.markdown.convert(markdown!, accountId)
  if (converted === null) throw invalid('markdown', 'takes too long to convert; make it shorter or simpler')
  return {
    format: 'rich',
    html: converted,
    markdown: keepsMarkdown ? markdown! : null,
    url: null,
    text: null,
  }
}
