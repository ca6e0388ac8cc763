/** Whether a `script` element with this type, in lower case, contains JavaScript. */
export function isProgram(type: string): boolean {
  return type === '' || isModule(type) || /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type)
}

export function isModule(type: string): boolean {
  return type === 'module'
}

/** Whether a `script` element with this type, in lower case, contains JSON. */
export function isJsonScript(type: string): boolean {
  return /^(?:importmap|speculationrules|application\/(?:\w+\+)?json)$/.test(type)
}

/** Whether a position of a template is inside a script, as far as the template itself shows this. */
export function isInScript(html: string, position: number): boolean {
  const before = html.slice(0, position).toLowerCase()
  const begin = before.lastIndexOf('<script')
  if (begin === -1 || before.lastIndexOf('</script') > begin) return false
  const [tag] = /^<script(?:\s[^>]*)?>/.exec(before.slice(begin)) ?? []
  if (tag === undefined) return false
  const [, type = ''] = /\stype\s*=\s*["']?([^"'\s>]*)/.exec(tag) ?? []
  return isProgram(type) || isJsonScript(type)
}
