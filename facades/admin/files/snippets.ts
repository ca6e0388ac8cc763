import type { Outputs } from '../api.ts'

type StoredFile = Outputs['files']['get']

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** Returns the code that shows or loads a file in a page, and the element or CSS rule that the code uses. */
export const elementOf = ({ content_type, name }: StoredFile, url: string) => {
  const [family] = content_type.split('/')
  if (family === 'image') return { tag: '<img>', html: `<img src="${url}" alt="">` }
  if (family === 'video') return { tag: '<video>', html: `<video src="${url}" controls></video>` }
  if (family === 'audio') return { tag: '<audio>', html: `<audio src="${url}" controls></audio>` }
  if (content_type === 'text/css') return { tag: '<link>', html: `<link rel="stylesheet" href="${url}">` }
  if (family === 'font') {
    const font = name.replace(/\.\w+$/, '').replace(/["\\]/g, '')
    return { tag: '@font-face', html: `@font-face { font-family: "${font}"; src: url("${url}") }` }
  }
  return { tag: '<a>', html: `<a href="${url}">${escapeHtml(name)}</a>` }
}

/**
 * Liquid that looks the file up by name, so that the page keeps working if the file is uploaded again.
 *
 * @returns null if the name contains both kinds of quotes, which Liquid cannot express
 */
export const liquidOf = (file: StoredFile): string | null => {
  const quote = ['"', "'"].find(quote => !file.name.includes(quote))
  if (quote === undefined) return null
  const { html } = elementOf(file, '{{ file.url }}')
  return `{% assign file = files | where: "name", ${quote}${file.name}${quote} | first %}${html}`
}
