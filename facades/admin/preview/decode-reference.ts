import type { Decode } from './source-text.ts'

const parser = new DOMParser()

/** Decodes a character reference as browsers do. */
export const decodeReference: Decode = reference =>
  parser.parseFromString(`<body>.${reference}`, 'text/html').body.textContent.slice(1)
