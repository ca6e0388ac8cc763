import express, { type Request } from 'express'

/** Maximum size of a form, in bytes. */
const LIMIT = 32_768

/** Reads a form as text. A parsed object would hide repeated fields, which must be refused. */
export const FORM = express.text({ type: 'application/x-www-form-urlencoded', limit: LIMIT })

/** Returns the fields of a form; empty when the body was not a form. */
export const formOf = ({ body }: Request): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '')
