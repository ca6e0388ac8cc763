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
import { applyStylesheets } from './stylesheets.ts'
import { cssVariables, theme } from './theme.ts'
import { ViewLoadError } from './ui/failure.ts'

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
