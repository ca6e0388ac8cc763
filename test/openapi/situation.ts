import { sqlOf } from '../../db/orm.ts'
import type { Operation } from '../../facades/operations.ts'
import type { ErrorCode } from '../../routers/core/errors.ts'
import { limits } from '../../routers/core/rules.ts'
import type { World } from '../support/world.ts'

/** A request before it is sent. */
export interface Request {
  /** Values of the path's parameters. */
  path: Record<string, string>
  secret?: string
  type?: string
  /** Sent as it is when it is text, else as JSON. */
  body?: unknown
}

/** The moment before an operation is called. */
export interface Situation {
  world: World
  operation: Operation
  /** The request that would succeed. */
  request: Request
}

/** How a failure is brought about: does what has to happen first, and says what to change about the request. */
export type Provocation<S extends Situation> = (situation: S) => Partial<Request> | Promise<Partial<Request>>

/** How the operations of an API are called, and how they are made to fail. */
export interface Situations<S extends Situation> {
  /** @param example the body that the document shows */
  prepare: (world: World, operation: Operation, example: unknown) => Promise<S>
  provocations: Partial<Record<ErrorCode, Provocation<S>>>
  /** The input field without which a failure is out of the question. */
  fields: Partial<Record<ErrorCode, string>>
}

/** An id that nothing has. */
export const NOBODY = 'zzzzzzzzzzzzzzzz'

/** The failures that both APIs have in common. */
export const common: Partial<Record<ErrorCode, Provocation<Situation>>> = {
  unauthorized: () => ({ secret: 'ss_sk_nobody' }),
  internal_error: async ({ world }) => {
    await mislayCallers(world)
    return {}
  },
  invalid_json: () => ({ body: '{' }),
  unsupported_media_type: () => ({ type: 'text/plain' }),
  payload_too_large: ({ operation }) => ({ body: ' '.repeat((operation.meta.bodyLimit ?? limits.body) + 1) }),
  validation_failed: () => ({ body: { colour: 'red' } }),
}

/** Puts the tables that say who calls where the service does not find them; `tidyUp` puts them back. */
export const mislayCallers = async (world: World): Promise<void> => {
  const { schema } = sqlOf(world.service.core.orm.em.fork())
  await schema.alterTable('accounts').renameTo('mislaid_accounts').execute()
  await schema.alterTable('spaces').renameTo('mislaid_spaces').execute()
}

/** Puts back every table that was mislaid. */
export const tidyUp = async (world: World): Promise<void> => {
  const { schema } = sqlOf(world.service.core.orm.em.fork())
  const tables = await sqlOf(world.service.core.orm.em.fork()).introspection.getTables()
  for (const { name } of tables)
    if (name.startsWith('mislaid_'))
      await schema.alterTable(name).renameTo(name.slice('mislaid_'.length)).execute()
}
