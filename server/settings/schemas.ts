import { isIP } from 'node:net'
import { z } from 'zod'
import { handle } from '../../routers/api/fields.ts'

/** A content domain: `name` or `name:port`. */
export const domain = (description: string) =>
  z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, {
      error: 'should be a lowercase domain, with a port only if visitors use it',
    })
    .meta({ description })

/** Splits a comma-separated list. */
export const listOf = (value = ''): string[] => value.split(',').flatMap(item => item.trim() || [])

/** A comma-separated list of items that each pass a check. `expected` describes an item. */
const listOfItems = (isValid: (item: string) => boolean, expected: string) =>
  z.string().superRefine((value, context) => {
    const wrong = listOf(value).filter(item => !isValid(item))
    if (wrong.length > 0)
      context.addIssue({
        code: 'custom',
        message: `should be ${expected}, separated by commas, and not contain ${wrong.map(item => `"${item}"`).join(', ')}`,
      })
  })

/** Names that Express has for networks. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal'])

const isNetwork = (item: string): boolean => {
  if (NETWORKS.has(item)) return true
  const [address = '', prefix, ...rest] = item.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}

export const networks = listOfItems(
  isNetwork,
  'addresses such as 10.0.0.1, networks such as 10.0.0.0/8, or loopback, linklocal or uniquelocal',
)

/** An address, with an optional port: `10.0.0.1`, `10.0.0.1:5353`, `[::1]:5353`. */
const isServer = (item: string): boolean => {
  const [, v6, other, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(item) ?? []
  return isIP(item) !== 0 || (isIP(v6 ?? other ?? '') !== 0 && Number(port ?? 53) <= 65_535)
}

export const dnsServers = listOfItems(isServer, 'addresses such as 10.0.0.1 or 10.0.0.1:5353')

/** Returns a handle as it is stored, from the way people write it. */
export const plainHandle = (written: string): string => written.replace(/^@/, '').toLowerCase()

export const handles = listOfItems(
  item => handle.safeParse(plainHandle(item)).success,
  'handles such as robin',
)

/** A whole number from `min` to `max`, both included. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine(value => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max, {
      error: `should be a whole number from ${min} to ${max}`,
    })
    .transform(Number)

/** A web address without a slash at its end. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: 'should be an http or https address' })
  .refine(value => !value.endsWith('/'), { error: 'should not end in a slash' })

/** Where people reach somebody. */
export const contactAddress = z.union([z.email(), z.url({ protocol: /^https?$/ })], {
  error: 'should be an e-mail address, or an http or https address',
})

/** The address of a bucket, with an optional path that becomes a prefix of all object names. */
export const storeAddress = z
  .url({ protocol: /^https?$/, error: 'should be the http or https address of a bucket' })
  .refine(value => /^https?:\/\/[^/?#@]+\/[a-z0-9][a-z0-9.-]+(\/[\w.-]+)*$/.test(value), {
    error: 'should have the name of the bucket as its path, such as https://s3.example.org/bucket',
  })

/** A web address. */
export const collectorAddress = z.url({ protocol: /^https?$/, error: 'should be an http or https address' })

/** The address of a PostgreSQL database. */
export const databaseAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'should begin with postgresql://' })
  .refine(value => value.includes('@/') || value.includes(':///') || URL.canParse(value), {
    error: 'should be an address such as postgresql://user:password@host:5432/database',
    abort: true,
  })

/** Hides the password in an address, even in a malformed one. */
export const masked = (value: string): string =>
  value.replace(
    /^([a-z\d]+:\/\/)?([^:@/]*):(?!\/\/).*@/i,
    (_, scheme: string = '', user: string) => `${scheme}${user}:***@`,
  )

/** A variable whose value is a whole number from `min` to `max`. */
export const whole = (min: number, max: number, fallback: number) => ({
  schema: wholeNumber(min, max),
  fallback: String(fallback),
})

/** A variable whose value is `1` for yes or `0` for no. */
export const yesOrNo = <Fallback extends '' | '0' | '1'>(fallback: Fallback) => ({
  schema: z.enum(['0', '1'], { error: 'should be 0 or 1' }).transform(value => value === '1'),
  fallback,
})

/** Environment variables, by name. */
export type Variables = Record<
  string,
  {
    schema: z.ZodType
    /** The value if the variable is not set. */
    fallback: string
    /** Describes the default, if it is not a fixed value. */
    fallbackWords?: string
    purpose: string
    /** Whether the value must not be shown. */
    isSecret?: true
  }
>
