/*
 * Runs in the site's document around a scripted page. Assumes that the page's script is hostile: no message from that
 * script can navigate this window to another site.
 */
{
  const frame = document.querySelector('iframe')
  const pageOrigin = new URL(frame.src).origin
  const [load] = performance.getEntriesByType('navigation')

  /**
   * A random number that stands for one history entry of the frame. Several entries of this window can belong
   * to the same entry of the frame; they have the same number.
   */
  let entry = history.state?.entry ?? Math.random()
  /** Scroll position of the page; undefined until the page reports it. */
  let position = history.state?.position
  /** The page's latest report, until it is applied. */
  let latest
  /**
   * The address of the last known history entry. It differs from the window's address when the reader has just gone to
   * another entry.
   */
  let recorded
  const record = address => {
    history.replaceState({ entry, position }, '', address)
    recorded = location.href
  }

  /** Shows the window's path, query and fragment in the frame, without adding a history entry. */
  const show = () => {
    const { pathname, search, hash } = location
    // A fragment, even an empty one, keeps the frame from reloading.
    frame.contentWindow.location.replace(pageOrigin + pathname + search + (hash || '#'))
  }

  record()
  // A fragment never reaches the server, so the server cannot put it into the frame's address. This code adds the
  // fragment before the frame begins to load, so the page loads only once. After Back, the browser itself restores the
  // fragment and the position of the frame.
  if (location.hash && load?.type !== 'back_forward') frame.src += location.hash
  frame.loading = 'eager'
  addEventListener('hashchange', () => {
    const isTyped = history.state === null
    const isShared = history.state?.entry === entry
    // `position` and `latest` still describe the history entry that the reader has left.
    position = history.state?.position
    latest = undefined
    if (isTyped) record()
    if (isTyped || isShared) show()
    entry = history.state.entry
    recorded = location.href
  })

  // Focus the page, so that keys such as Page Down scroll it. This document has nothing to scroll.
  const focus = () => frame.contentWindow.focus()
  frame.addEventListener('load', focus)
  // If a key press arrives here, the page does not have the focus. Focus it, so that it gets the next key press.
  addEventListener('keydown', focus)

  /**
   * Opens an address of this site after a link in the frame led to it. Replaces the history entry that the frame added.
   */
  const follow = address => {
    if (!URL.canParse(address)) return
    const url = new URL(address)
    if (url.origin !== location.origin) return
    // The frame now has its own history entry, and the last report of its page is out of date.
    entry = Math.random()
    latest = undefined
    const isWithin = url.hash && url.pathname === location.pathname && url.search === location.search
    if (!isWithin) return location.replace(url)
    // Record the address now. If it were recorded on `hashchange`, a report that arrives before that event would set
    // the previous address again.
    position = undefined
    record(url)
    show()
  }

  /**
   * How long to wait between applying two reports of the page, in ms. Each report replaces the history entry, and
   * browsers limit how often a script may do that.
   */
  const PAUSE = 500
  const MAX_TITLE = 300
  const MAX_ADDRESS = 2048
  /** Maximum width and height of a printed page, in CSS pixels. */
  const MAX_SIZE = 200_000
  /** The largest page width that browsers shrink to fit the paper, in CSS pixels. */
  const PAPER = 1_400

  const setTitle = title => {
    if (typeof title !== 'string' || !title.trim()) return
    document.title = title.slice(0, MAX_TITLE)
    frame.title = document.title
  }

  const setAddress = address => {
    if (
      typeof address !== 'string' ||
      address.length > MAX_ADDRESS ||
      !URL.canParse(address, location.origin)
    )
      return
    const url = new URL(address, location.origin)
    if (url.origin !== location.origin || url.href === location.href) return
    // The change came from inside the frame, so the frame now has its own history entry.
    entry = Math.random()
    record(url)
  }

  const setPosition = (left, top) => {
    if (!Number.isFinite(left) || !Number.isFinite(top)) return
    position = { left, top }
    record()
  }

  /** Sets the size of the frame for printing, so that the whole page is printed, as wide as it is on the screen. */
  const setSize = (width, height) => {
    if (!(width > 0 && width <= MAX_SIZE && height > 0 && height <= MAX_SIZE)) return
    frame.style.setProperty('--width', `${Number(width)}px`)
    frame.style.setProperty('--height', `${Number(height)}px`)
    frame.style.setProperty('--zoom', Math.min(1, PAPER / width))
  }

  let isPausing = false
  /** Applies the page's latest report. */
  const apply = () => {
    // A report that arrives before `hashchange` is about the history entry that the reader has left.
    if (location.href !== recorded) latest = undefined
    isPausing = latest !== undefined
    if (!isPausing) return
    const { title, address, left, top, width, height } = latest
    latest = undefined
    setTimeout(apply, PAUSE)
    setTitle(title)
    setAddress(address)
    setPosition(left, top)
    setSize(width, height)
  }

  let isWelcomed = false
  const receive = page => {
    if (typeof page !== 'object' || page === null) return
    // After Back, the browser restores the scroll position of the frame; after a reload, it does not.
    if (!isWelcomed && position && load?.type === 'reload')
      frame.contentWindow.postMessage({ position }, pageOrigin)
    isWelcomed = true
    latest = page
    if (!isPausing) apply()
  }
  addEventListener('pagehide', apply)

  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow) return
    // Only documents of the service run scripts on the site's origin.
    if (origin === location.origin) follow(data?.open)
    else if (origin === pageOrigin) receive(data?.page)
  })
}
