import type { Core } from '../../core/context.ts'
import { invalid } from '../../core/problem.ts'

/**
 * Converts the Markdown of a comment to HTML, on another thread.
 *
 * @throws `validation_failed` if the conversion takes too long, and what the converter throws
 */
export const formatComment = async (
  { markdown }: Pick<Core, 'markdown'>,
  accountId: string,
  body: string,
): Promise<string> => {
  const html = await markdown.convert(body, accountId, 'comment')
  if (html === null) throw invalid('body', 'takes too long to format; make it simpler')
  return html
}
