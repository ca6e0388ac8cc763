/** The content of the demo site. */

export const DEMO_HANDLE = 'demo'
export const DEMO_SUBDOMAIN = 'garden'
export const DEMO_NAME = 'The Garden Club'

export const files = [
  {
    name: 'garden.css',
    content: `:root { color-scheme: light dark; --ink: #1d2b1f; --paper: #fbfaf5; --leaf: #2f7d4f; --line: #d9d6c8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9efe6; --paper: #141a15; --leaf: #7fcf9c; --line: #2d372f; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 1.05rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header, main, footer { max-width: 44rem; margin: 0 auto; padding: 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; border-bottom: 1px solid var(--line); }
header img { width: 2.5rem; height: 2.5rem; }
header strong { margin-right: auto; }
a { color: var(--leaf); }
h1 { line-height: 1.2; }
.events { list-style: none; padding: 0; display: grid; gap: 0.75rem; }
.events li { border: 1px solid var(--line); border-radius: 0.75rem; padding: 0.75rem 1rem; }
.events time { display: block; color: var(--leaf); font-weight: 600; }
button { font: inherit; padding: 0.4rem 0.9rem; border-radius: 0.6rem; border: 1px solid var(--leaf); background: none; color: var(--leaf); cursor: pointer; }
footer { color: color-mix(in srgb, var(--ink) 60%, var(--paper)); font-size: 0.9rem; }
`,
  },
  {
    name: 'leaf.svg',
    content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M32 60V26" stroke="#2f7d4f" stroke-width="4" stroke-linecap="round"/><path d="M32 34C10 34 8 16 8 8c14 0 24 8 24 26Z" fill="#4caf76"/><path d="M32 42c0-16 8-24 24-24 0 14-8 24-24 24Z" fill="#2f7d4f"/></svg>
`,
  },
]

export const parts = [
  {
    name: 'nav',
    html: `{% for page in pages %}<a href="{{ page.url }}">{{ page.slug | capitalize }}</a>
{% endfor %}`,
  },
  {
    name: 'layout',
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ page.slug | capitalize }} – {{ space.name }}</title>
{% block head %}{% endblock %}
{% assign style = files | where: "name", "garden.css" | first %}
{% assign leaf = files | where: "name", "leaf.svg" | first %}
<link rel="stylesheet" href="{{ style.url }}">
</head>
<body>
<header>
<img src="{{ leaf.url }}" alt="">
<strong>{{ space.name }}</strong>
{% render 'nav', pages: pages %}
</header>
<main>{% block content %}{% endblock %}</main>
<footer>This page is a Liquid template. Edit it in the dashboard or over the API, then reload.</footer>
</body>
</html>`,
  },
]

export const data = [
  {
    key: 'events',
    description: 'Listed on the page "index"',
    value: [
      { title: 'Seed swap', date: '2027-03-06', place: 'Village hall' },
      { title: 'Pruning apple trees', date: '2027-03-20', place: 'Old orchard' },
      { title: 'Open garden day', date: '2027-05-15', place: 'Everywhere' },
    ],
  },
]

export const pages = [
  {
    slug: 'index',
    kind: 'scripted' as const,
    html: `{% layout 'layout' %}{% block head %}<base target="_top">
<script src="/_page.js" async></script>{% endblock %}{% block content %}
<h1>Welcome to {{ space.name }}</h1>
<p>What is coming up:</p>
<ul class="events">
{% for event in data.events %}
<li><time datetime="{{ event.date }}">{{ event.date | date: "%A, %d %B %Y" }}</time>{{ event.title }}, {{ event.place }}</li>
{% endfor %}
</ul>
<p><button type="button" id="pick">Which one suits me?</button> <output id="choice"></output></p>
<script>
  const titles = [...document.querySelectorAll('.events li')].map(item => item.lastChild.textContent)
  document.querySelector('#pick').addEventListener('click', () => {
    document.querySelector('#choice').textContent = titles[Math.floor(Math.random() * titles.length)]
  })
</script>
{% endblock %}`,
  },
  {
    slug: 'about',
    kind: 'static' as const,
    html: `{% layout 'layout' %}{% block content %}
<h1>About us</h1>
<p>We are neighbors who like to grow things. This page is <em>static</em>: it runs no scripts.</p>
<p>There are {{ pages.size }} pages and {{ files.size }} files on this site.</p>
{% endblock %}`,
  },
]
