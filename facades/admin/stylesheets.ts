/**
 * Applies the stylesheets that the document preloads. Resolves when all have loaded or failed, so that the dashboard
 * does not appear without them.
 */
export const applyStylesheets = (): Promise<unknown> =>
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
