import express, { type Request } from 'express'

/** Most bytes of a form. */
const LIMIT = 32_768

/** Reads a form's text. Which field was sent how often matters, so that it is not parsed into an object. */
export const FORM = express.text({ type: 'application/x-www-form-urlencoded', limit: LIMIT })

/** The fields of a form; none when the body was not one. */
export const formOf = ({ body }: Request): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '')
