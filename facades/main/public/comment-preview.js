/*
 * Shows a preview of a comment while the person writes it. Without this script, the form has a preview button. The
 * preview is below the form, so that the text does not move.
 */
{
  /** How long the typing must pause, in ms. */
  const PAUSE = 300
  /**
   * The shortest time between two requests, in ms. A slow typist pauses after every key, and would otherwise
   * exceed the limit on previews.
   */
  const INTERVAL = 600

  const { address } = document.currentScript.dataset
  const form = document.currentScript.closest('form')
  const field = form.elements.namedItem('body')
  form.elements.namedItem('preview').remove()
  form.querySelector('.preview')?.remove()

  const section = document.createElement('section')
  section.className = 'preview'
  section.setAttribute('aria-labelledby', 'preview-heading')
  section.hidden = true
  const title = document.createElement('h2')
  title.id = 'preview-heading'
  title.textContent = 'Preview'
  const output = document.createElement('div')
  output.dir = 'auto'
  section.append(title, output)
  form.append(section)

  /** The text whose preview is shown. */
  let shown = ''
  let lastRequest = 0
  let isWaiting = false
  let timer

  const show = (content, isError = false) => {
    section.hidden = false
    output.className = isError ? 'error' : 'rich'
    if (isError) output.textContent = content
    else output.innerHTML = content
    // The section never gets smaller. Otherwise, the page could become shorter, and the browser would scroll.
    section.style.minHeight = `${section.offsetHeight}px`
  }

  const schedule = (delay = PAUSE) => {
    clearTimeout(timer)
    timer = setTimeout(() => void update(), Math.max(delay, lastRequest + INTERVAL - Date.now()))
  }

  const update = async () => {
    const text = field.value
    if (isWaiting || text === shown) return
    if (text.trim() === '') {
      shown = text
      if (!section.hidden) show('')
      return
    }
    isWaiting = true
    lastRequest = Date.now()
    let delay = PAUSE
    try {
      const response = await fetch(address, { method: 'POST', body: new URLSearchParams({ body: text }) })
      const content = await response.text()
      if (response.status === 429) delay = Number(response.headers.get('retry-after')) * 1000
      else {
        shown = text
        if (response.ok) show(content)
        else if (response.headers.get('content-type').startsWith('text/plain')) show(content, true)
        else show('The preview cannot be shown right now.', true)
      }
    } catch {
      // The connection was interrupted. Don't retry until the text changes.
      shown = text
      show('The preview cannot be loaded. You may be offline.', true)
    }
    isWaiting = false
    if (field.value !== shown) schedule(delay)
  }

  field.addEventListener('input', () => {
    if (!isWaiting) schedule()
  })
  // When the person navigates back to this page, the browser restores the text of the comment. So show the preview
  // again. If the service refused the comment, show no preview, because the page already says what is wrong.
  addEventListener('pageshow', () => {
    if (field.value !== '' && !field.hasAttribute('aria-invalid')) schedule(0)
  })
}
