/*
 * For scripted pages: <script src="/_page.js" async></script>. A scripted page is shown in a frame. This script reports
 * the page's title, address, size and scroll position to the window around that frame. So the tab and the address bar
 * follow the page, the whole page is printed, and a reload keeps the scroll position.
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
    // The message may go to any origin: only the page's own site can frame it, and that site knows everything in the
    // report.
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
