import { isLitter } from '../../../routers/content/transfer/portable-names.ts'

/** Matches the names of hidden files, and of those that editors and file managers keep beside a file. */
const LEFT_OUT = /^\.|~$|^#.*#$|\.(?:swp|swo|swx|crswap|___jb_(?:tmp|old)___)$|^4913$/

/** Whether a path is left out of the site. */
export type IsLeftOut = (path: string) => boolean

/**
 * Returns which paths are no part of the site: hidden files, those of editors and of package managers, and what
 * `.spaceignore` names. It has one pattern per line; `*`, `?` and `**` work as in `.gitignore`, and so do a slash at the
 * start, which ties a pattern to the top folder, one at the end, and lines that start with `#`.
 */
export const leftOutBy = (spaceignore: string): IsLeftOut => {
  const patterns = spaceignore
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(expressionOf)
  return path => {
    const names = path.split('/')
    return (
      isLitter(path) ||
      names.some(name => name === 'node_modules' || LEFT_OUT.test(name)) ||
      patterns.some(pattern => pattern.test(path))
    )
  }
}

const expressionOf = (pattern: string): RegExp => {
  const bare = pattern.replace(/^\//, '').replace(/\/$/, '')
  const isTied = pattern.startsWith('/') || bare.includes('/')
  const source = bare.replaceAll(/\*\*\/?|[*?]|[.+^${}()|[\]\\]/g, part => {
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.startsWith('**')) return part === '**' ? '.*' : '(?:.*/)?'
    return `\\${part}`
  })
  return new RegExp(`${isTied ? '^' : '(?:^|/)'}${source}(?:/|$)`)
}
