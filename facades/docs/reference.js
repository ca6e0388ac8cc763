// The script of the reference: languages of examples, copy buttons, search, and calls with one's own key. Everything on a
// page can be read without it.
{
  const { dataset } = document.currentScript
  const make = (name, properties = {}, ...children) => {
    const { attributes = {}, ...own } = properties
    const element = Object.assign(document.createElement(name), own)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
    element.append(...children)
    return element
  }

  // Languages

  const LANGUAGE = 'space-site-language'
  const remembered = () => {
    try {
      return localStorage.getItem(LANGUAGE)
    } catch {
      return null // The browser keeps nothing for this site.
    }
  }
  const figures = [...document.querySelectorAll('.samples')]
  const showLanguage = chosen => {
    for (const figure of figures) {
      const codes = [...figure.querySelectorAll('pre')]
      const shown = codes.find(code => code.dataset.language === chosen) ?? codes[0]
      for (const code of codes) code.hidden = code !== shown
      for (const button of figure.querySelectorAll('[data-choose]'))
        button.setAttribute('aria-pressed', String(button.dataset.choose === shown.dataset.language))
    }
  }
  const names = JSON.parse(dataset.languages)
  for (const figure of figures) {
    const group = make('div', {
      className: 'languages',
      attributes: { role: 'group', 'aria-label': 'Language' },
    })
    for (const { dataset: code } of figure.querySelectorAll('pre')) {
      const button = make('button', { type: 'button', textContent: names[code.language] })
      button.dataset.choose = code.language
      button.addEventListener('click', () => {
        // The figures above change their heights; the button stays where it is.
        const before = button.getBoundingClientRect().top
        showLanguage(code.language)
        scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
        try {
          localStorage.setItem(LANGUAGE, code.language)
        } catch {
          // Only this page has the language then.
        }
      })
      group.append(button)
    }
    figure.querySelector('figcaption').append(group)
  }
  showLanguage(remembered())

  // Copying

  const copy = async text => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text)
    // Without https, there is no clipboard.
    const area = make('textarea', { value: text })
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (!isCopied) throw new Error('not copied')
  }
  for (const figure of document.querySelectorAll('.code')) {
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    const status = make('span', { className: 'hidden', attributes: { role: 'status' } })
    button.addEventListener('click', async () => {
      const code = figure.querySelector('pre:not([hidden])').textContent
      status.textContent = await copy(code).then(
        () => 'Copied',
        () => 'Select the text and copy it',
      )
      button.textContent = status.textContent
      setTimeout(() => {
        button.textContent = 'Copy'
        status.textContent = ''
      }, 2000)
    })
    figure.querySelector('figcaption').append(button, status)
  }

  // Search

  const search = document.getElementById('search')
  const box = document.getElementById('search-text')
  const results = document.getElementById('search-results')
  const entries = JSON.parse(document.getElementById('search-index').textContent).map(
    ([title, where, href, words]) => ({
      title,
      where,
      href,
      words: words.split(' '),
      all: `${title} ${where} ${words}`.toLowerCase(),
    }),
  )
  search.hidden = false
  let active = -1

  const rank = (entry, text) => {
    const title = entry.title.toLowerCase()
    if (title === text) return 0
    if (title.startsWith(text)) return 1
    if (title.includes(text)) return 2
    return entry.words.some(word => word.toLowerCase() === text) ? 3 : 4
  }
  const choose = index => {
    const options = [...results.children].filter(option => option.id)
    active = options.length === 0 ? -1 : (index + options.length) % options.length
    for (const [n, option] of options.entries()) option.setAttribute('aria-selected', String(n === active))
    options[active]?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    if (active === -1) box.removeAttribute('aria-activedescendant')
    else box.setAttribute('aria-activedescendant', options[active].id)
  }
  const close = () => {
    results.hidden = true
    box.setAttribute('aria-expanded', 'false')
    box.removeAttribute('aria-activedescendant')
  }
  const lookUp = () => {
    const text = box.value.trim().toLowerCase()
    if (text === '') return close()
    const parts = text.split(/\s+/)
    const found = entries
      .filter(({ all }) => parts.every(part => all.includes(part)))
      .map(entry => ({ entry, rank: rank(entry, text) }))
      .sort((a, b) => a.rank - b.rank)
      .slice(0, 20)
    const options = found.map(({ entry: { title, where, href, words } }, n) => {
      const word =
        parts.length === 1 &&
        !title.toLowerCase().includes(text) &&
        words.find(one => one.toLowerCase().includes(text))
      const option = make(
        'li',
        { id: `search-result-${n}`, attributes: { role: 'option', 'aria-selected': 'false' } },
        make('strong', { textContent: word || title }),
        ` ${word ? `${title}, ${where}` : where}`,
      )
      option.addEventListener('click', () => {
        close()
        location.href = href
      })
      return option
    })
    if (options.length === 0)
      options.push(
        make('li', {
          className: 'none',
          textContent: 'Nothing found',
          attributes: { role: 'option', 'aria-disabled': 'true' },
        }),
      )
    results.replaceChildren(...options)
    results.hidden = false
    box.setAttribute('aria-expanded', 'true')
    choose(0)
  }
  box.addEventListener('input', lookUp)
  box.addEventListener('focus', lookUp)
  box.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.isComposing) return
    if (step) {
      event.preventDefault()
      if (results.hidden) lookUp()
      else choose(active + step)
    } else if (event.key === 'Escape') {
      if (results.hidden) box.value = ''
      close()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (!results.hidden) results.querySelector('[aria-selected=true]')?.click()
    }
  })
  // A click must not take the focus, because the results close when it leaves.
  results.addEventListener('mousedown', event => event.preventDefault())
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget)) close()
  })
  document.addEventListener('keydown', event => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]')
    const isShortcut = event.key === 'k' && (event.ctrlKey || event.metaKey)
    if (!isShortcut && (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey))
      return
    event.preventDefault()
    box.focus()
    box.select()
  })

  // Calls with one's own key

  /** The key that was typed, in memory only. */
  let secret = ''
  const secrets = new Set()
  const field = (label, input) => make('label', {}, label, input)
  const text = properties =>
    make('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: false,
      autocapitalize: 'off',
      ...properties,
    })

  const tryForm = ({ method, path, body, credential }) => {
    const key = text({ className: 'secret', required: true, value: secret })
    secrets.add(key)
    key.addEventListener('input', () => {
      secret = key.value
      for (const other of secrets) if (other !== key) other.value = secret
    })
    // Empty, so that a call reaches only what the reader has typed.
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, text({ required: true })])
    const area = body === undefined ? null : make('textarea', { value: body, rows: 8, spellcheck: false })
    const send = make('button', {
      type: 'submit',
      textContent: method === 'GET' ? 'Send' : `Send: this really writes`,
    })
    const answer = make('pre', { hidden: true, tabIndex: 0, attributes: { 'aria-live': 'polite' } })
    const form = make(
      'form',
      { className: 'try' },
      field(`Your ${credential}`, key),
      ...parameters.map(([name, input]) => field(name, input)),
      ...(area ? [field('Body', area)] : []),
      send,
      answer,
    )
    form.addEventListener('submit', async event => {
      event.preventDefault()
      const values = new Map(
        parameters.map(([name, input]) => [name, encodeURIComponent(input.value.trim())]),
      )
      send.disabled = true
      answer.hidden = false
      answer.textContent = 'Sending …'
      try {
        const response = await fetch(
          `${dataset.base}/v1${path.replace(/\{(\w+)\}/g, (_, name) => values.get(name))}`,
          {
            method,
            headers: {
              Authorization: `Bearer ${key.value.trim()}`,
              ...(area ? { 'Content-Type': 'application/json' } : {}),
            },
            ...(area ? { body: area.value } : {}),
            credentials: 'omit',
            cache: 'no-store',
            redirect: 'error',
          },
        )
        const received = await response.text()
        const headers = ['ETag', 'Location', 'Link', 'X-Template-Error', 'RateLimit-Remaining', 'Retry-After']
          .filter(name => response.headers.has(name))
          .map(name => `${name}: ${response.headers.get(name)}\n`)
        answer.textContent = `${response.status}\n${headers.join('')}\n${pretty(received)}`.trimEnd()
      } catch (error) {
        answer.textContent = `The call could not be sent: ${error.message}`
      }
      send.disabled = false
    })
    return form
  }
  const pretty = received => {
    try {
      return JSON.stringify(JSON.parse(received), null, 2)
    } catch {
      return received
    }
  }
  for (const section of document.querySelectorAll('[data-path]')) {
    const details = make('details', { className: 'try-out' }, make('summary', { textContent: 'Try it' }))
    details.addEventListener('toggle', () => {
      if (details.open && details.children.length === 1) details.append(tryForm(section.dataset))
    })
    section.querySelector('.samples').after(details)
  }
  // A page that is shown again after the reader went elsewhere has no key.
  addEventListener('pagehide', () => {
    secret = ''
    for (const key of secrets) key.value = ''
  })
}
