import './dashboard.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { TRPCClientError } from '@trpc/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api.ts'
import { colorSchemeManager } from './color-scheme.ts'
import { nonce } from './document-nonce.ts'
import { router } from './routes.tsx'
import { cssVariables, theme } from './theme.ts'
import { ViewLoadError } from './ui/failure.ts'

/**
 * Applies the stylesheets that the document preloads. Resolves when all have loaded or failed, so that the dashboard
 * does not appear without them.
 */
const applyStylesheets = (): Promise<unknown> =>
  Promise.all(
    Array.from(
      document.querySelectorAll<HTMLLinkElement>('link[rel="preload"][as="style"]'),
      link =>
        new Promise<void>(done => {
          link.addEventListener('error', () => done())
          link.addEventListener('load', () => {
            // `load` fires twice if the preload was still running. The first time, the link has no `sheet` yet.
            if (link.sheet) done()
          })
          link.rel = 'stylesheet'
        }),
    ),
  )

await applyStylesheets()
createRoot(document.querySelector('#root')!, {
  // Views show error responses and network failures. Report only errors of the dashboard itself.
  onCaughtError: error => {
    if (!(error instanceof TRPCClientError || error instanceof ViewLoadError)) reportError(error)
  },
}).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
