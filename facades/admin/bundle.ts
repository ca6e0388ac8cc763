import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { NONCE } from '../shared/nonce.ts'
import { FIRST_COMPONENTS } from './first-components.ts'
import { firstPaint } from './first-paint.ts'
import { mantineStyles } from './mantine-styles.ts'

/** Modules that every view needs. They are bundled into the chunk `first`. */
const FIRST_MODULES = new RegExp(
  [
    '/node_modules/(?:react|react-dom|scheduler|@tanstack|@trpc)/',
    '/node_modules/@mantine/core/esm/core/',
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
            { name: 'icons', test: '/@tabler/icons-react/', minShareCount: 2 },
          ],
        },
      },
    },
  },
})
