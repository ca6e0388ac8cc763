import { LayoutTag, type Template } from 'liquidjs'

/** The part that a body names literally as its layout; undefined if there is none. */
export function layoutOf(templates: readonly Template[]): string | undefined {
  const layout = templates.find(template => template instanceof LayoutTag)
  const file = (layout as unknown as { file?: unknown } | undefined)?.file
  return typeof file === 'string' ? file : undefined
}
