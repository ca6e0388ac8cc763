/** A record key that can follow a dot in Liquid. */
const PLAIN_KEY = /^[a-z][a-z0-9]*$/
/** A member name that can follow a dot in Liquid. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/

const pathOf = (key: string) => (PLAIN_KEY.test(key) ? `data.${key}` : `data["${key}"]`)

const memberOf = (name: string) => (PLAIN_NAME.test(name) ? `.${name}` : `["${name}"]`)

/**
 * Returns the Liquid that accesses an object's first member, such as `.title`. Returns an empty string if the value has
 * no members, or if Liquid cannot express the member's name.
 */
const firstMember = (value: unknown): string => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const [name] = Object.keys(value)
  return name === undefined || name.includes('"') ? '' : memberOf(name)
}

/** Returns Liquid that shows a record in a page: a loop for a list, otherwise a single output. */
export const liquidSnippet = (key: string, value: unknown): string => {
  const path = pathOf(key)
  if (Array.isArray(value))
    return `{% for item in ${path} %}\n  {{ item${firstMember(value[0])} }}\n{% endfor %}`
  return `{{ ${path}${firstMember(value)} }}`
}
