import type { Context } from '../../routers/api/context.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import { spaces } from '../../routers/spaces/router.ts'

const callSpaces = createCallerFactory(spaces)

/** The name and subdomain that the person typed for a new space. */
export interface NewSpace {
  name: string
  subdomain: string
}

/** Why a space could not be created, as a sentence beside the field, or above the form. */
export interface SpaceError {
  field: keyof NewSpace | 'form'
  message: string
}

/** The spaces that a person can connect a client to, by subdomain. */
export const spacesOf = (ctx: Context) => callSpaces(ctx).list()

/** The text before and after the subdomain in the address of a site. */
export const siteNaming = (ctx: Context) => callSpaces(ctx).naming()

/**
 * Creates a space for the person.
 *
 * @returns the errors, empty if the space was created; null if the session has ended in the meantime
 */
export const createSpace = async (ctx: Context, space: NewSpace): Promise<SpaceError[] | null> => {
  try {
    await callSpaces(ctx).create(space)
    return []
  } catch (error) {
    const problem = problemOf(error)
    const { errors = [] } = problem.circumstances
    if (problem.problem === 'validation_failed')
      return errors.map(({ field, message }) => ({ field: fieldOf(field), message: `It ${message}.` }))
    if (problem.problem === 'subdomain_taken')
      return [{ field: 'subdomain', message: 'This address is taken. Choose another one.' }]
    if (problem.problem === 'limit_reached' || problem.problem === 'account_suspended')
      return [{ field: 'form', message: problem.message }]
    if (problem.problem === 'sign_in_required') return null
    throw error
  }
}

const fieldOf = (field: string): SpaceError['field'] =>
  field === 'name' || field === 'subdomain' ? field : 'form'
