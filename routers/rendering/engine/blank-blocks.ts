import { AssignTag, CaseTag, ForTag, IfTag, LiquidTag, type Template, UnlessTag } from 'liquidjs'
import { contentsOf } from './liquidjs.ts'
import { PlainText } from './output.ts'
import { CaptureHtml } from './tags/capture.ts'
import { Comment, InlineComment } from './tags/comment.ts'

/** Tags that print nothing. */
const SILENT = [AssignTag, CaptureHtml, Comment, InlineComment]

/** Block tags. They print nothing if they contain only white space and tags that print nothing. */
const BLOCKS = [IfTag, UnlessTag, CaseTag, ForTag]

const blank = new WeakSet<Template>()

function isBlank(template: Template): boolean {
  if (template instanceof PlainText) return template.isBlank
  return SILENT.some(tag => template instanceof tag) || blank.has(template)
}

/**
 * Drops the white space in a block tag if the block prints nothing else, as Shopify does. Call this function for the
 * inner tags of a block first, and then for the block.
 */
export function dropBlankText(template: Template): void {
  if (template instanceof LiquidTag) {
    if (contentsOf(template).every(list => list.every(isBlank))) blank.add(template)
    return
  }
  if (!BLOCKS.some(tag => template instanceof tag)) return
  const contents = contentsOf(template)
  if (!contents.every(list => list.every(isBlank))) return
  blank.add(template)
  for (const list of contents) {
    const kept = list.filter(inner => !(inner instanceof PlainText))
    list.splice(0, list.length, ...kept)
  }
}
