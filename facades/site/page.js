/*
 * For scripted pages: <script src="/_page.js" async></script>. A scripted page is shown in a frame. This script tells
 * the window around it the page's title, address and size, so that the tab and the address bar follow the page and all
 * of it is printed; and it keeps the page's position when the window is reloaded.
 */
if (parent !== self) {
  /** Pause between two reports, in ms. */
  const PAUSE = 100
  const root = document.documentElement

  let reported = ''
  let isWaiting = false
  const report = () => {
    isWaiting = false
    const page = {
      title: document.title,
      address: location.pathname + location.search + location.hash,
      left: scrollX,
      top: scrollY,
      width: innerWidth,
      height: Math.max(root.scrollHeight, document.body?.scrollHeight ?? 0),
    }
    const text = JSON.stringify(page)
    if (text === reported) return
    reported = text
    // Only the page's own site can frame it, and the report contains nothing that the site does not know.
    parent.postMessage({ page }, '*')
  }
  const changed = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(report, PAUSE)
  }

  for (const name of ['pushState', 'replaceState']) {
    const original = history[name]
    history[name] = function (...given) {
      original.apply(this, given)
      changed()
    }
  }
  for (const name of ['hashchange', 'popstate', 'resize', 'scroll', 'load']) addEventListener(name, changed)
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data?.position !== 'object') return
    const restore = () => scrollTo({ ...data.position, behavior: 'instant' })
    restore()
    if (document.readyState !== 'complete') addEventListener('load', restore, { once: true })
  })

  const observe = () => {
    new ResizeObserver(changed).observe(document.body)
    new MutationObserver(changed).observe(document.head, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    report()
  }
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', observe)
  else observe()
}
