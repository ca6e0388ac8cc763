/**
 * Part of `npm run lint`: checks that queries and transactions are written in `db`. oxlint rejects imports of the query
 * builder, but not its use on a connection that another module returns.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const RULES = [
  {
    found: /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|getKysely)\(|'kysely'/,
    advice: 'put queries into db/queries',
  },
  {
    // A query as text. The method `query` of tRPC procedures does not match, because its argument is a function.
    found: /\bpoolOf\(|\.query\(['"`]/,
    advice: 'put queries into db/queries',
  },
  {
    // The method of a procedure's context is such a function.
    found: /(?<!\b(?:ctx|author))\.(?:transactional|transaction|startTransaction)\(/,
    advice: 'use inTransaction or a function of db/locks.ts, which set timeouts and retry',
  },
]

const files = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'facades/**.ts',
    'facades/**.tsx',
    'routers/**.ts',
    'server/**.ts',
  ],
  {
    encoding: 'utf8',
  },
)

for (const file of files.trim().split('\n'))
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries())
    for (const { found, advice } of RULES)
      if (found.test(line)) {
        process.stderr.write(`${file}:${index + 1}: ${advice}: ${line.trim()}\n`)
        process.exitCode = 1
      }
