import { RESERVED_SLUGS } from '../../routers/api/rules.ts'

/** A fact to know before building a site. Texts mark code with backticks. */
export interface SiteFact {
  title: string
  text: string
}

/**
 * Facts that a person or an agent should know before building a site. The reference and the tool server show them.
 */
export const siteFacts: readonly SiteFact[] = [
  {
    title: 'Home page',
    text: 'The page with the slug `index` is the home page, at the root of the site. Without one, visitors see a list of the pages.',
  },
  {
    title: 'Reserved slugs',
    text: `The site itself uses ${RESERVED_SLUGS.map(slug => `\`${slug}\``).join(', ')}; no page can have that slug.`,
  },
  {
    title: 'Kind of a page',
    text: 'Choose `static` unless the page needs JavaScript or a form. A static page is part of the site: search engines read it, and its links and address work as usual. A scripted page runs in a frame on an origin of its own.',
  },
  {
    title: 'Documents and titles',
    text: 'A body can be a whole document with `<head>`, or only what goes into `<body>`. The `<title>` and the description of the page are those in its markup. In a layout, they can come from values that the page passes.',
  },
  {
    title: 'Links',
    text: 'Link to a page by its slug, as in `/about`, and to the home page as `/`; or use `url` of a page.',
  },
  {
    title: 'Braces in JavaScript',
    text: 'Liquid reads `{{` and `{%` in scripts too. Put `{% raw %}` and `{% endraw %}` around code that contains them.',
  },
  {
    title: 'Styles',
    text: 'Keep CSS in one place: in a part that the pages include, or in a file. A layout part with a `<style>` needs no further request.',
  },
  {
    title: 'Files',
    text: 'Look up a file by its name, because the service assigns its URL: `{% assign photo = files | where: "name", "photo.jpg" | first %}<img src="{{ photo.url }}" alt="…">`.',
  },
]
