import type { Fields } from '../editor/use-template-draft.ts'
import type { ExampleName } from '../view-search.ts'

/** The fields of a page. */
export type PageValues = Fields & { slug: string; kind: 'scripted' | 'static' }

/** An example to start a page with. */
interface Example extends PageValues {
  label: string
  text: string
}

const WELCOME = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{{ space.name }}</title>
    <style>
      body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; font: 1.125rem/1.6 system-ui, sans-serif }
      a { color: #1f6f43 }
    </style>
  </head>
  <body>
    <h1>Welcome to {{ space.name }}</h1>
    <p>You can change everything on this page.</p>
    <h2>Pages</h2>
    <ul>
      {% for other in pages %}
        <li><a href="{{ other.url }}">{{ other.slug }}</a></li>
      {% endfor %}
    </ul>
  </body>
</html>`

const GALLERY = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Pictures of {{ space.name }}</title>
    <style>
      body { margin: 2rem; font-family: system-ui, sans-serif }
      ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 1rem; padding: 0; list-style: none }
      img { width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: .75rem }
    </style>
  </head>
  <body>
    <h1>Pictures</h1>
    <ul>
      {% for file in files %}
        {% if file.contentType contains "image/" %}
          <li><img src="{{ file.url }}" alt="{{ file.name }}"></li>
        {% endif %}
      {% else %}
        <li>Pictures you upload under Files appear here.</li>
      {% endfor %}
    </ul>
  </body>
</html>`

const COUNTER = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Counter</title>
    <base target="_top">
    <script src="/_page.js" async></script>
    <style>
      body { display: grid; place-items: center; min-height: 100vh; margin: 0; font-family: system-ui, sans-serif }
      button { padding: 1rem 2rem; font: inherit; font-size: 1.5rem; border-radius: 1rem }
    </style>
  </head>
  <body>
    <button type="button">Count: <span>0</span></button>
    <script>
      const count = document.querySelector('span')
      document.querySelector('button').addEventListener('click', () => {
        count.textContent = Number(count.textContent) + 1
      })
    </script>
  </body>
</html>`

/** The examples, by the name that selects them in the view's URL. */
export const EXAMPLES: Record<ExampleName, Example> = {
  welcome: {
    label: 'Welcome',
    text: 'A home page that lists your pages',
    slug: 'index',
    kind: 'static',
    html: WELCOME,
  },
  gallery: {
    label: 'Gallery',
    text: 'All pictures in your files',
    slug: 'gallery',
    kind: 'static',
    html: GALLERY,
  },
  counter: { label: 'App', text: 'A button with a script', slug: 'counter', kind: 'scripted', html: COUNTER },
}

/** The initial fields of a blank page. */
export const BLANK: PageValues = {
  slug: '',
  kind: 'scripted',
  html: '<h1>{{ space.name }}</h1>\n',
}

const SPECIAL: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '{': '&#123;' }

/** The initial body of a blank page with a title. The title is text, also if it looks like markup or a tag of Liquid. */
export const blankBody = (title: string): string => {
  const text = title.trim().replace(/[&<>]|\{(?=[{%])/g, sign => SPECIAL[sign]!)
  return text === '' ? BLANK.html : `<title>${text}</title>\n<h1>${text}</h1>\n`
}
