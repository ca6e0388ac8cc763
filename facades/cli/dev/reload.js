// Runs in each document that `space dev` sends, and nowhere else. It reloads the document after a save, keeps the scroll
// position, and shows what is wrong with the folder. A frame is reloaded with the document around it.
{
  const script = document.currentScript
  const { revision, events, problems } = script.dataset
  script.remove()

  const isWindow = self === top
  const restore = ([left, top]) => {
    const scroll = () => scrollTo({ left, top, behavior: 'instant' })
    scroll()
    addEventListener('load', scroll, { once: true })
  }

  if (isWindow) {
    /** How long after a reload the scroll positions are restored, in ms. */
    const RECENT = 5_000
    const key = `space dev ${location.pathname}`
    const before = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    sessionStorage.removeItem(key)
    const kept = before && Date.now() - before.at < RECENT ? before : { own: [0, 0], frame: [0, 0] }
    if (kept.own.some(Boolean)) restore(kept.own)
    // The storage of a frame does not survive the reload of the window.
    let { frame } = kept
    addEventListener('message', ({ data, source }) => {
      if (data?.spaceDev === 'ready') source.postMessage({ spaceDev: kept.frame }, '*')
      else if (Array.isArray(data?.spaceDev)) frame = data.spaceDev
    })
    addEventListener('pagehide', () =>
      sessionStorage.setItem(key, JSON.stringify({ own: [scrollX, scrollY], frame, at: Date.now() })),
    )
  } else {
    addEventListener('scroll', () => parent.postMessage({ spaceDev: [scrollX, scrollY] }, '*'), {
      passive: true,
    })
    addEventListener('message', ({ data, source }) => {
      if (source === parent && data?.spaceDev?.some?.(Boolean)) restore(data.spaceDev)
    })
    parent.postMessage({ spaceDev: 'ready' }, '*')
  }

  /** Shows text over the document, in a shadow root, so that neither changes the look of the other. */
  const show = text => {
    const host = document.createElement('div')
    const box = document.createElement('pre')
    box.style.cssText =
      'all:initial;position:fixed;inset:auto 0 0 0;z-index:2147483647;max-height:40vh;overflow:auto;padding:12px 16px;background:#2b1113;color:#ffd9d6;font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;border-top:3px solid #e5484d'
    box.textContent = text
    host.attachShadow({ mode: 'open' }).append(box)
    document.documentElement.append(host)
  }

  if (isWindow) {
    if (problems) show(problems)
    // Browsers open few connections to one host, and each open tab keeps one.
    const source = new EventSource(events.replace('*', Math.random().toString(36).slice(2)))
    source.addEventListener('message', ({ data }) => {
      if (data === revision) return
      source.close()
      location.reload()
    })
  }
}
