import { z } from 'zod'
import type { Precondition } from '../../routers/api/precondition.ts'
import { invalid } from '../../routers/api/problem.ts'
import type { Callable } from '../operations/list.ts'

/** An argument for the version that the caller has read. */
interface BaseVersion {
  name: 'updated_at' | 'version'
  /** Its JSON Schema. */
  schema: Record<string, unknown>
  /** The rule, and how an error completes the sentence that begins with the argument's name. */
  rule: z.ZodType<string | number>
  message: string
}

const MEANING = 'the call is refused if someone has changed the item since'

const UPDATED_AT: BaseVersion = {
  name: 'updated_at',
  schema: {
    type: 'string',
    format: 'date-time',
    description: `The updated_at that you read: ${MEANING}`,
  },
  rule: z.string(),
  message: 'must be a string',
}

const VERSION: BaseVersion = {
  name: 'version',
  schema: { type: 'integer', description: `The version that you read: ${MEANING}` },
  rule: z.int(),
  message: 'must be an integer',
}

/**
 * The argument with which the further servers let a tool that changes or deletes an item take the version that the
 * caller has read. Operations of the APIs have no such field, because REST has `If-Match`. Undefined for all other
 * tools, and for those whose operation has a field for it.
 */
export const baseVersionOf = ({ type, meta, input }: Callable): BaseVersion | undefined => {
  if (type !== 'mutation' || !meta.openapi || !meta.conditional?.includes('If-Match')) return undefined
  const argument = 'key' in input.shape ? VERSION : UPDATED_AT
  return argument.name in input.shape ? undefined : argument
}

/**
 * Takes the version out of the arguments of a call.
 *
 * @throws `validation_failed`
 */
export const takeBaseVersion = (
  { name, rule, message }: BaseVersion,
  args: Record<string, unknown>,
): { args: Record<string, unknown>; precondition: Precondition | undefined } => {
  if (!Object.hasOwn(args, name)) return { args, precondition: undefined }
  const { [name]: given, ...rest } = args
  const base = rule.safeParse(given)
  if (!base.success) throw invalid(name, message)
  return { args: rest, precondition: { base: base.data } }
}
