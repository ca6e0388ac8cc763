import { html, type Markup } from '../../routers/api/html.ts'
import { limits } from '../../routers/api/rules.ts'
import { block, prose, termList } from './prose.ts'

const FOLDER: readonly (readonly [string, string])[] = [
  ['pages/SLUG.liquid', 'A page; `pages/index.liquid` is the home page. `.html` works too'],
  ['parts/NAME.liquid', 'A part'],
  ['data/KEY.json', 'A record. How its JSON is formatted does not matter'],
  ['files/NAME', 'A file. If several files of the space have a name, each is in a folder with its id'],
  ['icon.png', `The icon of the space: a PNG of ${limits.iconSide} by ${limits.iconSide} pixels`],
  [
    'manifest.json',
    'The settings of pages and the descriptions of records, in the format of archives: the folder as a zip file is an archive that can be imported',
  ],
  ['space.json', 'The address of the space'],
  [
    '.spaceignore',
    'Names what is not part of the site, with patterns as in `.gitignore`. Hidden files, files of editors, `node_modules` and symbolic links never are, nor is anything else outside these folders',
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
    '`space push` shows what it changes and asks. Everything is applied at once or not at all, and `space undo` undoes it as one change. `space log` lists who changed what in the space. If the space has changed one of the items since your last pull, nothing is pushed. `space push --dry-run` only shows the changes, `space status` what differs on either side, and `space diff` the lines.',
  ],
  [
    'See it before others do',
    '`space dev` serves the folder to the browsers of your computer, exactly as the service would: static pages are sanitized, and scripted pages run in a frame of another origin. A save appears in the open browser at once, a mistake is explained in the page and on the terminal, and the other pages go on. It needs neither the network nor an account, and no other computer can reach it.',
  ],
  [
    'Mistakes are found before readers see them',
    '`space check` shows what the editors of the dashboard show about every template, record and file, one line for each problem: file, line, column and message. It needs neither the network nor an account, so a CI job can run it before it pushes; the exit code is 1 if there are problems. Notes, such as an entry of a list that lacks what the others have, do not count.',
  ],
  [
    'Always in step',
    '`space sync` keeps the folder and the space equal while it runs: a save in the folder is in the space within a second, and one in the space is in the folder within two. It asks nothing. What it cannot settle stays as it is, as after `space pull`, and everything else goes on. It goes on by itself after the network was away.',
  ],
  [
    'In scripts',
    'Set `SPACE_URL` to the address of the space and `SPACE_KEY` to a key, and use `space push --yes`. `--json` prints results for programs. The exit code is 0, 1 for problems and conflicts, or 2 for wrong use.',
  ],
  [
    'Versions',
    'The service has the package of its own version only, at `/space-site.tgz` and at an address with the version. After an update of the service, the command says so, and how to update it; in a `package.json` that names the earlier version, change the address, because it is gone.',
  ],
  [
    'Name and icon',
    'The icon of the space is `icon.png`. A key needs the scopes pages, data and files_write to change it. The name of the space is not in the folder; it is changed in the dashboard, or with the tool `update_space`.',
  ],
  [
    'With git',
    'Commit everything but `.space`, which ignores itself. A fresh checkout does not remember the last sync: `space push --base <commit>` takes a commit as that. What the space still has as in the commit is changed, and if it has something else, nothing is pushed. `space status` and `space pull` take `--base` too.',
  ],
  [
    'A new site',
    '`space init` makes a folder from a starter, without an account. To publish it, run `space login` with the address of this service in it: you choose an empty space in the browser, or create one, and `space push` publishes the site.',
  ],
]

const REPOSITORY = `.github/workflows/site.yml
.gitignore
README.md
space.json
manifest.json
icon.png
data/site.json
files/logo.svg
pages/index.liquid
pages/about.liquid
parts/layout.liquid`

/** A workflow for GitHub that pushes the branch main. The tag names the commit that the space has. */
const workflow = (apiRoot: string) => `name: Publish the site
on:
  push:
    branches: [main]
concurrency: site
permissions:
  contents: write
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npx --yes ${apiRoot}/space-site.tgz push --yes --base on-space
        env:
          SPACE_URL: ${apiRoot}/admin/spaces/garden
          SPACE_KEY: \${{ secrets.SPACE_KEY }}
      - run: git tag --force on-space && git push --force origin on-space`

/** Describes how to work on a space in a folder, with the commands to copy. */
export const computer = (apiRoot: string): Markup => html`
<section id="computer" aria-labelledby="computer-title"><h2 id="computer-title">Work from your computer</h2>
<p>The command <code>space</code> copies a space into a folder of plain files, where you can work with your own editor, with git and offline. It needs Node.js 20 or newer. <code>space login</code> opens the browser, where you agree to the access of this computer to one space; it appears among the keys of the space, where you can end it. Without a browser, <code>space login --key</code> takes a key with the scopes <code>pages</code>, <code>data</code>, <code>files</code> and <code>files_write</code>.</p>
${block(
  'From nothing to a changed site',
  `npm install --global ${apiRoot}/space-site.tgz\nspace clone ${apiRoot}/admin/spaces/garden\ncd garden\nspace push`,
)}
${block(
  'From nothing to a new site',
  `npx --yes ${apiRoot}/space-site.tgz init blog my-site\ncd my-site\nnpx --yes ${apiRoot}/space-site.tgz login ${apiRoot}\nnpx --yes ${apiRoot}/space-site.tgz push`,
)}
<p>Replace <code>garden</code> with the subdomain of your space. Edit the files before you push. Without installing anything, <code>npx ${apiRoot}/space-site.tgz</code> does the same as <code>space</code>. <code>space --help</code> lists all commands.</p>
<dl class="limits">${FOLDER.map(([name, text]) => html`<div><dt><code>${name}</code></dt><dd>${prose(text)}</dd></div>`)}</dl>
${termList('computer', RULES)}
${block('A repository with a site', REPOSITORY)}
${block('.github/workflows/site.yml', workflow(apiRoot))}
<p>The tag <code>on-space</code> names the commit that the space has, so that a push after one that failed takes everything. Set it once, after your first own push: <code>git tag on-space &amp;&amp; git push origin on-space</code>. Store a key of the space as the secret <code>SPACE_KEY</code> of the repository.</p>
</section>`
