import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { NONCE } from './nonce.ts'

/** The screen's build. Its addresses are relative, so that the service can stand below a path of its host. */
export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: command === 'build' ? './' : '/admin/',
  publicDir: false,
  plugins: [react()],
  html: { cspNonce: NONCE },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
}))
