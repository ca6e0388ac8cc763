/* Runs on a preview's origin. Receives a draft from the dashboard, but from no other origin, and renders it. */
{
  const dashboard = document.currentScript.dataset.dashboard
  const mode = document.currentScript.dataset.mode
  const markAttribute = document.currentScript.dataset.mark
  const send = message => parent.postMessage(message, dashboard)

  /** The target of a link in the draft. Links to the draft's own origin lead to the site. */
  const destination = (url, site) =>
    url.origin === location.origin ? new URL(url.pathname + url.search + url.hash, site).href : url.href

  /** Whether a link leads to a fragment of this document. */
  const isWithin = url => url.href.includes('#') && url.href.split('#')[0] === location.href.split('#')[0]

  /** The slug of the site's page that a link leads to, if the dashboard can edit that page; otherwise undefined. */
  const pageOf = (address, { site, pages = [] }) => {
    const { origin, pathname } = new URL(address)
    const slug = pathname.slice(1) || 'index'
    return origin === new URL(site).origin && pages.includes(slug) ? slug : undefined
  }

  /**
   * Tells the dashboard that a link to a page was clicked, instead of opening the link. With a modifier key, the
   * browser opens it as usual.
   *
   * @returns whether the dashboard was told
   */
  const propose = (event, address, draft) => {
    const page = pageOf(address, draft)
    if (page === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return false
    event.preventDefault()
    send({ preview: 'link', page })
    return true
  }

  /**
   * Whether a click on a link only selects the link, because the draft is marked. Opening a tab would also use up the
   * activation by which the dashboard tells a click from a forged message. With a modifier key, or without a pointer,
   * the link opens.
   */
  const isSelection = (event, { marked }) =>
    marked === true && event.detail > 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey

  const reportScroll = (view, frame) => {
    let waiting = false
    view.addEventListener('scroll', () => {
      if (waiting) return
      waiting = true
      setTimeout(() => {
        waiting = false
        send({ preview: 'scroll', top: frame.scrollY })
      }, 200)
    })
  }

  /** Elements that a parser adds by itself. They have no mark. */
  const implied = new Set(['HTML', 'HEAD', 'BODY', 'TBODY', 'COLGROUP'])

  /**
   * Tells the dashboard which marked element the person points at or clicks, and where a marked element is that the
   * dashboard asks for. A message has only the number of a mark and a rectangle. An element without a mark, which a
   * script has made, has a rectangle but no number.
   *
   * @param view the window with the draft
   */
  const reportMarks = view => {
    const { document } = view
    const numberOf = element => Number(element.getAttribute(markAttribute))

    const markedAt = event => {
      const { target } = event
      const element = target?.nodeType === Node.ELEMENT_NODE ? target : target?.parentElement
      if (!element) return null
      const isMade = mode === 'scripted' && !element.hasAttribute(markAttribute)
      return isMade && !implied.has(element.tagName) ? element : element.closest(`[${markAttribute}]`)
    }

    const report = (on, element) => {
      const { left, top, width, height } = element?.getBoundingClientRect() ?? {}
      const mark = element?.hasAttribute(markAttribute) ? numberOf(element) : null
      send({ preview: 'mark', on, mark, rect: element ? [left, top, width, height] : null })
    }

    let tracked = null
    let pointed = null
    let isWaiting = false
    const reportTracked = () => {
      if (!tracked || isWaiting) return
      isWaiting = true
      view.requestAnimationFrame(() => {
        isWaiting = false
        if (tracked) report('track', tracked)
      })
    }
    const pointAt = element => {
      if (element === pointed) return
      pointed = element
      report('point', element)
    }

    // Listen on the way down, so that the draft's own scripts can't stop the events.
    const listen = (type, listener) => view.addEventListener(type, listener, { capture: true, passive: true })
    listen('pointerover', event => event.pointerType !== 'touch' && pointAt(markedAt(event)))
    listen('pointerout', event => event.relatedTarget === null && pointAt(null))
    listen('click', event => {
      if (!event.isTrusted) return
      tracked = markedAt(event)
      pointAt(null)
      report('pick', tracked)
    })
    listen('scroll', () => {
      pointAt(null)
      reportTracked()
    })
    listen('resize', reportTracked)
    listen('load', reportTracked)
    addEventListener('message', event => {
      if (event.origin !== dashboard || event.source !== parent || event.data?.track === undefined) return
      const { track, reveal } = event.data
      if (track === null || !tracked || numberOf(tracked) !== track || !tracked.isConnected)
        tracked = track === null ? null : document.querySelector(`[${markAttribute}="${Number(track)}"]`)
      if (reveal) tracked?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
      reportTracked()
    })
  }

  /** Replaces this document with the draft and runs the draft's scripts. */
  const showScripted = draft => {
    const { html, site, top } = draft
    document.open()
    // Listen on the window, because a click reaches the window last. If one of the draft's own scripts has already
    // handled the click, this listener ignores the click.
    addEventListener('click', event => {
      const link = event.target instanceof Element ? event.target.closest('a[href], area[href]') : null
      const href = link?.getAttribute('href') ?? ''
      if (!link || event.defaultPrevented || link.hasAttribute('download')) return
      if (!URL.canParse(href, document.baseURI)) return
      const url = new URL(href, document.baseURI)
      if (url.protocol === 'javascript:' || isWithin(url)) return
      const address = destination(url, site)
      if (propose(event, address, draft)) return
      event.preventDefault()
      if (isSelection(event, draft)) return
      open(address, '_blank', 'noopener')
    })
    addEventListener('submit', event => {
      const form = event.target
      if (event.defaultPrevented || form.method === 'dialog') return
      // A GET form that targets its own page reloads this document, which then receives the draft again.
      const action = new URL(form.getAttribute('action') || location.href, location.href)
      if (action.origin === location.origin && action.pathname === '/' && form.method === 'get') return
      form.action = destination(action, site)
      form.target = '_blank'
    })
    reportScroll(globalThis, globalThis)
    if (draft.marked) reportMarks(globalThis)
    // Only `document.write` runs a whole document, with its scripts in order, as if a server had sent it.
    // oxlint-disable-next-line typescript/no-deprecated
    document.write(html)
    document.close()
    if (top > 0) scrollTo({ top, behavior: 'instant' })
    send({ preview: 'shown' })
  }

  /** Renders the draft in a frame that runs no scripts. */
  const showStatic = draft => {
    const { html, site, top } = draft
    const parsed = new DOMParser().parseFromString(html, 'text/html')
    for (const link of parsed.querySelectorAll('a[href], area[href]')) {
      const href = link.getAttribute('href')
      if (href.startsWith('#')) {
        // The link goes into a srcdoc document. There, a bare fragment would resolve against the URL of the parent
        // document.
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
      (parsed.doctype ? new XMLSerializer().serializeToString(parsed.doctype) : '') +
      parsed.documentElement.outerHTML
    frame.addEventListener('load', () => {
      const view = frame.contentWindow
      if (top > 0) view.scrollTo({ top, behavior: 'instant' })
      reportScroll(view, view)
      if (draft.marked) reportMarks(view)
      // The frame runs no scripts of its own, but this script can listen for its events.
      frame.contentDocument.addEventListener('click', event => {
        const link = event.target.closest?.('a[href], area[href]')
        if (!link || !URL.canParse(link.href) || link.href.startsWith('about:srcdoc#')) return
        if (!propose(event, link.href, draft) && isSelection(event, draft)) event.preventDefault()
      })
      send({ preview: 'shown' })
    })
    document.body.replaceChildren(frame)
  }

  const receive = event => {
    if (event.origin !== dashboard || event.source !== parent || typeof event.data?.html !== 'string') return
    removeEventListener('message', receive)
    if (mode === 'scripted') showScripted(event.data)
    else showStatic(event.data)
  }
  addEventListener('message', receive)
  if (parent !== self) send({ preview: 'ready' })
}
