/**
 * Writes the next migration from what the entities say: `npm run db:migration -- name`.
 * Read what it wrote, then list it in `migrations.ts`.
 */
import { MikroORM } from '@mikro-orm/postgresql'
import { ormConfig } from './orm.ts'

const [url, name] = process.argv.slice(2)
if (!url) throw new Error('Say where an empty database is: node db/make-migration.ts <url> [name]')
const orm = await MikroORM.init(ormConfig({ url }, 1, line => process.stderr.write(`${line}\n`)))
const { fileName } = await orm.migrator.create(undefined, false, false, name)
process.stdout.write(`${fileName}\n`)
await orm.close()
