import { z } from 'zod'

/** A content domain: `name` or `name:port`. */
export const domain = (description: string) =>
  z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/, {
      error: 'should be a lowercase domain, with a port only if visitors use it',
    })
    .meta({ description })

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
  }
>
