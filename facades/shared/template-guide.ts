/**
 * The template language, for the reference and for agents. Texts mark code with backticks.
 */
import { limits } from '../../routers/api/rules.ts'

type Row = readonly [title: string, text: string]

/** The variables of a page. */
export const variables: readonly Row[] = [
  ['space', '`name`, `subdomain` and `url` of the space.'],
  ['page', '`slug` and `url` of the page.'],
  ['pages', 'All pages, each with `slug` and `url`.'],
  ['files', 'All files, each with `name`, `contentType`, `size` and `url`.'],
  ['data', 'The records: `data.events`, or `data["weekly-todo"]`. Unknown names are empty.'],
]

/** How pages include parts and use layouts. */
export const sharing: readonly Row[] = [
  [
    'render',
    '`{% render "card", item: event %}` includes a part that sees only the values passed to it, not even `space` or `data`. `{% render "card" for data.events as item %}` renders it for each element.',
  ],
  ['include', '`{% include "nav" %}` includes a part that sees all variables of the page.'],
  [
    'layout and block',
    'A part with `{% block content %}{% endblock %}` is a layout. A page begins with `{% layout "frame", title: "Home" %}` and puts its content into `{% block content %}…{% endblock %}`; what is outside of its blocks is not shown. The layout prints `{{ title }}`. A block\'s content in the layout is the default for pages that do not define that block.',
  ],
]

/** How pages print lists, and what visitors see if a page has an error. */
export const printing: readonly Row[] = [
  [
    'Lists from data',
    '`{% for event in data.events %}<li>{{ event.title }}</li>{% else %}<li>Nothing yet</li>{% endfor %}` prints the elements of the record `events`.',
  ],
  [
    'Errors',
    `A syntax error or a missing part shows an explanation instead of the page. A page may use ${limits.pageCpu} ms of processor time.`,
  ],
]

/** How templates print dates, prices, and data in scripts. */
export const formatting: readonly Row[] = [
  [
    'Dates',
    '`{{ event.start | date: "%A, %-d %B %Y, %H:%M", timezone: "Europe/Berlin", lang: "de" }}` prints `Samstag, 7 November 2026, 16:04`. The directives are those of Ruby’s `strftime`. Without `timezone`, dates are in UTC; without `lang`, names are English. `date_to_string`, `date_to_long_string`, `date_to_rfc822` and `date_to_xmlschema` accept both as well.',
  ],
  [
    'What is a date',
    'ISO dates, seconds since 1970, `now`, and text such as `7 Nov 2026` or `November 7th, 2026`. The day comes first in `03.04.2026` and `03/04/2026`. Any other text is printed unchanged.',
  ],
  [
    'Prices',
    '`{{ 1999 | money: "EUR", lang: "de" }}` prints `19,99 €`. As in Shopify, the number counts hundredths: `{{ 4.5 | times: 100 | money }}` prints `$4.50`. Also `money_with_currency`, `money_without_currency` and `money_without_trailing_zeros`. The currency is USD unless it is named.',
  ],
  [
    'Data in scripts',
    '`<script>const menu = {{ data.menu | json | raw }}</script>`. `json` writes `<`, `>` and `&` as `\\u003c`, `\\u003e` and `\\u0026`, so no data can end the script. Without `raw`, the quotes are escaped for HTML and the script does not run; in attributes, leave out `raw`.',
  ],
]

/** Deviations from Shopify's Liquid; test/liquid/idioms.test.ts and language.test.ts show most of them. */
export const deviations: readonly Row[] = [
  [
    'Output is escaped',
    '`{{ x }}` is escaped for HTML, `{{ x | raw }}` is not. Captured text and `block.super` are not escaped again.',
  ],
  [
    'Whole numbers print without .0',
    '`{{ 10 | plus: 2.0 }}` is `12`: numbers in JSON data lose their `.0`, so all numbers are printed without it. But division treats `9.0` as a decimal number: `{{ 9.0 | divided_by: 2 }}` is `4.5`, `{{ 9 | divided_by: 2 }}` is `4`.',
  ],
  [
    'Filters are lenient',
    'An unknown filter changes nothing, extra arguments are ignored, and missing ones count as empty. Previews give a hint. Where a filter has no result, as in a division by zero, the page prints `Liquid error: divided by 0` there, and the rest of the page as usual; a variable that is assigned such a result stays empty.',
  ],
  [
    'Lists can contain anything',
    '`where`, `reject`, `find`, `has`, `map`, `sum`, `uniq` and `compact` do not fail for elements without the property, and accept a path to a nested property: `where: "author.name", "Ana"`. `sort` does not fail for values that cannot be compared.',
  ],
  ['Objects print as JSON', '`{{ data.event }}` prints the object as JSON.'],
  [
    'Each branch runs once',
    'A branch of `case` with several matching values prints once, and only the first `else` counts. A second `else` in `if` is an error.',
  ],
  [
    'More names and operators',
    'Names may begin with a hyphen, `list.0` is `list[0]`, `-1` counts from the end, and conditions may use `not`.',
  ],
  [
    'Conditions are lenient',
    'Text that looks like a number is compared as a number: `"10" > 9`. Anything after a value is ignored unless it begins with a known operator: `{% if a startswith "x" %}` only checks `a`.',
  ],
  [
    'Paths have no spaces',
    'White space ends a path: `{{ space .name }}` prints the space, not its name. Words after `else` are an error.',
  ],
  [
    'Loop limits are lenient',
    'A `limit` or `offset` that is not a number is not an error: it counts as missing or as zero.',
  ],
  [
    'Parts',
    '`render`, `include` and `layout` take the names of parts. `include "card" with list` passes the whole list; `for` renders the part for each element.',
  ],
  [
    'Dates are in UTC',
    'Dates without a time zone count as UTC, too; `timezone` prints them in another zone. Only text that is a date as a whole, or contains a date with a year of four digits, is read as a date: `Room 12` is not. The day comes first in `03.04.26`, and `2026-11` is a month.',
  ],
  [
    'Strings end at the next quote',
    'A backslash has no meaning in a string: `"\\n"` is a backslash and an n. To get a line break, capture one.',
  ],
]

/** Markup that is removed from static pages; docs/decisions/0004-templates.md has the reasons. */
export const removedMarkup: readonly Row[] = [
  ['Code', 'Scripts, `template`, event attributes, and addresses such as `javascript:`.'],
  [
    'Forms',
    'Forms, fields and buttons are removed, but their text stays. Lists of choices are removed with their text.',
  ],
  [
    'Embeds',
    'Frames, `object` and other embedded documents. The fallback content inside `object` is not removed.',
  ],
  ['SVG', 'Upload it as a file and show it with `img`.'],
  ['Instructions to the browser', '`base`, `meta http-equiv`, and `link` elements that only prefetch.'],
  [
    'Addresses',
    'Schemes that start another program, and `data:` addresses except pictures, audio and video.',
  ],
  [
    'Unknown markup',
    'Unknown elements lose their tags, unknown attributes are removed. Custom elements stay.',
  ],
  ['Comments', 'All comments, including conditional ones.'],
]
