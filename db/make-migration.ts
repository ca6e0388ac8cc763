/**
 * Generates the next migration from the entities: `npm run db:migration -- <url> <name>`.
 * Review it, then add it to `migrations.ts`.
 */
import type { MigrationDiff } from '@mikro-orm/core'
import { TSMigrationGenerator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import { Database, ormConfig } from './database.ts'

/** Leaves out `down`: migrations only go forward. */
class ForwardGenerator extends TSMigrationGenerator {
  override generateMigrationFile(className: string, diff: MigrationDiff): string {
    return super.generateMigrationFile(className, { ...diff, down: [] })
  }
}

const [url, name] = process.argv.slice(2)
if (!url)
  throw new Error('Usage: npm run db:migration -- <url of a database with all earlier migrations> <name>')
const database = await Database.open({ url })
const config = ormConfig({ url }, database, line => process.stderr.write(`${line}\n`))
const orm = await MikroORM.init({
  ...config,
  migrations: { ...config.migrations, generator: ForwardGenerator },
})
const { fileName } = await orm.migrator.create(undefined, false, false, name)
process.stdout.write(`${fileName}\n`)
await database.close()
