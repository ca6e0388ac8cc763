/** A key that Liquid takes behind a point. */
const PLAIN = /^[a-z][a-z0-9]*$/
/** A member's name that Liquid takes behind a point. */
const NAME = /^[A-Za-z_][\w-]*$/

export const reachOf = (key: string) => (PLAIN.test(key) ? `data.${key}` : `data["${key}"]`)

const memberOf = (name: string) => (NAME.test(name) ? `.${name}` : `["${name}"]`)

/** The first member that an object has, if it can be written in a template. */
const firstMember = (value: unknown): string => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const [name] = Object.keys(value)
  return name === undefined || name.includes('"') ? '' : memberOf(name)
}

/** Lines by which a page shows a record, as its value suggests. */
export const templateLines = (key: string, value: unknown): string => {
  const reach = reachOf(key)
  if (Array.isArray(value))
    return `{% for item in ${reach} %}\n  {{ item${firstMember(value[0])} }}\n{% endfor %}`
  return `{{ ${reach}${firstMember(value)} }}`
}
