/* What the document of a preview's origin runs: it takes a draft from the screen, and from nobody else, and shows it. */
{
  const screen = document.currentScript.dataset.screen
  const mode = document.currentScript.dataset.mode
  const tell = message => parent.postMessage(message, screen)

  /** Where a link of the draft leads: what it says of its own origin it means of its site. */
  const destination = (url, site) =>
    url.origin === location.origin ? new URL(url.pathname + url.search + url.hash, site).href : url.href

  /** Whether a link leads to another place of the same document. */
  const isWithin = url => url.href.includes('#') && url.href.split('#')[0] === location.href.split('#')[0]

  const reportScroll = (view, frame) => {
    let waiting = false
    view.addEventListener('scroll', () => {
      if (waiting) return
      waiting = true
      setTimeout(() => {
        waiting = false
        tell({ preview: 'scroll', top: frame.scrollY })
      }, 200)
    })
  }

  /** With its scripts, in this document's place. */
  const showScripted = ({ html, site, top }) => {
    document.open()
    // Behind the draft's own listeners: what it handles itself is not touched.
    addEventListener('click', event => {
      const link = event.target instanceof Element ? event.target.closest('a[href], area[href]') : null
      const href = link?.getAttribute('href') ?? ''
      if (!link || event.defaultPrevented || link.hasAttribute('download')) return
      if (!URL.canParse(href, document.baseURI)) return
      const url = new URL(href, document.baseURI)
      if (url.protocol === 'javascript:' || isWithin(url)) return
      event.preventDefault()
      open(destination(url, site), '_blank', 'noopener')
    })
    addEventListener('submit', event => {
      const form = event.target
      if (event.defaultPrevented || form.method === 'dialog') return
      // A form that the draft sends to itself comes back to this document, which is given the draft again.
      const action = new URL(form.getAttribute('action') || location.href, location.href)
      if (action.origin === location.origin && action.pathname === '/' && form.method === 'get') return
      form.action = destination(action, site)
      form.target = '_blank'
    })
    reportScroll(globalThis, globalThis)
    // The one way to let a whole document run as if it had been delivered: in order, its scripts included.
    // oxlint-disable-next-line typescript/no-deprecated
    document.write(html)
    document.close()
    if (top > 0) scrollTo({ top, behavior: 'instant' })
    tell({ preview: 'shown' })
  }

  /** Without any script, in a frame that lets none run. */
  const showStatic = ({ html, site, top }) => {
    const draft = new DOMParser().parseFromString(html, 'text/html')
    for (const link of draft.querySelectorAll('a[href], area[href]')) {
      const href = link.getAttribute('href')
      if (href.startsWith('#')) {
        // In a document without an address of its own, a place in it would be taken for one of this document.
        link.setAttribute('href', `about:srcdoc${href}`)
        continue
      }
      link.setAttribute(
        'href',
        URL.canParse(href, location.href) ? destination(new URL(href, location.href), site) : '',
      )
      link.setAttribute('target', '_blank')
      link.setAttribute('rel', 'noopener')
    }
    const frame = document.createElement('iframe')
    frame.title = 'Preview'
    frame.setAttribute('sandbox', 'allow-same-origin allow-popups allow-popups-to-escape-sandbox')
    frame.srcdoc =
      (draft.doctype ? new XMLSerializer().serializeToString(draft.doctype) : '') +
      draft.documentElement.outerHTML
    frame.addEventListener('load', () => {
      const view = frame.contentWindow
      if (top > 0) view.scrollTo({ top, behavior: 'instant' })
      reportScroll(view, view)
      tell({ preview: 'shown' })
    })
    document.body.replaceChildren(frame)
  }

  const receive = event => {
    if (event.origin !== screen || event.source !== parent || typeof event.data?.html !== 'string') return
    removeEventListener('message', receive)
    if (mode === 'scripted') showScripted(event.data)
    else showStatic(event.data)
  }
  addEventListener('message', receive)
  if (parent !== self) tell({ preview: 'ready' })
}
