import { html, type Markup } from '../../routers/api/html.ts'
import { block, prose } from './prose.ts'

const FOLDER: readonly (readonly [string, string])[] = [
  ['pages/SLUG.liquid', 'A page; `pages/index.liquid` is the home page. `.html` works too'],
  ['parts/NAME.liquid', 'A part'],
  ['data/KEY.json', 'A record. How its JSON is formatted does not matter'],
  ['files/NAME', 'A file. If several files of the space have a name, each is in a folder with its id'],
  [
    'manifest.json',
    'The settings of pages and the descriptions of records, in the format of archives: the folder as a zip file is an archive that can be imported',
  ],
  ['space.json', 'The address of the space'],
  [
    '.spaceignore',
    'Names what is not part of the site, with patterns as in `.gitignore`. Hidden files, files of editors, `node_modules` and symbolic links never are, nor is anything outside these folders',
  ],
  ['.space', 'What the folder remembers of the last sync. Git ignores it'],
]

const RULES: readonly (readonly [string, string])[] = [
  [
    'Nothing is overwritten silently',
    '`space pull` takes what only the space changed and merges, line by line, what both changed. Where both changed the same place, your file stays as it is, and the version of the space is put beside it, such as `about.theirs.liquid`; it is empty if the space deleted the item. Take from it what you want, then delete it. Until then, `space push` refuses.',
  ],
  [
    'A push is one change',
    '`space push` shows what it changes and asks. Everything is applied at once or not at all, and can be undone as one change in the history of the space. If the space has changed one of the items since your last pull, nothing is pushed. `space push --dry-run` only shows the changes, `space status` what differs on either side, and `space diff` the lines.',
  ],
  [
    'In scripts',
    'Set `SPACE_URL` to the address of the space and `SPACE_KEY` to a key, and use `space push --yes`. `--json` prints results for programs. The exit code is 0, 1 for problems and conflicts, or 2 for wrong use.',
  ],
  [
    'A new site',
    '`space init` makes a folder from a starter, without an account. To publish it, put the address of an empty space into `space.json`.',
  ],
]

/** Describes how to work on a space in a folder, with the commands to copy. */
export const computer = (apiRoot: string): Markup => html`
<section id="computer" aria-labelledby="computer-title"><h2 id="computer-title">Work from your computer</h2>
<p>The command <code>space</code> copies a space into a folder of plain files, where you can work with your own editor, with git and offline. It needs Node.js 20 or newer, and a key with the scopes <code>pages</code>, <code>data</code>, <code>files</code> and <code>files_write</code>.</p>
${block(
  'From nothing to a changed site',
  `npm install --global ${apiRoot}/space-site.tgz\nspace login ${apiRoot}/admin/spaces/garden\nspace clone ${apiRoot}/admin/spaces/garden\ncd garden\nspace push`,
)}
<p>Replace <code>garden</code> with the subdomain of your space. Edit the files before you push. Without installing anything, <code>npx ${apiRoot}/space-site.tgz</code> does the same as <code>space</code>. <code>space --help</code> lists all commands.</p>
<dl class="limits">${FOLDER.map(([name, text]) => html`<div><dt><code>${name}</code></dt><dd>${prose(text)}</dd></div>`)}</dl>
<dl class="terms">${RULES.map(([title, text]) => html`<div><dt>${title}</dt><dd>${prose(text)}</dd></div>`)}</dl>
</section>`
