import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const DECISION = 'docs/decisions/0018-private-members.md'

/** Private members of packages, and the file that may use them. */
const MEMBERS: readonly [package_: string, members: RegExp, file: RegExp][] = [
  [
    'liquidjs',
    /\b_parse(?:Partial|Layout)File\b|\brenderer\.renderTemplates\b|\bfindScope\(key/,
    /^routers\/rendering\/engine\/liquidjs\.ts$/,
  ],
  [
    "liquidjs's tokenizer",
    /\brawBeginAt\b|\bprototype\.read\w+ =/,
    /^routers\/rendering\/engine\/tokenizer\.ts$/,
  ],
  [
    'pg',
    /\b_(?:accumulateRows|parsers|prebuiltEmptyResultObject)\b|\bconnection\??: \{ stream|\bprepareValue\b/,
    /^db\/client\.ts$/,
  ],
  ['@trpc/server', /\._def\b/, /^facades\/operations\/invoke\.ts$/],
  ['express', /'trust proxy fn'/, /^server\/http\/app\.ts$/],
  ['markdown-it', /\b_prev_delimiters\b/, /^routers\/social\/posts\/markdown\/small-tokens\.ts$/],
  ['Node.js', /\.listeners\('data'\)/, /^server\/http\/answer-in-turn\.ts$/],
]

const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'db', 'routers', 'facades', 'server'],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter(file => /\.tsx?$/.test(file))
const texts = new Map(sources.map(file => [file, readFileSync(file, 'utf8')]))

test.each(MEMBERS)(
  'private members of %s are used in the place that the decision names',
  (_, members, place) => {
    const users = sources.filter(file => members.test(texts.get(file)!))
    expect(users).not.toEqual([])
    expect(users.filter(file => !place.test(file))).toEqual([])
    const decision = readFileSync(DECISION, 'utf8')
    for (const file of users) expect(decision).toContain(file.split('/').at(-1))
  },
)
