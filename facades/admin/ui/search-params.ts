/** Declares and validates the search parameters of views. A wrong value is ignored, as if it were missing. */
import { CONTROL_OR_BREAK } from '../../../routers/api/shown-text.ts'

/** Reads a search parameter from its text. Returns undefined for a wrong value. */
type Param<Value> = (text: string) => Value | undefined

/** The values of declared parameters; undefined if a parameter is missing or wrong. */
type Values<Params> = {
  [Name in keyof Params]?: Params[Name] extends Param<infer Value> ? Value | undefined : never
}

/** Reads one of the given values. */
export const oneOf =
  <const Name extends string>(names: readonly Name[]): Param<Name> =>
  text =>
    names.find(name => name === text)

/** `true`; any other value counts as absent. */
export const flag: Param<true> = text => (text === 'true' ? true : undefined)

/** Reads a line of at most `max` characters. */
export const line =
  (max: number): Param<string> =>
  text =>
    text.trim() !== '' && text.length <= max && !CONTROL_OR_BREAK.test(text) ? text : undefined

/** Reads text that matches `format`. */
export const matching =
  (format: RegExp): Param<string> =>
  text =>
    format.test(text) ? text : undefined

/** An id of the service. */
export const id: Param<string> = matching(/^[2-9a-z]{16}$/)

/** An offset in a text. */
export const offset: Param<string> = matching(/^\d{1,7}$/)

const DAY = /^(?:19[7-9]|2\d\d)\d-\d\d-\d\d$/
const MINUTE = /^(?:19[7-9]|2\d\d)\d-\d\d-\d\dT\d\d:\d\d$/

/** Whether a time in UTC exists. `Date.parse` accepts February 31. */
const exists = (time: string) => {
  const at = Date.parse(time)
  return Number.isFinite(at) && new Date(at).toISOString() === time
}

/** A day from 1970 to 2999, without a time zone, such as `2026-11-23`. */
export const day: Param<string> = text =>
  DAY.test(text) && exists(`${text}T00:00:00.000Z`) ? text : undefined

/** A time from 1970 to 2999, without a time zone, in the format of `datetime-local` fields: `2026-11-23T14:05`. */
export const minute: Param<string> = text =>
  MINUTE.test(text) && exists(`${text}:00.000Z`) ? text : undefined

/** Returns a parameter's text. In a URL every value is text, but dashboard links set flags to `true`. */
const textOf = (value: unknown): string | undefined =>
  value === true ? 'true' : typeof value === 'string' ? value : undefined

/**
 * Returns a function that validates the search parameters of a view. Its result has a key for every declared parameter,
 * because for a missing key the router would use the unchecked value from the URL.
 *
 * @param params how to read each parameter
 */
export const searchParams =
  <Params extends Record<string, Param<unknown>>>(params: Params) =>
  (search: { [Name in keyof Params]?: unknown }): Values<Params> =>
    Object.fromEntries(
      Object.entries(params).map(([name, read]) => {
        const text = textOf(search[name])
        return [name, text === undefined ? undefined : read(text)]
      }),
    ) as Values<Params>

/**
 * Reads a query string. Every value stays text: the router would convert the search term "1e9" to a number, and other
 * terms to lists or objects.
 */
export const parseSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query))

/** Writes a query string, without parameters that are undefined. */
export const stringifySearch = (search: Record<string, unknown>): string => {
  const given = Object.entries(search).flatMap(([name, value]): [string, string][] => {
    const text = textOf(value)
    return text === undefined ? [] : [[name, text]]
  })
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
