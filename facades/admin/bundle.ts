import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'
import { NONCE } from '../shared/dashboard.ts'
import { firstPaint } from './first-paint.ts'

/**
 * The Mantine components that are loaded with the first view, whichever view it is. Their scripts are bundled into one
 * file and their stylesheets into another, to save requests. Each component comes after the components that it is built
 * from.
 */
const FIRST_COMPONENTS: readonly string[] = [
  'UnstyledButton',
  'VisuallyHidden',
  'Paper',
  'CloseButton',
  'Group',
  'Stack',
  'Center',
  'Loader',
  'Text',
  'Title',
  'Anchor',
  'Code',
  'Kbd',
  'Button',
  'ActionIcon',
  'Alert',
  'Avatar',
  'Burger',
  'Indicator',
  'Skeleton',
]

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
const mantineStyles = (use: 'build' | 'serve'): Plugin => ({
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

/** Modules that every view needs. They are bundled into the chunk `first`. */
const FIRST_MODULES = new RegExp(
  [
    '/node_modules/(?:react|react-dom|scheduler|@tanstack|@trpc)/',
    '/node_modules/@mantine/core/esm/core/',
    '/node_modules/@mantine/hooks/esm/use-(?:force-update|merged-ref|uncontrolled)/',
    `/node_modules/@mantine/core/esm/components/(?:${FIRST_COMPONENTS.join('|')}|Transition)/`,
  ].join('|'),
)

/** Vite's configuration for the dashboard. Built URLs are relative, so that the service can run below a path of its
 * host.
 * @param use `build` for production files, `serve` for the development server
 */
export const bundle = (use: 'build' | 'serve'): InlineConfig => ({
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: use === 'build' ? './' : '/admin/',
  publicDir: false,
  plugins: [react(), mantineStyles(use), firstPaint()],
  html: { cspNonce: NONCE },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Otherwise each module that several views share would be a file of its own, and a view would load dozens of them.
          groups: [
            { name: 'first', test: FIRST_MODULES },
            { name: 'start', tags: ['$initial'] },
            // Most views need a little of this, and soon all of it.
            { name: 'live', test: /\/admin\/live\/(?!Live\.tsx|LivePanel)|\/admin\/history\/describe\.ts/ },
            { name: 'icons', test: '/@tabler/icons-react/', minShareCount: 2 },
          ],
        },
      },
    },
  },
})
