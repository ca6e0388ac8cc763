/** What the tools share, whichever server they come from. */
const FAILURES =
  'A call that fails returns a JSON problem (code, detail, and errors with the field and the rule) and what to do next. rate_limited tells the seconds to wait; calls are counted together with REST, 60 in a minute.'

/** For the model behind a space key. */
export const spaceInstructions = `Space Site serves the website of one space, the one your key is for. It consists of pages (each at an address of its own), parts (templates that pages share), data (JSON records) and files. Everything in them is public at once. Call get_space first: it tells the address, the scopes of your key and all limits.

Bodies of pages and parts are Liquid templates, evaluated on the server at each visit (250 ms at most):
- {{ space.name }}, {{ page.slug }}; output is escaped, {{ x | raw }} is not. What is unknown is empty.
- {% for p in pages %}<a href="{{ p.url }}">{{ p.slug }}</a>{% endfor %}; files have name, contentType, size and url.
- data.events is the value of the record events; with hyphens data["weekly-todo"].
- {% render 'card', item: x %} gives a part only what is passed; {% include 'nav' %} lets it see all the page sees.
- {% layout 'frame' %}{% block content %}...{% endblock %} puts a body into the block of that name in the part frame.
Keep what pages share in parts, and what changes often in data. Templates are not checked when saved: a broken one shows an explanation at its address.

${FAILURES}`

/** For the model behind a person's token. */
export const userInstructions = `Space Site account tools act as one person: what you post appears under their name on the public timeline at once. Call get_me first: it tells who that is, the scopes of your token and all limits. Posts are written as html (a document of its own), markdown, or reblog (a shared address). There are no tools for comments and likes. Show the person what you are about to publish, replace or delete unless they have asked for exactly that.

${FAILURES}`
