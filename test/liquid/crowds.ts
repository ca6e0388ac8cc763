import type { RenderRequest } from '../../routers/api/renderer.ts'
import { requestFor, type Trial } from './site.ts'

/** Returns the contents of an ordinary space: a layout, a navigation, data. */
export const siteOfPages = (): Trial => ({
  kind: 'static',
  parts: {
    layout: `<!doctype html><html lang="en"><head><title>{{ page.slug }}</title></head><body>{% render 'nav', pages: pages %}<main>{% block content %}{% endblock %}</main></body></html>`,
    nav: '<nav>{% for page in pages %}<a href="{{ page.url }}">{{ page.slug }}</a> {% endfor %}</nav>',
  },
  data: { events: Array.from({ length: 50 }, (_, n) => ({ title: `Event ${n}`, date: '2027-03-06' })) },
  pages: Array.from({ length: 30 }, (_, n) => ({ slug: `page-${n}`, url: `https://salt.example/page-${n}` })),
})

const body = (number: number) => `{% layout 'layout' %}{% block content %}<h1>Page ${number}</h1>
{% for event in data.events %}<article><h2>{{ event.title }}</h2><time>{{ event.date | date: "%A, %d %B %Y" }}</time></article>
{% endfor %}<p>${'Some text of this page. '.repeat(100)}</p>{% endblock %}`

let crowds = 0

/** Returns requests for many different ordinary pages, distributed over `spaces` spaces. */
export const crowd = ({ pages, spaces }: { pages: number; spaces: number }): RenderRequest[] => {
  crowds += 1
  return Array.from({ length: pages }, (_, number) => ({
    ...requestFor(body(number), siteOfPages(), `crowd-${crowds}-${number % spaces}`),
    revision: `crowd ${crowds}`,
  }))
}
