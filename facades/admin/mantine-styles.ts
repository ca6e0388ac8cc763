import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { FIRST_COMPONENTS } from './first-components.ts'

/** Matches the path of the module from which a component imports its class names. */
const CLASS_NAMES = /\/@mantine\/core\/esm\/(?:components|utils)\/.+\/(\w+)\.module\.mjs$/

const ENTRY = /\/facades\/admin\/main\.tsx$/

const stylesOf = (component: string) => `@mantine/core/styles/${component}.layer.css`

const folder = fileURLToPath(new URL('.', import.meta.resolve('@mantine/core/styles.css')))
const exists = (component: string) => existsSync(`${folder}styles/${component}.layer.css`)

const importsOf = (components: readonly string[]) =>
  components.map(component => `import '${stylesOf(component)}'\n`).join('')

/**
 * Vite plugin that imports the stylesheet of each Mantine component into the module of that component. A view then
 * loads only the styles of the components that it uses, and the styles of a component load after the styles of the
 * components that it is built from. The stylesheets of `FIRST_COMPONENTS` are bundled with the entry. Every stylesheet
 * is in the layer `mantine`, so that the dashboard's CSS modules, which are outside layers, win in any load order.
 *
 * The development server bundles Mantine in advance, so it loads all stylesheets.
 *
 * @param use `build` for production files, `serve` for the development server
 */
export const mantineStyles = (use: 'build' | 'serve'): Plugin => ({
  name: 'mantine-styles',
  enforce: 'pre',
  transform: (code, id) => {
    const isEntry = ENTRY.test(id)
    if (use === 'serve') return isEntry ? `import '@mantine/core/styles.layer.css'\n${code}` : null
    if (isEntry) return importsOf(['baseline', 'default-css-variables', 'global', ...FIRST_COMPONENTS]) + code
    const component = CLASS_NAMES.exec(id)?.[1]
    if (!component || FIRST_COMPONENTS.includes(component) || !exists(component)) return null
    return importsOf([component]) + code
  },
})
