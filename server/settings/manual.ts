import type { Variables } from './schemas.ts'
import { variableGroups } from './variables.ts'

const row = ([name, { fallback, fallbackWords, purpose }]: [string, Variables[string]]): string =>
  `| \`${name}\` | ${fallbackWords ?? (fallback === '' ? '–' : `\`${fallback}\``)} | ${purpose} |`

/** Returns `docs/settings.md`, the list of all environment variables. */
export const manualOfSettings = (): string =>
  [
    '# Settings',
    '',
    'Environment variables of the service and its commands. [operating.md](operating.md#settings) says how they are',
    'checked. `./space-site config` prints the values that apply. This page is made from the declarations in `server/settings`.',
    ...variableGroups.flatMap(({ title, text, variables }) => [
      '',
      `## ${title}`,
      '',
      text,
      '',
      '| Variable | Default | What it is |',
      '|---|---|---|',
      ...Object.entries(variables).map(row),
    ]),
    '',
  ].join('\n')
